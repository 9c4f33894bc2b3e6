import { alertThresholds, thresholds } from '../../../src/rules/thresholds.ts';
import { type AccountProfile, accountProfiles, day, hour, outage } from './account-profiles.ts';
import { dailyPattern, pseudoRandom } from './pseudo-random.ts';
import { recordedSeries } from './recorded-series.ts';

/** Parameters of a generated history. */
export interface HistoryOptions {
  readonly accounts: number;
  /** Unix seconds of the newest sample. */
  readonly now: number;
  readonly days: number;
  /** Seconds between two samples. */
  readonly step: number;
  readonly seed: number;
  /** Number of exporters that poll the same accounts; one by default. */
  readonly copies?: number;
  /** Accounts in addition to the generated accounts. */
  readonly more?: readonly AccountProfile[];
}

/** One series. `value` returns undefined at times without a sample. */
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: (time: number) => number | undefined;
}

const target = { job: 'hosting', instance: 'exporter:10380' } as const;

/** Name, interval in seconds, method and duration in seconds of every collector. */
const collectors = [
  ['account', 300, 'user/getAccountInfo', 0.4],
  ['databases', 900, 'mysql/getList', 0.3],
  ['site_load', hour, 'stat/getSitesListLoad', 0.7],
  ['database_load', hour, 'stat/getDbListLoad', 0.6],
  ['site_load_detail', hour, 'stat/getSiteLoad', 9],
  ['database_load_detail', hour, 'stat/getDbLoad', 7],
  ['sites', 1800, 'site/getList', 0.5],
  ['domains', 6 * hour, 'domain/getList', 0.6],
  ['mailboxes', 6 * hour, 'mail/getMailboxList', 4],
  ['ftp_accounts', 6 * hour, 'ftp/getList', 0.3],
  ['cron_tasks', hour, 'cron/getList', 0.3],
  ['backups', hour, 'backup/getFileBackupList', 0.8],
] as const;

type Collector = (typeof collectors)[number];

/** Programs on the servers, with their versions. */
const software = [
  ['apache', '2.4.63'],
  ['mysql', '8.0.41'],
  ['nginx', '1.27.4'],
  ['php', '8.2.28'],
] as const;

const reasons = ['network', 'timeout', 'auth', 'permission', 'limit'] as const;

type Reason = (typeof reasons)[number];

/** All exported series of every account, and the alerts that the rules would fire. */
export function history(options: HistoryOptions): readonly Series[] {
  const profiles = [...accountProfiles(options.accounts, options.seed), ...(options.more ?? [])];
  const one = [
    ...exporterSeries(options, profiles.length),
    ...profiles.flatMap((profile) => accountSeries(profile, options)),
  ];
  const more = Array.from({ length: (options.copies ?? 1) - 1 }, (_, index) =>
    one
      .filter(({ name }) => !name.startsWith('ALERTS') && !name.includes(':'))
      .map((series) => copied(series, index + 2)),
  );
  return [...one, ...more.flat(), ...otherTargets()];
}

/** The restores and downloads in the log of each account. `requestedBefore` is in seconds. */
const backupJobs = [
  { kind: 'databases', operation: 'restore', status: 'success', requestedBefore: 9 * hour },
  { kind: 'files', operation: 'download', status: 'success', requestedBefore: 26 * day },
  { kind: 'files', operation: 'restore', status: 'error', requestedBefore: 10 * hour },
] as const;

/** Series of other targets of the same Prometheus. The dashboards must not show these series. */
function otherTargets(): Series[] {
  return ['web-1:9100', 'web-2:9100'].flatMap((instance, index) => {
    const labels = { job: 'node', instance };
    return [
      { name: 'up', labels, value: () => index },
      { name: 'process_resident_memory_bytes', labels, value: () => 2e9 },
    ];
  });
}

function copied({ name, labels, value }: Series, number: number): Series {
  return { name, labels: { ...labels, instance: `exporter-${number}:10380` }, value };
}

function accountSeries(profile: AccountProfile, options: HistoryOptions): Series[] {
  return [
    ...accountMetricSeries(profile, options),
    ...siteSeries(profile, options),
    ...databaseSeries(profile, options),
    ...inventorySeries(profile, options),
    ...pollSeries(profile, options),
    ...alertSeries(profile, options),
  ];
}

