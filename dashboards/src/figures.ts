/** The unit of a figure. */
export type Unit =
  | 'ratio'
  | 'bytes'
  | 'seconds'
  | 'hours'
  | 'days'
  | 'times'
  | 'intervals'
  | 'count'
  | 'accounts'
  | 'load'
  | 'money';

/** The series that an expression reads, and the labels by which the exporters of an HA pair differ. */
export interface Scope {
  /** Label matchers without the braces: `job="hosting"`, or Grafana's `job=~"$job",account=~"$account"`. */
  readonly matchers: string;
  /** Labels that are aggregated away. Without these labels, an HA pair counts once, and an account that moves keeps its history. */
  readonly replicaLabels: readonly string[];
  /** Maximum age of a sample, as a Prometheus duration. If undefined, a failed scrape ends all series of its target. */
  readonly window?: string;
}

/** A quantity that alerts and dashboards show. */
export interface Figure {
  readonly unit: Unit;
  /** One sentence that defines the number. */
  readonly meaning: string;
  /** PromQL (Prometheus 2.42) on raw metrics only, usable as an operand without parentheses. */
  readonly expression: (scope: Scope) => string;
}

/** The labels that differ between the exporters of an HA pair, with static targets and with the Prometheus operator. */
export const defaultReplicaLabels: readonly string[] = ['instance', 'pod'];

/** `name{matchers}`: the raw series in scope. */
export function selector(scope: Scope, name: string, ...matchers: string[]): string {
  return `${name}{${[scope.matchers, ...matchers].filter((part) => part !== '').join(',')}}`;
}

/**
 * The newest sample of each series in scope within the window. If a scrape fails, Prometheus writes a stale marker to every series of
 * the target, which would reset the `for` of an alert. A window skips stale markers.
 */
export function latest(scope: Scope, name: string, ...matchers: string[]): string {
  return latestAt(scope, '', name, ...matchers);
}

/** Like `latest`, with a modifier such as `offset 1d`. An empty `offset` selects the current time. */
export function latestAt(scope: Scope, offset: string, name: string, ...matchers: string[]): string {
  const series = selector(scope, name, ...matchers);
  const modifier = offset === '' ? '' : ` ${offset}`;
  return scope.window === undefined ? `${series}${modifier}` : `last_over_time(${series}[${scope.window}]${modifier})`;
}

/** A `without` clause that drops the replica labels. It keeps all other labels of the target. */
export function without(scope: Scope, ...labels: string[]): string {
  return `without (${[...scope.replicaLabels, ...labels].join(', ')})`;
}

/** The series in scope, with an HA pair counted once. */
export function merged(scope: Scope, name: string, ...matchers: string[]): string {
  return `max ${without(scope)} (${latest(scope, name, ...matchers)})`;
}

/** Seconds from the start of a day to the end of the next day, plus two hours for clock changes and late polls. */
const recentDay = 50 * 3600;

/** The figure of the newest day, if this day is recent. The newest day may be old, because the provider omits days without a value. */
function recentDaily(scope: Scope, name: string, time: string): string {
  return `${merged(scope, name)} and (time() - ${merged(scope, time)}) < ${recentDay}`;
}

/** The load per hour or, if no hours are known, the mean per hour of the newest day. An imported history lacks most hours. */
function loadOverTime(scope: Scope, kind: 'site' | 'database'): string {
  const daily = `hosting_${kind}_load_daily`;
  const mean = `(${recentDaily(scope, daily, `${daily}_timestamp_seconds`)}) / 24`;
  return `(${merged(scope, `hosting_${kind}_load_hourly`)} or ${mean})`;
}

/** Estimate for websites: the load of the busiest hour of a day, as a multiple of the mean hour. */
const peakOfDay = 3;

/**
 * Estimates the load of each site in its busiest hour a week ago. The source is the load of that whole day, because an imported history
 * contains the days of a month, but few hours. Excludes the day on which a site was created, because this day is incomplete.
 */
export function busiestHourLastWeek(scope: Scope, duration = (text: string): string => text): string {
  const dayAt = (ago: string): string =>
    `max ${without(scope)} (${latestAt(scope, `offset ${duration(ago)}`, 'hosting_site_load_daily')})`;
  // The newest complete day is yesterday, so the value of six days ago is the load of the day seven days ago.
  return `${peakOfDay} / 24 * (${dayAt('6d')} and ${dayAt('7d')})`;
}

function raw(unit: Unit, metric: string, meaning: string): Figure {
  return { unit, meaning, expression: (scope: Scope): string => merged(scope, metric) };
}

const secondsPerDay = 86_400;

