import type { Unit } from './thresholds.ts';

/** The series that an expression reads, and the labels that only distinguish the exporters of an HA pair. */
export interface Scope {
  /** Label matchers without the braces: `job="hosting"`, or Grafana's `job=~"$job",account=~"$account"`. */
  readonly matchers: string;
  /** Aggregated away, so that an HA pair counts once and an account that moves keeps its history. */
  readonly replicaLabels: readonly string[];
}

/** A quantity that alerts and dashboards show, defined once for rules, descriptions, panels and columns. */
export interface Figure {
  /** Short, for the title of a panel or a column. */
  readonly title: string;
  readonly unit: Unit;
  /** One sentence that defines the number. */
  readonly meaning: string;
  /** Labels of the result, without those of the scrape target. */
  readonly labels: readonly string[];
  /** PromQL (Prometheus 2.42) on raw metrics only, usable as an operand without parentheses. */
  readonly expression: (scope: Scope) => string;
}

/** The labels that differ between the exporters of an HA pair, with static targets and with the Prometheus operator. */
export const defaultReplicaLabels: readonly string[] = ['instance', 'pod'];

/** `name{matchers}`: the raw series in scope. */
export function selector(scope: Scope, name: string, ...matchers: string[]): string {
  return `${name}{${[scope.matchers, ...matchers].filter((part) => part !== '').join(',')}}`;
}

/** A `without` clause that drops the replica labels; unlike `by`, it keeps the other labels of the target. */
export function without(scope: Scope, ...labels: string[]): string {
  return `without (${[...scope.replicaLabels, ...labels].join(', ')})`;
}

/** The series in scope, with an HA pair counted once. */
export function merged(scope: Scope, name: string, ...matchers: string[]): string {
  return `max ${without(scope)} (${selector(scope, name, ...matchers)})`;
}

function raw(title: string, unit: Unit, metric: string, labels: readonly string[], meaning: string): Figure {
  return { title, unit, meaning, labels, expression: (scope: Scope): string => merged(scope, metric) };
}

const account = ['account'];
const site = ['account', 'site_id', 'site'];
const database = ['account', 'database'];
const domain = ['account', 'domain'];
const backup = ['account', 'kind'];
const collector = ['account', 'collector'];

const secondsPerDay = 86_400;

