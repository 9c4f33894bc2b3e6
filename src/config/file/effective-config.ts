import { setImmediate } from 'node:timers/promises';
import { stringify } from 'yaml';
import type { AccountConfig, ApiConfig, CollectorConfig, Config } from '../values/config.ts';
import { formatDuration } from '../values/duration.ts';
import { secretOf } from '../values/secret.ts';
import { changedThresholds } from './alert-thresholds.ts';

/** Formats the configuration in use as a YAML file, with secrets replaced. Omits a `max_age` that is not configured. */
export async function formatEffectiveConfig({ web, accounts, stateDirectory }: Config): Promise<string> {
  const { listenAddresses, telemetryPath } = web;
  const common = {
    web: {
      listen_address: listenAddresses.length === 1 ? listenAddresses[0] : listenAddresses,
      telemetry_path: telemetryPath,
    },
    state: stateDirectory === undefined ? undefined : { directory: stateDirectory },
  };
  const parts = [format(common), accounts.length === 0 ? 'accounts: []\n' : 'accounts:\n'];
  for (const account of accounts) {
    parts.push(format([accountKeys(account)]));
    await setImmediate();
  }
  return parts.join('');
}

function format(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

function accountKeys(account: AccountConfig) {
  const { name, credentials, api, collectors, alerts, labels } = account;
  const { file } = secretOf(credentials);
  const secretKey = file === undefined ? credentials.kind : `${credentials.kind}_file`;
  return {
    name,
    login: credentials.kind === 'token' ? undefined : credentials.login,
    [secretKey]: file ?? '<secret>',
    api: apiKeys(api),
    collectors: Object.fromEntries(Object.entries(collectors).map(([key, one]) => [key, collectorKeys(one)])),
    labels: Object.keys(labels).length > 0 ? labels : undefined,
    alerts: changedThresholds(alerts),
  };
}

function apiKeys(api: ApiConfig) {
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
    ca_file: api.caFile,
  };
}

function collectorKeys({ enabled, schedule, maxAge, maxSeries }: CollectorConfig) {
  return {
    enabled,
    every: schedule.kind === 'every' ? formatDuration(schedule.interval) : undefined,
    schedule: schedule.kind === 'cron' ? schedule.pattern : undefined,
    max_age: maxAge === undefined ? undefined : formatDuration(maxAge),
    max_series: maxSeries,
  };
}
