import type { Notation } from '../payloads/scalars.ts';
import type { Severity } from '../rules/thresholds.ts';

/** The whole configuration, checked and complete: every default is filled in, every override is applied. */
export interface Config {
  readonly accounts: readonly AccountConfig[];
  readonly web: WebConfig;
}

export interface WebConfig {
  /** Host and port, as `:10380` or `127.0.0.1:10380`. */
  readonly listenAddress: string;
  readonly telemetryPath: string;
}

export interface AccountConfig {
  /** The label `account`. */
  readonly name: string;
  readonly credentials: Credentials;
  readonly api: ApiConfig;
  /** By collector name: all that there are, the disabled ones too. */
  readonly collectors: Readonly<Record<string, CollectorConfig>>;
  /** By the alert's name: only those that differ from the rules' own. */
  readonly alerts: Readonly<Record<string, AlertThresholds>>;
}

/** What an account has in place of an alert's own thresholds, in its unit. What is left out keeps the rules' own. */
export type AlertThresholds = Readonly<Partial<Record<Severity, number | 'off'>>>;

/** How a call says who it is. A secret is read when it is needed, since its file may change. */
export type Credentials =
  | { readonly kind: 'password'; readonly login: string; readonly password: Secret }
  | { readonly kind: 'token'; readonly token: Secret };

/** A password or token that is never a plain string in anything that could be printed. */
export interface Secret {
  /** Where it is read from; undefined where it is written in the configuration or the environment itself. */
  readonly file?: string;
  /** The secret as it is now. Throws ConfigError where its file can't be read. */
  reveal(): string;
}

export interface ApiConfig extends Notation {
  /** Without a slash at the end; methods are appended as `/section/method`. */
  readonly baseUrl: string;
  /** Milliseconds for one call, from its start to the last byte. */
  readonly timeout: number;
  readonly requestsPerMinute: number;
  /** How arguments travel: as plain parameters, as JSON in `input_data`, or as the API's answers suggest. */
  readonly inputFormat: 'auto' | 'plain' | 'json';
  /** A file of PEM certificates to trust besides the system's. */
  readonly caFile: string | undefined;
}

export interface CollectorConfig {
  readonly enabled: boolean;
  readonly schedule: ScheduleConfig;
  /** Milliseconds that the last good result is shown; undefined: three intervals and ten minutes. */
  readonly maxAge: number | undefined;
  /** Series that one poll, or all items of a fan-out together, may bring. */
  readonly maxSeries: number;
}

export type ScheduleConfig =
  | { readonly kind: 'every' /** Milliseconds. */; readonly interval: number }
  | { readonly kind: 'cron'; readonly pattern: string; readonly timeZone: string };