/** Every figure of the bundle and of the dashboards. */
export const figures = {
  diskUsage: raw(
    'Disk used',
    'bytes',
    'hosting_account_disk_usage_bytes',
    account,
    'Disk space that the account uses: files, mail and databases, as the provider counts them.',
  ),
  diskLimit: {
    title: 'Disk quota',
    unit: 'bytes',
    meaning: 'Disk space that the plan allows; no series if the plan has no limit.',
    labels: account,
    expression: (scope: Scope): string =>
      `min ${without(scope)} (${selector(scope, 'hosting_account_disk_limit_bytes')} > 0)`,
  },
  diskUsedRatio: {
    title: 'Disk used',
    unit: 'ratio',
    meaning: 'Share of the disk quota that is used.',
    labels: account,
    expression: (scope: Scope): string =>
      `(${figures.diskUsage.expression(scope)} / (${figures.diskLimit.expression(scope)} > 0))`,
  },
  diskFree: {
    title: 'Disk free',
    unit: 'bytes',
    meaning: 'Disk space left until the quota.',
    labels: account,
    expression: (scope: Scope): string =>
      `(${figures.diskLimit.expression(scope)} - ${figures.diskUsage.expression(scope)})`,
  },
  diskGrowthPerDay: {
    title: 'Disk growth per day',
    unit: 'bytes',
    meaning:
      'Median of the net growth per day over the last three days, or the mean of a week if that is less. Requires three days of history.',
    labels: account,
    expression: (scope: Scope): string => {
      const usage = figures.diskUsage.expression(scope);
      const before = (time: string): string =>
        `max ${without(scope)} (${selector(scope, 'hosting_account_disk_usage_bytes')} offset ${time})`;
      const history = `max ${without(scope)} (present_over_time(${selector(scope, 'hosting_account_disk_usage_bytes')}[6h] offset 3d))`;
      const median = `quantile_over_time(0.5, (${usage} - ${before('1d')})[3d:1h])`;
      return `(((${usage} - ${before('7d')}) / 7 < ${median} or ${median}) and ${history})`;
    },
  },
  diskDaysToFull: {
    title: 'Full in',
    unit: 'days',
    meaning: 'Days until the disk quota is used up, at the growth rate of the last days; no series without growth.',
    labels: account,
    expression: (scope: Scope): string =>
      `((${figures.diskFree.expression(scope)} > 0) / (${figures.diskGrowthPerDay.expression(scope)} > 0))`,
  },
  diskHoursToFull: {
    title: 'Full in hours',
    unit: 'hours',
    meaning:
      'Hours until the disk quota is used up, at the slower of two growth rates: last half hour and last three hours.',
    labels: account,
    expression: (scope: Scope): string => {
      const pace = (window: string): string =>
        `max ${without(scope)} (deriv(${selector(scope, 'hosting_account_disk_usage_bytes')}[${window}]))`;
      return `((${figures.diskFree.expression(scope)} > 0) / ((${pace('30m')} < ${pace('3h')} or ${pace('3h')}) > 0) / 3600)`;
    },
  },
  databasesSize: {
    title: 'Databases',
    unit: 'bytes',
    meaning: 'Size of all databases of the account together.',
    labels: account,
    expression: (scope: Scope): string => `sum without (database) (${merged(scope, 'hosting_database_size_bytes')})`,
  },
  databaseSize: raw('Database size', 'bytes', 'hosting_database_size_bytes', database, 'Size of one database.'),
  paidDays: {
    title: 'Blocked in',
    unit: 'days',
    meaning:
      'Whole days until the provider suspends the account for insufficient funds, by its own estimate; 0 on that day.',
    labels: account,
    expression: (scope: Scope): string =>
      `ceil(clamp_min((${merged(scope, 'hosting_account_block_timestamp_seconds')} - time()) / ${secondsPerDay}, 0))`,
  },
  balance: raw(
    'Balance',
    'money',
    'hosting_account_balance',
    account,
    "Money on the account, in the provider's currency.",
  ),
  dailyCharge: raw(
    'Daily charge',
    'money',
    'hosting_account_daily_charge',
    account,
    "Cost of the account per day, in the provider's currency.",
  ),
  domainDaysLeft: {
    title: 'Domain ends in',
    unit: 'days',
    meaning: 'Whole days until the domain expires; negative if it has expired.',
    labels: domain,
    expression: (scope: Scope): string =>
      `floor((${merged(scope, 'hosting_domain_expiry_timestamp_seconds')} - time()) / ${secondsPerDay})`,
  },
  domainAutoRenew: raw(
    'Automatic renewal',
    'count',
    'hosting_domain_auto_renew',
    domain,
    '1 if the provider renews the domain automatically, 0 if not.',
  ),
  backupAge: {
    title: 'Backup age',
    unit: 'days',
    meaning: 'Days since the newest backup of files or of databases.',
    labels: backup,
    expression: (scope: Scope): string =>
      `((time() - ${merged(scope, 'hosting_backup_last_timestamp_seconds')}) / ${secondsPerDay})`,
  },
  backups: raw('Backups', 'count', 'hosting_backups', backup, 'Backups of files or of databases that can be restored.'),
  siteLoadMean: raw(
    'Site load',
    'load',
    'hosting_site_load_average',
    site,
    "Load of the site, mean of the last month, in the provider's undocumented unit.",
  ),
  siteLoadHour: raw(
    'Site load, last hour',
    'load',
    'hosting_site_load_hourly',
    site,
    "Load of the site in the newest complete hour, in the provider's undocumented unit.",
  ),
  siteLoadHourAge: {
    title: 'Age of the hour',
    unit: 'seconds',
    meaning: 'Time since the start of the hour that the load refers to. The provider omits hours without load.',
    labels: site,
    expression: (scope: Scope): string => `(time() - ${merged(scope, 'hosting_site_load_hourly_timestamp_seconds')})`,
  },
  siteLoadAgainstLastWeek: {
    title: 'Against last week',
    unit: 'times',
    meaning:
      'Load of the site in its newest complete hour, as a multiple of its busiest hour around the same day last week.',
    labels: site,
    expression: (scope: Scope): string => {
      const lastWeek = `max ${without(scope)} (max_over_time(${selector(scope, 'hosting_site_load_hourly')}[1d] offset 6d12h))`;
      return `(${figures.siteLoadHour.expression(scope)} / (${lastWeek} > 0))`;
    },
  },
  databaseSizeAgainstYesterday: {
    title: 'Against yesterday',
    unit: 'times',
    meaning: 'Size of the database, as a multiple of its highest size in the six hours before this time yesterday.',
    labels: database,
    expression: (scope: Scope): string => {
      const yesterday = `max ${without(scope)} (max_over_time(${selector(scope, 'hosting_database_size_bytes')}[6h] offset 1d))`;
      return `(${figures.databaseSize.expression(scope)} / (${yesterday} > 0))`;
    },
  },
  databaseLoadMean: raw(
    'Database load',
    'load',
    'hosting_database_load_average',
    database,
    'Load of the database, mean of the last month. Its unit differs from that of site load; never add the two.',
  ),
  databaseLoadHour: raw(
    'Database load, last hour',
    'load',
    'hosting_database_load_hourly',
    database,
    'Load of the database in the newest complete hour. Its unit differs from that of site load; never add the two.',
  ),
  planLoad: {
    title: 'Load of all sites',
    unit: 'load',
    meaning: 'Load of all sites of the account together, mean of the last month. The plan limits this value.',
    labels: account,
    // While two exporters poll at different times, a renamed site has two names: count each id once.
    expression: (scope: Scope): string =>
      `sum without (site_id) (max ${without(scope, 'site')} (${selector(scope, 'hosting_site_load_average')}))`,
  },
  planLoadLimit: {
    title: 'Load limit',
    unit: 'load',
    meaning: 'Load that the plan allows; no series if the plan has no limit.',
    labels: account,
    expression: (scope: Scope): string =>
      `min ${without(scope)} (${selector(scope, 'hosting_account_load_limit')} > 0)`,
  },
  planLoadRatio: {
    title: 'Load of the plan',
    unit: 'ratio',
    meaning: 'Load of all sites together (mean of the last month) as a share of the load that the plan allows.',
    labels: account,
    expression: (scope: Scope): string =>
      `(${figures.planLoad.expression(scope)} / (${figures.planLoadLimit.expression(scope)} > 0))`,
  },
  sites: raw('Sites', 'count', 'hosting_sites', account, 'Sites of the account.'),
  domains: raw('Domains', 'count', 'hosting_domains', account, 'Domains of the account.'),
  databases: raw('Databases', 'count', 'hosting_databases', account, 'Databases of the account.'),
  ftpAccounts: raw(
    'FTP accounts',
    'count',
    'hosting_ftp_accounts',
    account,
    'FTP accounts in addition to the main one.',
  ),
  mailboxes: {
    title: 'Mailboxes',
    unit: 'count',
    meaning: 'Mailboxes of the account, over all its domains.',
    labels: account,
    expression: (scope: Scope): string => `sum without (domain) (${merged(scope, 'hosting_mailboxes')})`,
  },
  cronTasks: {
    title: 'Cron tasks',
    unit: 'count',
    meaning: 'Enabled cron tasks.',
    labels: account,
    expression: (scope: Scope): string =>
      `max ${without(scope, 'state')} (${selector(scope, 'hosting_cron_tasks', 'state="enabled"')})`,
  },
  accountUp: raw(
    'Account answers',
    'count',
    'hosting_up',
    account,
    '1 if the API answered the newest poll of the account and accepted its credentials, else 0.',
  ),
  lastSuccess: raw(
    'Last successful poll',
    'seconds',
    'hosting_exporter_collector_last_success_timestamp_seconds',
    collector,
    'Time at which the newest successful poll ended; no series until there is one.',
  ),
  dataAge: {
    title: 'Data age',
    unit: 'seconds',
    meaning: 'Time since the newest successful poll: the maximum age of the data.',
    labels: collector,
    expression: (scope: Scope): string => `(time() - ${figures.lastSuccess.expression(scope)})`,
  },
  collectorInterval: raw(
    'Poll interval',
    'seconds',
    'hosting_exporter_collector_interval_seconds',
    collector,
    'Time between two scheduled runs of the collector.',
  ),
  dataAgeIntervals: {
    title: 'Data age in intervals',
    unit: 'intervals',
    meaning:
      'Time since the newest successful poll in intervals of the collector: up to 1 is normal, from 3 on the data is stale.',
    labels: collector,
    expression: (scope: Scope): string =>
      `(${figures.dataAge.expression(scope)} / (${figures.collectorInterval.expression(scope)} > 0))`,
  },
  collectorSuccess: raw(
    'Poll succeeded',
    'count',
    'hosting_exporter_collector_success',
    collector,
    '1 if the newest poll of the collector succeeded completely, else 0.',
  ),
  collectorSeries: raw(
    'Series',
    'count',
    'hosting_exporter_collector_series',
    collector,
    'Series that the collector shows now.',
  ),
  collectorDropped: raw(
    'Dropped',
    'count',
    'hosting_exporter_collector_series_dropped',
    collector,
    'Series of the newest results that were dropped because of max_series.',
  ),
  queueLength: raw(
    'Calls waiting',
    'count',
    'hosting_exporter_api_queue_length',
    account,
    'Calls that wait for the budget of the account.',
  ),
  requestBudget: raw(
    'Budget',
    'count',
    'hosting_exporter_api_requests_per_minute_limit',
    account,
    'Calls per minute that the exporter sends for the account at most (requests_per_minute).',
  ),
} as const satisfies Readonly<Record<string, Figure>>;