/** Every figure of the bundle and of the dashboards. */
export const figures = {
  diskUsage: raw(
    'bytes',
    'hosting_account_disk_usage_bytes',
    'Disk space that the account uses: files, mail and databases, as the provider counts them.',
  ),
  diskLimit: {
    unit: 'bytes',
    meaning: 'Disk space that the plan allows; no series if the plan has no limit.',
    expression: (scope: Scope): string =>
      `min ${without(scope)} (${latest(scope, 'hosting_account_disk_limit_bytes')} > 0)`,
  },
  diskUsedRatio: {
    unit: 'ratio',
    meaning: 'Share of the disk quota that is used.',
    expression: (scope: Scope): string =>
      `(${figures.diskUsage.expression(scope)} / (${figures.diskLimit.expression(scope)} > 0))`,
  },
  diskFree: {
    unit: 'bytes',
    meaning: 'Disk space left until the quota.',
    expression: (scope: Scope): string =>
      `(${figures.diskLimit.expression(scope)} - ${figures.diskUsage.expression(scope)})`,
  },
  databasesSize: {
    unit: 'bytes',
    meaning: 'Size of all databases of the account together.',
    expression: (scope: Scope): string => `sum without (database) (${merged(scope, 'hosting_database_size_bytes')})`,
  },
  databaseSize: raw('bytes', 'hosting_database_size_bytes', 'Size of one database.'),
  paidDays: {
    unit: 'days',
    meaning:
      'Whole days until the provider suspends the account for insufficient funds, by its own estimate; 0 on that day.',
    expression: (scope: Scope): string =>
      `ceil(clamp_min((${merged(scope, 'hosting_account_block_timestamp_seconds')} - time()) / ${secondsPerDay}, 0))`,
  },
  balance: raw('money', 'hosting_account_balance', "Money on the account, in the provider's currency."),
  dailyCharge: raw('money', 'hosting_account_daily_charge', "Cost of the account per day, in the provider's currency."),
  domainDaysLeft: {
    unit: 'days',
    meaning: 'Whole days until the day on which the domain expires; negative after the end of this day.',
    expression: (scope: Scope): string => {
      const left = `(${merged(scope, 'hosting_domain_expiry_timestamp_seconds')} - time()) / ${secondsPerDay}`;
      return `(clamp_min(floor(${left}) >= -1, 0) or floor(${left}) + 1)`;
    },
  },
  domainAutoRenew: raw(
    'count',
    'hosting_domain_auto_renew',
    '1 if the provider renews the domain automatically, 0 if not.',
  ),
  backupAge: {
    unit: 'days',
    meaning: 'Days since the newest backup of files or of databases.',
    expression: (scope: Scope): string =>
      `((time() - ${merged(scope, 'hosting_backup_last_timestamp_seconds')}) / ${secondsPerDay})`,
  },
  backups: raw('count', 'hosting_backups', 'Backups of files or of databases that can be restored.'),
  siteLoadMean: raw(
    'load',
    'hosting_site_load_average',
    "Load of the site, mean of the last month, in the provider's undocumented unit.",
  ),
  siteLoadHour: raw(
    'load',
    'hosting_site_load_hourly',
    "Load of the site in the newest complete hour, in the provider's undocumented unit.",
  ),
  siteLoadHourAge: {
    unit: 'seconds',
    meaning: 'Time since the start of the hour that the load refers to. The provider omits hours without load.',
    expression: (scope: Scope): string => `(time() - ${merged(scope, 'hosting_site_load_hourly_timestamp_seconds')})`,
  },
  siteLoadOverTime: {
    unit: 'load',
    meaning: 'Load of the site in the newest complete hour. If no hours are known: the mean hour of the newest day.',
    expression: (scope: Scope): string => loadOverTime(scope, 'site'),
  },
  databaseLoadOverTime: {
    unit: 'load',
    meaning:
      'Load of the database in the newest complete hour. If no hours are known: the mean hour of the newest day.',
    expression: (scope: Scope): string => loadOverTime(scope, 'database'),
  },
  databaseSizeOverTime: {
    unit: 'bytes',
    meaning: 'Size of one database. If the current size is unknown: its size on the newest day.',
    expression: (scope: Scope): string =>
      `(${merged(scope, 'hosting_database_size_bytes')} or ${recentDaily(scope, 'hosting_database_size_daily_bytes', 'hosting_database_size_daily_timestamp_seconds')})`,
  },
  siteLoadAgainstLastWeek: {
    unit: 'times',
    meaning:
      'Load of the site in its newest complete hour, as a multiple of its busiest hour around the same day last week. If the hourly load of that day is unknown, the load of its busiest hour is estimated as three times the mean of the day.',
    expression: (scope: Scope): string => {
      const hours = `max ${without(scope)} (max_over_time(${selector(scope, 'hosting_site_load_hourly')}[1d] offset 6d12h))`;
      return `(${figures.siteLoadHour.expression(scope)} / ((${hours} or ${busiestHourLastWeek(scope)}) > 0))`;
    },
  },
  databaseSizeAgainstYesterday: {
    unit: 'times',
    meaning: 'Size of the database, as a multiple of its highest size between 30 and 24 hours ago.',
    expression: (scope: Scope): string => {
      const yesterday = `max ${without(scope)} (max_over_time(${selector(scope, 'hosting_database_size_bytes')}[6h] offset 1d))`;
      return `(${figures.databaseSize.expression(scope)} / (${yesterday} > 0))`;
    },
  },
  databaseLoadMean: raw(
    'load',
    'hosting_database_load_average',
    'Load of the database, mean of the last month. Its unit differs from that of site load; never add the two.',
  ),
  databaseLoadHour: raw(
    'load',
    'hosting_database_load_hourly',
    'Load of the database in the newest complete hour. Its unit differs from that of site load; never add the two.',
  ),
  planLoad: {
    unit: 'load',
    meaning: 'Load of all sites of the account together, mean of the last month. The plan limits this value.',
    // Count each site ID once. Two exporters poll at different times, so they can report a renamed site under two names.
    expression: (scope: Scope): string =>
      `sum without (site_id) (max ${without(scope, 'site')} (${latest(scope, 'hosting_site_load_average')}))`,
  },
  planLoadLimit: {
    unit: 'load',
    meaning: 'Load that the plan allows; no series if the plan has no limit.',
    expression: (scope: Scope): string => `min ${without(scope)} (${latest(scope, 'hosting_account_load_limit')} > 0)`,
  },
  planLoadRatio: {
    unit: 'ratio',
    meaning: 'Mean load of all sites together in the last month, as a share of the load that the plan allows.',
    expression: (scope: Scope): string =>
      `(${figures.planLoad.expression(scope)} / (${figures.planLoadLimit.expression(scope)} > 0))`,
  },
  sites: raw('count', 'hosting_sites', 'Sites of the account.'),
  domains: raw('count', 'hosting_domains', 'Domains of the account.'),
  databases: raw('count', 'hosting_databases', 'Databases of the account.'),
  ftpAccounts: raw('count', 'hosting_ftp_accounts', 'FTP accounts in addition to the main one.'),
  mailboxesForwarding: raw(
    'count',
    'hosting_mailboxes_forwarding',
    'Mailboxes of one domain or subdomain that forward their mail.',
  ),
  mailboxes: {
    unit: 'count',
    meaning: 'Mailboxes of the account, over all its domains.',
    expression: (scope: Scope): string => `sum without (domain) (${merged(scope, 'hosting_mailboxes')})`,
  },
  cronTasks: {
    unit: 'count',
    meaning: 'Enabled cron tasks.',
    expression: (scope: Scope): string =>
      `max ${without(scope, 'state')} (${latest(scope, 'hosting_cron_tasks', 'state="enabled"')})`,
  },
  accountUp: raw(
    'count',
    'hosting_up',
    '1 if the API answered the newest poll of the account and accepted its credentials, else 0.',
  ),
  lastSuccess: raw(
    'seconds',
    'hosting_exporter_collector_last_success_timestamp_seconds',
    'Time at which the newest successful poll ended; no series before the first successful poll.',
  ),
  dataAge: {
    unit: 'seconds',
    meaning: 'Time since the newest successful poll: the maximum age of the data.',
    expression: (scope: Scope): string => `(time() - ${figures.lastSuccess.expression(scope)})`,
  },
  collectorInterval: raw(
    'seconds',
    'hosting_exporter_collector_interval_seconds',
    'Time between two scheduled runs of the collector.',
  ),
  dataAgeIntervals: {
    unit: 'intervals',
    meaning:
      'Time since the newest successful poll, divided by the interval of the collector: up to 1 is normal, from 3 on the data is stale.',
    expression: (scope: Scope): string =>
      `(${figures.dataAge.expression(scope)} / (${figures.collectorInterval.expression(scope)} > 0))`,
  },
  collectorSuccess: raw(
    'count',
    'hosting_exporter_collector_success',
    '1 if the newest poll of the collector succeeded completely, else 0.',
  ),
  accountSeries: raw('count', 'hosting_exporter_series', 'Series of the account, without those about the exporter.'),
  collectorDropped: raw(
    'count',
    'hosting_exporter_collector_series_dropped',
    'Series that were dropped from the newest results because of max_series.',
  ),
  queueLength: raw('count', 'hosting_exporter_api_queue_length', 'Calls that wait for the budget of the account.'),
  requestBudget: raw(
    'count',
    'hosting_exporter_api_requests_per_minute_limit',
    'Maximum number of calls per minute that the exporter sends for the account (requests_per_minute).',
  ),
} as const satisfies Readonly<Record<string, Figure>>;
