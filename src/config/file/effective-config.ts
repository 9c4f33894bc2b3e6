import { setImmediate } from 'node:timers/promises';
import { stringify } from 'yaml';
import type { AccountConfig, CollectorConfig, Config } from '../values/config.ts';
import { formatDuration } from '../values/duration.ts';
import { secretOf } from '../values/secret.ts';
import { changedThresholds } from './alert-thresholds.ts';

/** Formats the current configuration as YAML, with secrets replaced. Omits a `max_age` that is not configured. */
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
  const { name, credentials, api, collectors, alerts, labels, exclude } = account;
  const { file } = secretOf(credentials);
  const secretKey = file === undefined ? credentials.kind : `${credentials.kind}_file`;
  return {
    name,
    login: credentials.kind === 'token' ? undefined : credentials.login,
    [secretKey]: file ?? '<secret>',
    api: keysOf({ ...api, timeout: formatDuration(api.timeout), settlingTime: formatDuration(api.settlingTime) }),
    collectors: Object.fromEntries(Object.entries(collectors).map(([key, one]) => [key, collectorKeys(one)])),
    labels: Object.keys(labels).length > 0 ? labels : undefined,
    alerts: changedThresholds(alerts),
    exclude: Object.keys(exclude).length > 0 ? exclude : undefined,
  };
}

function collectorKeys({ enabled, schedule, maxAge, maxSeries }: CollectorConfig) {
  return keysOf({
    enabled,
    ...(schedule.kind === 'every' ? { every: formatDuration(schedule.interval) } : { schedule: schedule.pattern }),
    maxAge: maxAge === undefined ? undefined : formatDuration(maxAge),
    maxSeries,
  });
}

/** Renames settings to their keys in the file, such as `baseUrl` to `base_url`. */
function keysOf(settings: object): object {
  const keyOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [keyOf(name), value]));
}