function series(name: string, labels: Readonly<Record<string, string>>, value: Series['value']): Series {
  return { name, labels: { ...target, ...labels }, value };
}

/** Whether the newest poll of a collector succeeded, `ago` seconds before the end of the history. */
function answers(profile: AccountProfile, collector: string, ago: number): boolean {
  const away = ago <= outage.from && ago > outage.to;
  const rejected = profile.rejectedSince !== undefined && ago < profile.rejectedSince;
  const failing = profile.failing?.[collector] !== undefined && ago < day;
  return !(away || rejected || failing);
}

/** Why the newest poll of a collector failed, `ago` seconds before the end of the history; undefined if the poll succeeded. */
function failureReason(profile: AccountProfile, collector: string, ago: number): string | undefined {
  if (answers(profile, collector, ago)) return undefined;
  if (profile.rejectedSince !== undefined && ago < profile.rejectedSince) return 'auth';
  return (ago < day ? profile.failing?.[collector] : undefined) ?? 'timeout';
}

/** End of the newest successful poll before `time`, in Unix seconds. */
function lastSuccess(profile: AccountProfile, [name, interval]: Collector, time: number, now: number): number {
  let run = Math.floor((time - 2) / interval) * interval;
  while (!answers(profile, name, now - run)) {
    run = Math.floor((run - 1) / interval) * interval;
  }
  // Add a fraction of a second, because in practice no two polls end at the same time.
  return run + 1 + round(pseudoRandom(0, profile.name, name));
}

function collectorOf(name: Collector[0]): Collector {
  const found = collectors.find((collector) => collector[0] === name);
  if (found === undefined) {
    throw new Error(`No collector ${name}`);
  }
  return found;
}

/** A metric as exported: the value of the newest successful poll. It ends when the poll is older than three intervals and ten minutes. */
function polled(
  profile: AccountProfile,
  options: HistoryOptions,
  collectorName: Collector[0],
  figure: (ago: number, polledAt: number) => number | undefined,
): Series['value'] {
  const collector = collectorOf(collectorName);
  return (time) => {
    const last = lastSuccess(profile, collector, time, options.now);
    return time - last > 3 * collector[1] + 600 ? undefined : figure(options.now - last, last);
  };
}

