import { resolve as resolvePath } from 'node:path';
import type { Collector } from '../../collectors/collector.ts';
import { collectors } from '../../collectors/list.ts';
import { mapInSlices } from '../../runtime/time-slice.ts';
import type { ApiConfig, Config, Credentials, Secret } from '../values/config.ts';
import { parseDuration } from '../values/duration.ts';
import type { KeyPath } from '../values/key-path.ts';
import { fileSecret, inlineSecret } from '../values/secret.ts';
import { normalizeBaseUrl } from '../values/validators.ts';
import { resolveAlerts } from './alert-thresholds.ts';
import { type AccountFile, type ApiFile, type ConfigFile, defaults } from './schema.ts';

/** `secretIn`: returns the content of a secret file at the time of loading. */
export async function resolveConfig(
  file: ConfigFile,
  { folderAt = (_path: KeyPath): string => '.', secretIn = (_file: string): string => '' } = {},
): Promise<Config> {
  const resolveAt = (at: KeyPath, written: string | undefined) =>
    written === undefined ? undefined : resolvePath(folderAt(at), written);
  const stateDirectory = resolveAt(['state', 'directory'], file.state?.directory);
  return {
    accounts: await mapInSlices((file.accounts ?? []).entries(), ([index, account]) => {
      const resolveOwn = (written: string | undefined) => resolveAt(['accounts', index], written);
      const caFile = resolveOwn(account.api?.ca_file) ?? resolveAt([], file.api?.ca_file);
      const api = resolveApi({ ...file.api, ...account.api }, caFile);
      return {
        name: account.name,
        credentials: resolveCredentials(account, (written, kind) => {
          const path = resolveOwn(written) ?? '';
          return fileSecret(path, kind, secretIn(path));
        }),
        api,
        collectors: Object.fromEntries(
          collectors.map((collector) => [collector.name, resolveCollector(account, file, collector, api.timeZone)]),
        ),
        labels: account.labels ?? {},
        alerts: resolveAlerts(account.alerts ?? {}),
      };
    }),
    web: {
      listenAddresses: [file.web?.listen_address ?? defaults.listen_address].flat(),
      telemetryPath: file.web?.telemetry_path ?? defaults.telemetry_path,
    },
    ...(stateDirectory !== undefined && { stateDirectory }),
  };
}

function resolveApi(settings: ApiFile, caFile: string | undefined): ApiConfig {
  return {
    baseUrl: normalizeBaseUrl(settings.base_url ?? ''),
    timeout: parseDuration(settings.timeout ?? defaults.timeout),
    requestsPerMinute: settings.requests_per_minute ?? defaults.requests_per_minute,
    maxItems: settings.max_items ?? defaults.max_items,
    sizeUnits: settings.size_units ?? defaults.size_units,
    numberFormat: settings.number_format ?? defaults.number_format,
    timeZone: settings.time_zone ?? defaults.time_zone,
    settlingTime: parseDuration(settings.settling_time ?? defaults.settling_time),
    inputFormat: settings.input_format ?? defaults.input_format,
    caFile,
  };
}

function resolveCredentials(
  { login = '', password, password_file, token, token_file }: AccountFile,
  secretFile: (written: string, kind: Credentials['kind']) => Secret,
): Credentials {
  if (token !== undefined) return { kind: 'token', token: inlineSecret(token) };
  if (token_file !== undefined) return { kind: 'token', token: secretFile(token_file, 'token') };
  if (password !== undefined) return { kind: 'password', login, password: inlineSecret(password) };
  return { kind: 'password', login, password: secretFile(password_file ?? '', 'password') };
}

/** An account's `every` replaces a common `schedule`, and an account's `schedule` replaces a common `every`. */
function resolveCollector(account: AccountFile, file: ConfigFile, collector: Collector, timeZone: string) {
  const own = account.collectors?.[collector.name];
  const common = file.collectors?.[collector.name];
  const settings = { ...common, ...own };
  const scheduled = own?.every === undefined && own?.schedule === undefined ? common : own;
  return {
    enabled: settings.enabled ?? collector.offByDefault !== true,
    schedule:
      scheduled?.schedule === undefined
        ? { kind: 'every' as const, interval: parseDuration(scheduled?.every ?? collector.schedule) }
        : { kind: 'cron' as const, pattern: scheduled.schedule, timeZone },
    maxAge: settings.max_age === undefined ? undefined : parseDuration(settings.max_age),
    maxSeries: settings.max_series ?? defaults.max_series,
  };
}
