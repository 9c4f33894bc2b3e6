import { age, merged, series, slow } from './query.ts';
import { colours, textInRange, valueTexts } from './theme.ts';

// The expressions of figures that several panels show. While polls fail, recorded figures keep their last known values for at most a day.

export const usage = merged('hosting_account_disk_usage_bytes');
export const diskLimit = `(min without (instance, pod) (${series('hosting_account_disk_limit_bytes')}) > 0)`;
export const diskUsed = series('account:hosting_disk_used:ratio');

/**
 * Seconds until the disk is full, as the alerts estimate: by the growth of the last hours while HostingDiskFillingUpFast is pending or
 * fires, otherwise by the growth of the last days. No result if the disk did not grow in the last day.
 */
export const fullIn = `(3600 * ${series('account:hosting_account_disk_hours_to_full:fast')} and on (job, account) ${series('ALERTS', 'alertname="HostingDiskFillingUpFast"')} or 86400 * ${series('account:hosting_account_disk_days_to_full:slow')})`;

/** Whole days until the suspension; 0 on that day. */
export const paidDays = `clamp_min(${series('account:hosting_paid_days:max')}, 0)`;

export const balance = merged('hosting_account_balance');
export const dailyCharge = merged('hosting_account_daily_charge');

/** Mean load of all sites together in the last month, as a share of the load that the plan allows. */
export const planLoad = series('account:hosting_plan_load:ratio');
export const loadLimit = `(min without (instance, pod) (${series('hosting_account_load_limit')}) > 0)`;

const recordedDays = series('account_domain:hosting_domain_days_left:max');

/** Whole days until a domain expires; 0 on the last day and negative after it. Excludes domains that expired long ago. */
export const daysLeft = `(clamp_min(${recordedDays} >= -1, 0) or ${recordedDays} + 1 > -30)`;
/** Like `daysLeft`, but includes domains that expired long ago. */
export const allDaysLeft = `(clamp_min(${recordedDays} >= -1, 0) or ${recordedDays} + 1)`;

export const autoRenew = slow('account_domain:hosting_domain_auto_renew:max');

/** Days since the newest backup of files or databases. Excludes backups of databases for accounts without databases. */
export const backupAge = series('account_kind:hosting_backup_age_days:min');
export const backups = series('account_kind:hosting_backups:max');

/** The age of disk, plan, billing and server data. */
export const dataAge = age('hosting_exporter_collector_last_success_timestamp_seconds', 'collector="account"');

const interval = `(${merged('hosting_exporter_collector_interval_seconds')} > 0)`;
/** Age of the data of each collector in poll intervals. Up to 1 is normal. */
export const ageInIntervals = `(${age('hosting_exporter_collector_last_success_timestamp_seconds')} / ${interval})`;

/** The figure of the newest day, if this day is recent. The newest day may be old, because the provider omits days without a value. */
function recentDaily(metric: string, time: string): string {
  // 50 hours: the day itself, the next day, and two hours for clock changes and late polls.
  return `${merged(metric)} and ${age(time)} < ${50 * 3600}`;
}

/** The load per hour or, if no hours are known, the mean per hour of the newest day. An imported history lacks most hours. */
export function loadOverTime(kind: 'site' | 'database'): string {
  const daily = `hosting_${kind}_load_daily`;
  return `(${merged(`hosting_${kind}_load_hourly`)} or (${recentDaily(daily, `${daily}_timestamp_seconds`)}) / 24)`;
}

/** The size of a database. If the current size is unknown: its size on the newest day. */
export const sizeOverTime = `(${merged('hosting_database_size_bytes')} or ${recentDaily('hosting_database_size_daily_bytes', 'hosting_database_size_daily_timestamp_seconds')})`;

/** Load of a site in its newest complete hour, as a multiple of its busiest hour within 12 hours of the same time last week. */
export const loadAgainstLastWeek = `(${merged('hosting_site_load_hourly')} / on (job, account, site_id, site) (${slow('account_site:hosting_site_load_hourly:max1d_last_week')} > 0))`;

/** Size of a database, as a multiple of its highest size in the six hours before the same time yesterday. */
export const sizeAgainstYesterday = `(${merged('hosting_database_size_bytes')} / on (job, account, database) (${slow('account_database:hosting_database_size_bytes:max_yesterday')} > 0))`;

/** Mailboxes of the account, over all its domains. */
export const mailboxes = `sum without (domain) (${merged('hosting_mailboxes')})`;
export const cronTasks = `max without (instance, pod, state) (${series('hosting_cron_tasks', 'state="enabled"')})`;

export const today = [valueTexts({ 0: 'today' })];
/** Texts of `fullIn`. A forecast beyond a year is not useful. */
export const fullTexts = [valueTexts({ 0: 'full' }), textInRange(366 * 86_400, null, 'over a year', colours.muted)];
export const renewalTexts = valueTexts({ 1: 'automatic', 0: 'manual' });
/** Names of the kinds of backups. Each name is mapped to itself, because only texts in a mapping are translated. */
export const backupKinds = valueTexts({ files: 'files', databases: 'databases' });