function accountMetricSeries(profile: AccountProfile, options: HistoryOptions): Series[] {
  const { name: account, quotaBytes, loadLimit, paidDays } = profile;
  const shown = (name: string, figure: (ago: number, polledAt: number) => number | undefined, labels = {}): Series =>
    series(name, { account, ...labels }, polled(profile, options, 'account', figure));
  const { server } = profile;
  const memory = 128e9;
  return [
    shown('hosting_account_info', () => 1, { tariff: profile.plan, server }),
    shown('hosting_account_disk_usage_bytes', (ago) => Math.round(profile.usage(ago))),
    ...(quotaBytes === undefined ? [] : [shown('hosting_account_disk_limit_bytes', () => quotaBytes)]),
    ...(loadLimit === undefined ? [] : [shown('hosting_account_load_limit', () => loadLimit)]),
    ...(paidDays === undefined
      ? []
      : [
          shown('hosting_account_block_timestamp_seconds', (ago, at) => at + Math.ceil(paidDays + ago / day) * day),
          shown('hosting_account_balance', (ago) => Math.round(100 * 12.5 * (paidDays + ago / day)) / 100),
          shown('hosting_account_daily_charge', () => 12.5),
        ]),
    shown('hosting_account_sites_used', () => profile.sites.length),
    shown('hosting_account_sites_limit', () => 25),
    shown('hosting_account_domains_used', () => profile.domains.length),
    shown('hosting_account_domains_limit', () => 100),
    shown('hosting_account_databases_limit', () => 15),
    shown('hosting_account_databases_size_bytes', (ago) => sum(profile.databases.map((one) => sizeAt(one, ago)))),
    shown('hosting_account_mailboxes_used', () => profile.mailboxes),
    shown('hosting_account_mailboxes_limit', () => 300),
    shown('hosting_account_ftp_accounts_used', () => Math.min(3, profile.sites.length)),
    shown('hosting_account_ftp_accounts_limit', () => 10),
    shown(
      'hosting_server_load_average',
      (_, at) => round(6 * dailyPattern(at) + 4 * pseudoRandom(options.seed, server, at)),
      {
        server,
      },
    ),
    shown('hosting_server_memory_bytes', () => memory, { server }),
    shown('hosting_server_memory_used_bytes', (_, at) => Math.round(memory * (0.5 + 0.08 * dailyPattern(at))), {
      server,
    }),
    shown('hosting_server_uptime_seconds', (_, at) => at - (options.now - 41 * day), { server }),
    ...software.map(([name, version]) =>
      shown('hosting_server_software_info', () => 1, { server, software: name, version }),
    ),
    ...alertThresholds.flatMap(({ alert, levels }) =>
      Object.entries(levels).map(([severity, { value }]) => {
        const own = profile.thresholds?.find((one) => one.alert === alert && one.severity === severity)?.value;
        return series('hosting_account_alert_threshold', { account, alert, severity }, () => own ?? value);
      }),
    ),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function sizeAt(database: AccountProfile['databases'][number], ago: number): number {
  return Math.round(Math.max(1e6, database.bytes - (database.growthPerDay * ago) / day));
}

function siteSeries(profile: AccountProfile, options: HistoryOptions): Series[] {
  const { name: account } = profile;
  return profile.sites.flatMap((site, index) => {
    const labels = { account, site_id: String(299_163 + 10 * index), site: site.name };
    const busy = (time: number, span: number): number => {
      const since = options.now - (site.loadJump?.since ?? 0);
      const times = site.loadJump !== undefined && time + span / 2 >= since ? site.loadJump.times : 1;
      const shape = span === hour ? dailyPattern(time) : 1;
      return (
        (times * site.load * shape * (0.8 + 0.4 * pseudoRandom(options.seed, site.name, time, span))) / (day / span)
      );
    };
    const newest = (at: number, span: number): number => Math.floor(at / span) * span - span;
    const detail = (name: string, figure: (at: number) => number): Series =>
      series(
        name,
        labels,
        polled(profile, options, 'site_load_detail', (_, at) => figure(at)),
      );
    const averageIncrease = (ago: number): number =>
      site.loadJump === undefined || ago > site.loadJump.since
        ? 0
        : (site.loadJump.times - 1) * (site.loadJump.since - ago);
    return [
      series(
        'hosting_site_load_average',
        labels,
        polled(profile, options, 'site_load', (ago) => round(site.load * (1 + averageIncrease(ago) / (30 * day)))),
      ),
      detail('hosting_site_load_hourly', (at) => round(busy(newest(at, hour), hour))),
      detail('hosting_site_load_hourly_timestamp_seconds', (at) => newest(at, hour)),
      detail('hosting_site_load_daily', (at) => round(busy(newest(at, day), day))),
      detail('hosting_site_load_daily_timestamp_seconds', (at) => newest(at, day)),
    ];
  });
}

function databaseSeries(profile: AccountProfile, options: HistoryOptions): Series[] {
  const { name: account } = profile;
  const newest = (at: number, span: number): number => Math.floor(at / span) * span - span;
  return [
    series(
      'hosting_databases',
      { account },
      polled(profile, options, 'databases', () => profile.databases.length),
    ),
    ...profile.databases.flatMap((database) => {
      const labels = { account, database: database.name };
      const busy = (time: number, span: number): number =>
        (database.load *
          (span === hour ? dailyPattern(time) : 1) *
          (0.8 + 0.4 * pseudoRandom(options.seed, database.name, time))) /
        (day / span);
      const detail = (name: string, figure: (at: number, ago: number) => number): Series =>
        series(
          name,
          labels,
          polled(profile, options, 'database_load_detail', (ago, at) => figure(at, ago)),
        );
      return [
        series(
          'hosting_database_size_bytes',
          labels,
          polled(profile, options, 'databases', (ago) => sizeAt(database, ago)),
        ),
        series(
          'hosting_database_info',
          { ...labels, user: `${database.name}_user` },
          polled(profile, options, 'databases', () => 1),
        ),
        series(
          'hosting_database_remote_accesses',
          labels,
          polled(profile, options, 'databases', () => (database.load > 1000 ? 1 : 0)),
        ),
        series(
          'hosting_database_load_average',
          labels,
          polled(profile, options, 'database_load', () => database.load),
        ),
        detail('hosting_database_load_hourly', (at) => round(busy(newest(at, hour), hour))),
        detail('hosting_database_load_hourly_timestamp_seconds', (at) => newest(at, hour)),
        detail('hosting_database_load_daily', (at) => round(busy(newest(at, day), day))),
        detail('hosting_database_load_daily_timestamp_seconds', (at) => newest(at, day)),
        detail('hosting_database_size_daily_bytes', (_, ago) => sizeAt(database, ago + day)),
        detail('hosting_database_size_daily_timestamp_seconds', (at) => newest(at, day)),
      ];
    }),
  ];
}

function inventorySeries(profile: AccountProfile, options: HistoryOptions): Series[] {
  const { name: account, backupDaysAgo } = profile;
  const of = (
    collector: Collector[0],
    name: string,
    labels: Readonly<Record<string, string>>,
    figure: (ago: number, at: number) => number | undefined,
  ): Series => series(name, { account, ...labels }, polled(profile, options, collector, figure));
  return [
    of('sites', 'hosting_sites', {}, () => profile.sites.length),
    ...profile.sites.flatMap((site, index) => {
      const siteId = String(299_163 + 10 * index);
      return [
        of('sites', 'hosting_site_info', { site_id: siteId, site: site.name }, () => 1),
        of('sites', 'hosting_site_frozen', { site_id: siteId, site: site.name }, () => Number(index % 7 === 6)),
        of(
          'sites',
          'hosting_site_domain_info',
          { site_id: siteId, domain: site.name, php_version: site.php, ssl_status: site.certificate },
          () => 1,
        ),
        series(
          'hosting_domain_php_info',
          { account, domain: site.name, version: site.php },
          polled(profile, options, 'domains', () => 1),
        ),
      ];
    }),
    of('domains', 'hosting_domains', {}, () => profile.domains.length),
    of('domains', 'hosting_subdomains', {}, () => 2 * profile.sites.length),
    ...profile.domains.flatMap(({ name, daysLeft, autoRenew, renewal }) => [
      of('domains', 'hosting_domain_under_control', { domain: name }, () => (autoRenew ? 1 : 0)),
      of('domains', 'hosting_domain_expiry_timestamp_seconds', { domain: name }, () =>
        Math.round(options.now + daysLeft * day),
      ),
      of('domains', 'hosting_domain_auto_renew', { domain: name }, () => (autoRenew ? 1 : 0)),
      ...(renewal === undefined
        ? []
        : [of('domains', 'hosting_domain_renewal_info', { domain: name, status: renewal }, () => 1)]),
      of(
        'domains',
        'hosting_domain_info',
        { domain: name, registrar: 'registrar.example', status: daysLeft < 0 ? 'expired' : 'active' },
        () => 1,
      ),
    ]),
    ...profile.domains.flatMap(({ name }, index) => {
      const mailboxes = index === 0 ? profile.mailboxes : 0;
      return [
        of('mailboxes', 'hosting_mailboxes', { domain: name }, () => mailboxes),
        of('mailboxes', 'hosting_mailboxes_forwarding', { domain: name }, () => Math.floor(mailboxes / 10)),
        of('mailboxes', 'hosting_mailboxes_spam_filter_disabled', { domain: name }, () => Math.floor(mailboxes / 20)),
      ];
    }),
    of('ftp_accounts', 'hosting_ftp_accounts', {}, () => Math.min(3, profile.sites.length)),
    of('cron_tasks', 'hosting_cron_tasks', { state: 'enabled' }, () => 2 * profile.sites.length),
    of('cron_tasks', 'hosting_cron_tasks', { state: 'disabled' }, () => Math.min(1, profile.sites.length)),
    of('cron_tasks', 'hosting_cron_email_set', {}, () => (profile.sites.length > 2 ? 1 : 0)),
    ...['files', 'databases'].flatMap((kind) => [
      of('backups', 'hosting_backups', { kind }, () => (backupDaysAgo === undefined ? 0 : kind === 'files' ? 9 : 7)),
      ...(backupDaysAgo === undefined
        ? []
        : [
            of('backups', 'hosting_backup_last_timestamp_seconds', { kind }, (_, at) =>
              newestBackup(profile, options, kind, at),
            ),
          ]),
    ]),
    ...backupJobs.flatMap(({ requestedBefore, ...labels }) => [
      of('backups', 'hosting_backup_jobs', labels, () => 1),
      of('backups', 'hosting_backup_job_last_timestamp_seconds', labels, () => options.now - requestedBefore),
    ]),
  ];
}

/** Time of the newest listed backup in Unix seconds; undefined without backups. */
function newestBackup(
  { backupDaysAgo }: AccountProfile,
  options: HistoryOptions,
  kind: string,
  at: number,
): number | undefined {
  if (backupDaysAgo === undefined) return undefined;
  const late = kind === 'files' ? 2 * hour : 3 * hour;
  const nightly = Math.floor((at - late) / day) * day + late;
  const end = options.now - backupDaysAgo * day;
  return backupDaysAgo > 3 ? Math.min(nightly, Math.round(end)) : nightly;
}

/** Number of days with poll metrics. It is small, because poll metrics are most of the samples. */
const pollDays = 3;

function recent(options: HistoryOptions, value: Series['value']): Series['value'] {
  return (time) => (options.now - time > pollDays * day ? undefined : value(time));
}

function pollSeries(profile: AccountProfile, options: HistoryOptions): Series[] {
  const { name: account } = profile;
  const start = options.now - (pollDays + 1) * day;
  return [
    series('hosting_up', { account }, (time) => (answers(profile, 'account', options.now - time) ? 1 : 0)),
    ...(profile.customer === undefined
      ? []
      : [series('hosting_account_labels', { account, label_customer: profile.customer }, () => 1)]),
    series('hosting_exporter_api_requests_per_minute_limit', { account }, () => 30),
    series(
      'hosting_exporter_api_queue_length',
      { account },
      recent(options, (time) =>
        time % hour < 1000 ? Math.max(0, profile.sites.length + profile.databases.length - 2) : 0,
      ),
    ),
    series(
      'hosting_exporter_series',
      { account },
      recent(options, () => 30 + 6 * profile.sites.length + 8 * profile.databases.length),
    ),
    series(
      'hosting_exporter_api_requests_total',
      { account },
      recent(options, (time) =>
        sum(collectors.map(([name, interval]) => Math.floor((time - start) / interval) * callsOf(profile, name))),
      ),
    ),
    ...reasons.map((reason) =>
      series(
        'hosting_exporter_api_request_failures_total',
        { account, reason },
        recent(options, (time) =>
          sum(collectors.map((collector) => failedCalls(profile, collector, reason, time, options))),
        ),
      ),
    ),
    ...collectors.flatMap((collector) => {
      const [name, interval] = collector;
      const labels = { account, collector: name };
      return [
        series(
          'hosting_exporter_collector_success',
          labels,
          recent(options, (time) => (answers(profile, name, options.now - time) ? 1 : 0)),
        ),
        ...reasons.map((reason) =>
          series('hosting_exporter_collector_failing', { ...labels, reason }, (time) =>
            failureReason(profile, name, options.now - time) === reason ? 1 : undefined,
          ),
        ),
        series(
          'hosting_exporter_collector_last_success_timestamp_seconds',
          labels,
          recent(options, (time) => lastSuccess(profile, collector, time, options.now)),
        ),
        series(
          'hosting_exporter_collector_interval_seconds',
          labels,
          recent(options, () => interval),
        ),
        series(
          'hosting_exporter_collector_series_dropped',
          labels,
          recent(options, () => profile.dropped?.[name]),
        ),
        series(
          'hosting_exporter_collector_items_refused',
          labels,
          recent(options, () => profile.refused?.[name]),
        ),
      ];
    }),
  ];
}

function callsOf(profile: AccountProfile, collector: Collector[0]): number {
  if (collector === 'site_load_detail') return profile.sites.length;
  return collector === 'database_load_detail' ? profile.databases.length : 1;
}

/** The number of failed calls of a collector since the start of the poll metrics. */
function failedCalls(
  profile: AccountProfile,
  [name, interval]: Collector,
  reason: Reason,
  time: number,
  options: HistoryOptions,
): number {
  const during = (from: number, to: number): number => {
    const since = Math.max(options.now - (pollDays + 1) * day, options.now - from);
    const until = Math.min(time, options.now - to);
    return until <= since ? 0 : Math.ceil((until - since) / interval) * callsOf(profile, name);
  };
  return (
    (reason === 'timeout' ? during(outage.from, outage.to) : 0) +
    (reason === 'auth' && name === 'account' && profile.rejectedSince ? during(profile.rejectedSince, 0) : 0) +
    (reason === profile.failing?.[name] ? during(day, 0) : 0)
  );
}

/** The alerts that the rules would fire for this account, and the series that the rules would record. */
function alertSeries(profile: AccountProfile, options: HistoryOptions): Series[] {
  const { name: account, quotaBytes, paidDays } = profile;
  const { HostingDiskAlmostFull: disk, HostingAccountBlockedSoon: blocked } = thresholds;
  const own = profile.thresholds?.find(({ alert }) => alert === 'HostingDiskAlmostFull')?.value;
  const ratio = (ago: number): number => (quotaBytes === undefined ? 0 : profile.usage(ago) / quotaBytes);
  const seen = (ago: number): boolean => answers(profile, 'account', ago);
  const firing: readonly (readonly [string, string, Readonly<Record<string, string>>, (ago: number) => boolean])[] = [
    ['HostingDiskAlmostFull', 'critical', {}, (ago) => seen(ago) && ratio(ago) >= disk.levels.critical.value],
    ['HostingDiskAlmostFull', 'warning', {}, (ago) => seen(ago) && ratio(ago) >= (own ?? disk.levels.warning.value)],
    ['HostingDiskFillingUp', 'warning', {}, (ago) => account === 'shop' && ago < 5 * day],
    [
      'HostingAccountBlockedSoon',
      'critical',
      {},
      (ago) => (paidDays ?? 99) + ago / day < blocked.levels.critical.value,
    ],
    ['HostingAccountBlockedSoon', 'warning', {}, (ago) => (paidDays ?? 99) + ago / day < blocked.levels.warning.value],
    ['HostingCredentialsRejected', 'warning', {}, (ago) => ago < (profile.rejectedSince ?? 0) - 900],
    ...Object.keys(profile.dropped ?? {}).map(
      (collector) => ['HostingSeriesDropped', 'warning', { collector }, (ago: number) => ago < 2 * day] as const,
    ),
    ['HostingPlanLoadHigh', 'warning', {}, (ago) => account === 'blog' && ago < 20 * hour],
    ['HostingBackupMissing', 'warning', { kind: 'files' }, () => profile.backupDaysAgo === undefined],
    ['HostingBackupTooOld', 'warning', { kind: 'files' }, (ago) => (profile.backupDaysAgo ?? 0) - ago / day > 5],
    ...profile.domains.flatMap(({ name, daysLeft, autoRenew }) => {
      const left = (ago: number): number => daysLeft + ago / day;
      const labels = { domain: name };
      return [
        ['HostingDomainExpired', 'critical', labels, (ago: number) => left(ago) < 0 && left(ago) > -30],
        ['HostingDomainExpiring', 'critical', labels, (ago: number) => !autoRenew && left(ago) >= 0 && left(ago) < 7],
        ['HostingDomainExpiring', 'warning', labels, (ago: number) => !autoRenew && left(ago) >= 0 && left(ago) < 30],
        [
          'HostingDomainRenewalOverdue',
          'warning',
          labels,
          (ago: number) => autoRenew && left(ago) >= 0 && left(ago) < 3,
        ],
      ] as const;
    }),
    ...profile.sites.map(
      (site) =>
        [
          'HostingSiteLoadUnusual',
          'info',
          { site: site.name, site_id: '299163' },
          (ago: number) => ago < (site.loadJump?.since ?? 0) - 2 * hour,
        ] as const,
    ),
  ];
  const backup = (kind: string) => (ago: number) => newestBackup(profile, options, kind, options.now - ago);
  const recorded = recordedSeries({
    job: target.job,
    now: options.now,
    days: options.days,
    profile,
    isUp: seen,
    backups: {
      files: backup('files'),
      ...(profile.databases.length > 0 && { databases: backup('databases') }),
    },
  });
  const alerts = firing.flatMap(([alertname, severity, more, fires]) => {
    const atAnyTime = Array.from({ length: options.days * 24 }, (_, index) => index * hour).findLast((ago) =>
      fires(ago),
    );
    if (atAnyTime === undefined) {
      return [];
    }
    const labels = { job: target.job, account, alertname, severity, ...more };
    const at =
      (value: number): Series['value'] =>
      (time) =>
        fires(options.now - time) ? value : undefined;
    return [
      { name: 'ALERTS', labels: { ...labels, alertstate: 'firing' }, value: at(1) },
      { name: 'ALERTS_FOR_STATE', labels, value: at(options.now - atAnyTime - hour) },
    ];
  });
  return [...alerts, ...recorded];
}

function exporterSeries(options: HistoryOptions, accounts: number): Series[] {
  const started = options.now - 6 * day;
  const reloaded = options.now - 2 * day - 5 * hour;
  const perSecond = (accounts * 0.03) / collectors.length;
  return [
    series('up', {}, () => 1),
    series('hosting_exporter_build_info', { version: '0.3.0', revision: '3f9c2d1', nodeversion: 'v24.21.0' }, () => 1),
    series('hosting_exporter_config_last_reload_successful', {}, () => 1),
    series('hosting_exporter_config_last_reload_success_timestamp_seconds', {}, () => reloaded),
    series('process_start_time_seconds', {}, () => started),
    series('process_resident_memory_bytes', {}, (time) =>
      Math.round(96e6 + 9e6 * pseudoRandom(options.seed, 'memory', time)),
    ),
    series('process_cpu_seconds_total', {}, (time) => round(Math.max(0, time - started) * 0.011)),
    series('nodejs_eventloop_lag_p99_seconds', {}, (time) =>
      round(0.011 + 0.004 * pseudoRandom(options.seed, 'lag', time)),
    ),
    ...collectors.flatMap(([collector, interval, , duration]) => {
      const polls = (time: number): number => Math.floor((Math.max(0, time - started) / interval) * accounts);
      const name = 'hosting_exporter_poll_duration_seconds';
      return [
        ...['0.5', '2', '10', '60', '300', '1200', '3600', '+Inf'].map((le) =>
          series(
            `${name}_bucket`,
            { collector, le },
            recent(options, (time) => (Number(le.replace('+Inf', '9999')) < duration ? 0 : polls(time))),
          ),
        ),
        series(
          `${name}_sum`,
          { collector },
          recent(options, (time) => round(polls(time) * duration)),
        ),
        series(`${name}_count`, { collector }, recent(options, polls)),
      ];
    }),
    ...collectors.flatMap(([, , method, duration]) => {
      const calls = (time: number): number => Math.floor(Math.max(0, time - started) * perSecond);
      const name = 'hosting_exporter_api_request_duration_seconds';
      const typical = Math.min(duration, 0.9);
      return [
        ...['0.05', '0.1', '0.25', '0.5', '1.5', '2.5', '5.5', '10.5', '30.5', '+Inf'].map((le) =>
          series(
            `${name}_bucket`,
            { method, le },
            recent(options, (time) =>
              Math.floor(
                calls(time) *
                  (Number(le.replace('+Inf', '99')) / typical < 0.5
                    ? 0.02
                    : Number(le.replace('+Inf', '99')) / typical < 1
                      ? 0.4
                      : Number(le.replace('+Inf', '99')) < 5
                        ? 0.93
                        : 1),
              ),
            ),
          ),
        ),
        series(
          `${name}_sum`,
          { method },
          recent(options, (time) => round(calls(time) * typical * 0.8)),
        ),
        series(`${name}_count`, { method }, recent(options, calls)),
      ];
    }),
  ];
}
