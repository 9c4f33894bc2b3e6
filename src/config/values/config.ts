import type { Notation } from '../../payloads/scalars.ts';

/** The validated configuration, with all defaults filled in and all overrides applied. */
export interface Config {
  readonly accounts: readonly AccountConfig[];
  readonly web: WebConfig;
  /** Absolute path of the state directory; undefined if nothing is saved. */
  readonly stateDirectory?: string | undefined;
  /** Names of accounts that the flags exclude, such as the accounts of other shards. */
  readonly otherAccounts?: readonly string[];
  /** The share of the accounts that this exporter polls; undefined without --shard. */
  readonly shard?: Shard | undefined;
}

/** One of several exporters that share a configuration. The second of five exporters has `{ index: 2, count: 5 }`. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

export interface WebConfig {
  /** Each address has a port and may have a host, such as `:10380` or `127.0.0.1:10380`. */
  readonly listenAddresses: readonly string[];
  readonly telemetryPath: string;
  /** External URL of the landing page, or only its path. Without a value, browsers connect to the exporter directly. */
  readonly externalUrl?: string | undefined;
  /** Prefix of the paths in links, such as `/hosting`; empty by default. */
  readonly linkPrefix?: string | undefined;
  /** Prefix of the paths in requests. Differs from `linkPrefix` if a proxy changes paths. */
  readonly routePrefix?: string | undefined;
}

export interface AccountConfig {
  /** The value of the label `account`. */
  readonly name: string;
  readonly credentials: Credentials;
  readonly api: ApiConfig;
  /** All collectors by name, including disabled collectors. */
  readonly collectors: Readonly<Record<string, CollectorConfig>>;
  /** The configured labels of the account, by name. The metric adds a prefix to the names. */
  readonly labels: Readonly<Record<string, string>>;
  readonly alerts: readonly AlertThreshold[];
  readonly exclude: Exclude;
}

/** Names and patterns of domains, sites and databases that are not monitored. */
export type Exclude = Readonly<
  Partial<Record<'domains' | 'sites' | 'databases', string | readonly string[] | undefined>>
>;

/** The threshold at which an alert about one account fires. An alert that is off has no threshold. */
export interface AlertThreshold {
  readonly alert: string;
  readonly severity: string;
  readonly value: number;
}

/** How a call authenticates. A secret is read for each call, because its file may change. */
export type Credentials =
  | { readonly kind: 'password'; readonly login: string; readonly password: Secret }
  | { readonly kind: 'token'; readonly token: Secret };

/** A password or token. Only `reveal` returns its text. If a secret is printed or serialized, the output is `[secret]`. */
export interface Secret {
  /** Path of the secret's file; undefined if the secret is written in the configuration or the environment. */
  readonly file?: string;
  /** A hash of the secret as it was when the configuration was loaded. */
  readonly digest: string;
  /** The current secret. Throws ConfigError if its file cannot be read. */
  reveal(): string;
}

export interface ApiConfig extends Notation {
  /** The URL has no slash at the end; methods are appended as `/section/method`. */
  readonly baseUrl: string;
  /** Milliseconds for one call, from its start to the last byte of the response. */
  readonly timeout: number;
  readonly requestsPerMinute: number;
  readonly maxItems: number;
  /** Milliseconds from the end of an hour or day until its values count as complete. Providers still add load after the end. */
  readonly settlingTime: number;
  /** How arguments are sent. `json`: in the parameter `input_data`. `auto`: detected from responses. */
  readonly inputFormat: 'auto' | 'plain' | 'json';
  readonly caFile: string | undefined;
}

export interface CollectorConfig {
  readonly enabled: boolean;
  readonly schedule: ScheduleConfig;
  /** Milliseconds after which a result expires; undefined for the default of three intervals plus ten minutes. */
  readonly maxAge: number | undefined;
  readonly maxSeries: number;
}

export type ScheduleConfig =
  | { readonly kind: 'every' /** Milliseconds. */; readonly interval: number }
  | { readonly kind: 'cron'; readonly pattern: string; readonly timeZone: string };
