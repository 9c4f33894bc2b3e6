import { resolve as resolvePath } from 'node:path';
import type { Collector } from '../collectors/collector.ts';
import { collectors } from '../collectors/list.ts';
import { normalizeBaseUrl } from './base-url.ts';
import type { AccountConfig, AlertThresholds, ApiConfig, CollectorConfig, Config, Credentials } from './config.ts';
import { parseDuration } from './duration.ts';
import {
  type AccountFile,
  type AlertsFile,
  type ApiFile,
  type CollectorsFile,
  type ConfigFile,
  defaults,
} from './schema.ts';
import { fileSecret, inlineSecret } from './secret.ts';

type ApiSettings = ApiFile | null | undefined;
type CollectorsSettings = CollectorsFile | null | undefined;

/** Fills in defaults and overrides. Paths are relative to `folder`. */
export function resolveConfig(file: ConfigFile, folder: string): Config {
  return {
    accounts: file.accounts.map((account) => resolveAccount(account, file, folder)),
    web: {
      listenAddress: file.web?.listen_address ?? defaults.listen_address,
      telemetryPath: file.web?.telemetry_path ?? defaults.telemetry_path,
    },
  };
}

function resolveAccount(account: AccountFile, common: ConfigFile, folder: string): AccountConfig {
  const api = resolveApi(account.api, common.api, folder);
  return {
    name: account.name,
    credentials: resolveCredentials(account, folder),
    api,
    collectors: resolveCollectors(account.collectors, common.collectors, api.timeZone),
    alerts: resolveAlerts(account.alerts ?? {}),
  };
}

function resolveApi(own: ApiSettings, common: ApiSettings, folder: string): ApiConfig {
  const caFile = own?.ca_file ?? common?.ca_file;
  return {
    baseUrl: normalizeBaseUrl(own?.base_url ?? common?.base_url ?? ''),
    timeout: toMilliseconds(own?.timeout ?? common?.timeout ?? defaults.timeout),
    requestsPerMinute: own?.requests_per_minute ?? common?.requests_per_minute ?? defaults.requests_per_minute,
    sizeUnits: own?.size_units ?? common?.size_units ?? defaults.size_units,
    timeZone: own?.time_zone ?? common?.time_zone ?? defaults.time_zone,
    inputFormat: own?.input_format ?? common?.input_format ?? defaults.input_format,
    caFile: caFile === undefined ? undefined : resolvePath(folder, caFile),
  };
}

function resolveCredentials(account: AccountFile, folder: string): Credentials {
  const { login = '', password, password_file, token, token_file } = account;
  if (token !== undefined) return { kind: 'token', token: inlineSecret(token) };
  if (token_file !== undefined) return { kind: 'token', token: fileSecret(resolvePath(folder, token_file), 'token') };
  if (password !== undefined) return { kind: 'password', login, password: inlineSecret(password) };
  return { kind: 'password', login, password: fileSecret(resolvePath(folder, password_file ?? ''), 'password') };
}

function resolveCollectors(
  own: CollectorsSettings,
  common: CollectorsSettings,
  timeZone: string,
): Readonly<Record<string, CollectorConfig>> {
  return Object.fromEntries(
    collectors.map((collector) => [
      collector.name,
      resolveCollector([own?.[collector.name], common?.[collector.name]], collector, timeZone),
    ]),
  );
}

/** The first settings that speak of the schedule decide it whole: an `every` there hides a `schedule` further on. */
function resolveCollector(
  settings: readonly CollectorsFile[string][],
  collector: Collector,
  timeZone: string,
): CollectorConfig {
  const scheduled = settings.find((one) => one?.every !== undefined || one?.schedule !== undefined);
  const maxAge = settings.find((one) => one?.max_age !== undefined)?.max_age;
  return {
    enabled: settings.find((one) => one?.enabled !== undefined)?.enabled ?? collector.offByDefault !== true,
    schedule:
      scheduled?.schedule === undefined
        ? { kind: 'every', interval: toMilliseconds(scheduled?.every ?? collector.schedule) }
        : { kind: 'cron', pattern: scheduled.schedule, timeZone },
    maxAge: maxAge === undefined ? undefined : toMilliseconds(maxAge),
    maxSeries: settings.find((one) => one?.max_series !== undefined)?.max_series ?? defaults.max_series,
  };
}

/** Of a duration that is known to be one. */
function toMilliseconds(duration: string): number {
  const milliseconds = parseDuration(duration);
  if (milliseconds === undefined) throw new TypeError(`${duration} is not a duration`);
  return milliseconds;
}

function resolveAlerts(alerts: AlertsFile): Readonly<Record<string, AlertThresholds>> {
  return Object.fromEntries(
    Object.entries(alerts).map(([name, settings]): [string, AlertThresholds] => {
      if (settings === 'off' || settings === false) return [name, { warning: 'off', critical: 'off' }];
      return [name, { warning: toThreshold(settings.warning), critical: toThreshold(settings.critical) }];
    }),
  );
}

function toThreshold(written: number | 'off' | false | undefined): number | 'off' | undefined {
  return written === false ? 'off' : written;
}
