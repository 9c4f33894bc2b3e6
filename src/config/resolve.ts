import { resolve as resolvePath } from 'node:path';
import type { Collector } from '../collectors/collector.ts';
import { collectors } from '../collectors/list.ts';
import { type OverridableAlert, overridableAlerts, type Severity, severities } from '../rules/thresholds.ts';
import { normalizeBaseUrl } from './base-url.ts';
import type { AccountConfig, AlertThresholds, ApiConfig, CollectorConfig, Config, Credentials } from './config.ts';
import { parseDuration } from './duration.ts';
import type { KeyPath } from './key-path.ts';
import { type AccountFile, type AlertsFile, type CollectorsFile, type ConfigFile, defaults } from './schema.ts';
import { fileSecret, inlineSecret, type SecretKind } from './secret.ts';

type CollectorsSettings = CollectorsFile | null | undefined;

/** Where the configuration finds its files. */
export interface FileAccess {
  /** The directory that paths at a key are relative to. */
  readonly folderAt: (path: KeyPath) => string;
  /** The content of a secret file when the configuration was loaded. */
  readonly secretIn: (file: string) => string;
}

/** Applies defaults and overrides. */
export function resolveConfig(file: ConfigFile, { folderAt, secretIn }: FileAccess): Config {
  const common = { ...file, folder: folderAt([]) };
  return {
    accounts: (file.accounts ?? []).map((account, index) =>
      resolveAccount({ ...account, folder: folderAt(['accounts', index]) }, common, secretIn),
    ),
    web: {
      listenAddresses: [file.web?.listen_address ?? defaults.listen_address].flat(),
      telemetryPath: file.web?.telemetry_path ?? defaults.telemetry_path,
    },
    ...(file.state?.directory !== undefined && {
      stateDirectory: resolvePath(folderAt(['state', 'directory']), file.state.directory),
    }),
  };
}

/** The directory that paths in a part of the configuration are relative to. */
interface Located {
  readonly folder: string;
}

function resolveAccount(
  account: AccountFile & Located,
  common: ConfigFile & Located,
  secretIn: FileAccess['secretIn'],
): AccountConfig {
  const api = resolveApi(account, common);
  return {
    name: account.name,
    credentials: resolveCredentials(account, secretIn),
    api,
    collectors: resolveCollectors(account.collectors, common.collectors, api.timeZone),
    labels: account.labels ?? {},
    alerts: resolveAlerts(account.alerts ?? {}),
  };
}

type WithApi = Pick<ConfigFile, 'api'> & Located;

function resolveApi(account: WithApi, file: WithApi): ApiConfig {
  const settings = { ...file.api, ...account.api };
  return {
    baseUrl: normalizeBaseUrl(settings.base_url ?? ''),
    timeout: toMilliseconds(settings.timeout ?? defaults.timeout),
    requestsPerMinute: settings.requests_per_minute ?? defaults.requests_per_minute,
    maxItems: settings.max_items ?? defaults.max_items,
    sizeUnits: settings.size_units ?? defaults.size_units,
    numberFormat: settings.number_format ?? defaults.number_format,
    timeZone: settings.time_zone ?? defaults.time_zone,
    settlingTime: toMilliseconds(settings.settling_time ?? defaults.settling_time),
    inputFormat: settings.input_format ?? defaults.input_format,
    caFile: caFileOf(account) ?? caFileOf(file),
  };
}

function caFileOf({ api, folder }: WithApi): string | undefined {
  return api?.ca_file === undefined ? undefined : resolvePath(folder, api.ca_file);
}

function resolveCredentials(
  { folder, ...account }: AccountFile & Located,
  secretIn: FileAccess['secretIn'],
): Credentials {
  const { login = '', password, password_file, token, token_file } = account;
  const secretFile = (written: string, kind: SecretKind) => {
    const file = resolvePath(folder, written);
    return fileSecret(file, kind, secretIn(file));
  };
  if (token !== undefined) return { kind: 'token', token: inlineSecret(token) };
  if (token_file !== undefined) return { kind: 'token', token: secretFile(token_file, 'token') };
  if (password !== undefined) return { kind: 'password', login, password: inlineSecret(password) };
  return { kind: 'password', login, password: secretFile(password_file ?? '', 'password') };
}

function resolveCollectors(
  own: CollectorsSettings,
  common: CollectorsSettings,
  timeZone: string,
): Readonly<Record<string, CollectorConfig>> {
  return Object.fromEntries(
    collectors.map((collector) => [
      collector.name,
      resolveCollector(own?.[collector.name], common?.[collector.name], collector, timeZone),
    ]),
  );
}

/** An account's `every` replaces a common `schedule`, and the other way round. */
function resolveCollector(
  own: CollectorsFile[string],
  common: CollectorsFile[string],
  collector: Collector,
  timeZone: string,
): CollectorConfig {
  const settings = { ...common, ...own };
  const scheduled = own?.every === undefined && own?.schedule === undefined ? common : own;
  return {
    enabled: settings.enabled ?? collector.offByDefault !== true,
    schedule:
      scheduled?.schedule === undefined
        ? { kind: 'every', interval: toMilliseconds(scheduled?.every ?? collector.schedule) }
        : { kind: 'cron', pattern: scheduled.schedule, timeZone },
    maxAge: settings.max_age === undefined ? undefined : toMilliseconds(settings.max_age),
    maxSeries: settings.max_series ?? defaults.max_series,
  };
}

/** Expects a validated duration. */
function toMilliseconds(duration: string): number {
  const milliseconds = parseDuration(duration);
  if (milliseconds === undefined) throw new TypeError(`${duration} is not a duration`);
  return milliseconds;
}

function resolveAlerts(alerts: AlertsFile): Readonly<Record<string, AlertThresholds>> {
  const resolved = overridableAlerts.flatMap(({ alert, defaults: values }): readonly [string, AlertThresholds][] => {
    const settings = alerts[alert];
    return settings === undefined ? [] : [[alert, resolveThresholds(settings, values)]];
  });
  return Object.fromEntries(resolved);
}

function resolveThresholds(
  settings: NonNullable<AlertsFile[string]>,
  values: OverridableAlert['defaults'],
): AlertThresholds {
  const thresholds: Partial<Record<Severity, number | 'off'>> = {};
  for (const severity of severities) {
    if (values[severity] === undefined) continue;
    const written = isOff(settings) ? 'off' : settings[severity];
    if (written !== undefined) thresholds[severity] = isOff(written) ? 'off' : written;
  }
  return thresholds;
}

/** Programs that write YAML 1.1 turn `off` into false. */
function isOff(written: unknown): written is 'off' | false {
  return written === 'off' || written === false;
}
