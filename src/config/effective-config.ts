import { setImmediate } from 'node:timers/promises';
import { stringify } from 'yaml';
import type { AccountConfig, ApiConfig, CollectorConfig, Config, Secret } from './config.ts';
import { formatDuration } from './duration.ts';

const hiddenSecret = '<secret>';

/**
 * The configuration in use, as YAML in the notation of the configuration file, with defaults filled in and secrets replaced.
 * `max_age` is left out where it follows the interval. Lets the event loop continue between two accounts.
 */
export async function formatEffectiveConfig({ web, accounts, stateDirectory }: Config): Promise<string> {
  const { listenAddresses, telemetryPath } = web;
  const listenAddress = listenAddresses.length === 1 ? listenAddresses[0] : listenAddresses;
  const parts = [format({ web: { listen_address: listenAddress, telemetry_path: telemetryPath } })];
  if (stateDirectory !== undefined) parts.push(format({ state: { directory: stateDirectory } }));
  parts.push(accounts.length === 0 ? 'accounts: []\n' : 'accounts:\n');
  for (const account of accounts) {
    parts.push(format([accountValue(account)]));
    await setImmediate();
  }
  return parts.join('');
}

function format(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

function accountValue({ name, credentials, api, collectors, alerts, labels }: AccountConfig) {
  const secret =
    credentials.kind === 'password'
      ? { login: credentials.login, ...secretValue('password', credentials.password) }
      : secretValue('token', credentials.token);
  return {
    name,
    ...secret,
    api: apiValue(api),
    collectors: Object.fromEntries(Object.entries(collectors).map(([key, one]) => [key, collectorValue(one)])),
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(Object.keys(alerts).length > 0 && { alerts }),
  };
}

function secretValue(kind: 'password' | 'token', { file }: Secret) {
  return file === undefined ? { [kind]: hiddenSecret } : { [`${kind}_file`]: file };
}

function apiValue(api: ApiConfig) {
  return {
    base_url: api.baseUrl,
    timeout: formatDuration(api.timeout),
    requests_per_minute: api.requestsPerMinute,
    max_items: api.maxItems,
    settling_time: formatDuration(api.settlingTime),
    size_units: api.sizeUnits,
    number_format: api.numberFormat,
    time_zone: api.timeZone,
    input_format: api.inputFormat,
    ...(api.caFile !== undefined && { ca_file: api.caFile }),
  };
}

function collectorValue({ enabled, schedule, maxAge, maxSeries }: CollectorConfig) {
  return {
    enabled,
    ...(schedule.kind === 'every' ? { every: formatDuration(schedule.interval) } : { schedule: schedule.pattern }),
    ...(maxAge !== undefined && { max_age: formatDuration(maxAge) }),
    max_series: maxSeries,
  };
}
