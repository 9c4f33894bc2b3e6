import { resolve as resolvePath } from 'node:path';
import type { Collector } from '../../collectors/collector.ts';
import { collectors } from '../../collectors/list.ts';
import type { ApiConfig, Config, Credentials } from '../values/config.ts';
import { parseDuration } from '../values/duration.ts';
import { fileSecret, inlineSecret } from '../values/secret.ts';
import { normalizeBaseUrl } from '../values/validators.ts';
import { effectiveThresholds } from './alert-thresholds.ts';
import { type AccountFile, type ApiFile, type ConfigFile, defaults } from './schema.ts';

export interface AccountSource {
  readonly account: AccountFile;
  readonly folder: string;
}

/** `folder`: the directory to which the paths in the file are relative. `others`: the accounts in other files. */
export function resolveConfig(file: ConfigFile, folder = '.', others: readonly AccountSource[] = []): Config {
  const inside = (file.accounts ?? []).map((account) => ({ account, folder }));
  const caFile = file.api?.ca_file && resolvePath(folder, file.api.ca_file);
  const stateDirectory = file.state?.directory && resolvePath(folder, file.state.directory);
  return {
    accounts: [...inside, ...others].map((source) => resolveAccount(source, file, caFile)),
    web: {
      listenAddresses: [file.web?.listen_address ?? defaults.listen_address].flat(),
      telemetryPath: file.web?.telemetry_path ?? defaults.telemetry_path,
    },
    ...(stateDirectory && { stateDirectory }),
  };
}

function resolveAccount({ account, folder }: AccountSource, file: ConfigFile, caFile: string | undefined) {
  const ownCaFile = account.api?.ca_file && resolvePath(folder, account.api.ca_file);
  const api = resolveApi({ ...file.api, ...account.api }, ownCaFile || caFile);
  return {
    name: account.name,
    credentials: resolveCredentials(account, folder),
    api,
    collectors: Object.fromEntries(
      collectors.map((collector) => [collector.name, resolveCollector(account, file, collector, api.timeZone)]),
    ),
    labels: account.labels ?? {},
    alerts: effectiveThresholds(account.alerts, file.alerts),
    exclude: account.exclude ?? {},
  };
}

function resolveApi(settings: ApiFile, caFile: string | undefined): ApiConfig {
  return {
    baseUrl: normalizeBaseUrl(settings.base_url ?? ''),
    timeout: parseDuration(settings.timeout ?? defaults.timeout),
    requestsPerMinute: settings.requests_per_minute ?? defaults.requests_per_minute,
    maxItems: settings.max_items ?? defaults.max_items,
    settlingTime: parseDuration(settings.settling_time ?? defaults.settling_time),
    sizeUnits: settings.size_units ?? defaults.size_units,
    numberFormat: settings.number_format ?? defaults.number_format,
    timeZone: settings.time_zone ?? defaults.time_zone,
    inputFormat: settings.input_format ?? defaults.input_format,
    caFile,
  };
}

function resolveCredentials(account: AccountFile, folder: string): Credentials {
  const { login = '', password, password_file = '', token, token_file } = account;
  if (token !== undefined) return { kind: 'token', token: inlineSecret(token) };
  if (token_file !== undefined) return { kind: 'token', token: fileSecret(resolvePath(folder, token_file), 'token') };
  if (password !== undefined) return { kind: 'password', login, password: inlineSecret(password) };
  return { kind: 'password', login, password: fileSecret(resolvePath(folder, password_file), 'password') };
}

/** The `every` or `schedule` of an account replaces both the `every` and the `schedule` that apply to all accounts. */
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
