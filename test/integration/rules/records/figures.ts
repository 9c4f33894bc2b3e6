import { newest, type RuleCase, remembered } from './rule-case.ts';

const field = 'account_field:hosting_account_field:present6h';
const domainKnown = 'account_domain:hosting_domain_expiry:present6h';
const unreported = 'account:hosting_account_unreported:group';
const inventory = 'account_kind:hosting_inventory:count';
const backups = 'account_kind:hosting_backups:max';
const backupTime = 'account_kind:hosting_backup_last_timestamp_seconds:max';
const domain = 'account="a",domain="a.example"';
const none = {};

/** Fields and domains that a poll of the last six hours contained. */
function known(rule: string, metric: string, labels: string): readonly RuleCase[] {
  return [
    {
      rule,
      promise: 'for six hours after the last sample, unless the account is unreported',
      given: {
        [`${metric}{${labels},instance="a",pod="p"}`]: '5',
        [`${metric}{${labels},instance="b",pod="q"}`]: '7',
        [`${metric}{${labels.replace('"a"', '"gone"')},instance="a"}`]: '5',
        [`${unreported}{account="gone"}`]: '1x400',
      },
      results: { '0m': { [labels]: 1 }, '359m': { [labels]: 1 }, '361m': none },
    },
  ];
}

/** A field of the account, which some polls omit. */
function accountField(rule: string, metric: string, name: string, value: number): readonly RuleCase[] {
  return [
    ...newest(rule, metric, { value }),
    ...remembered(rule, {
      collector: 'account',
      current: `${metric}{account="a",instance="a"}`,
      known: { series: `${field}{account="a",field="${name}"}`, minutes: 60 },
    }),
    {
      rule,
      promise: 'another known field keeps nothing',
      given: { [`${rule}{account="a"}`]: '4x5', [`${field}{account="a",field="other"}`]: '1x5' },
      results: { '5m': none },
    },
  ];
}

/** A limit: the lowest one counts, and 0 stands for no limit. */
function limit(rule: string, metric: string, name: string): readonly RuleCase[] {
  return [
    ...accountField(rule, metric, name, 4),
    {
      rule,
      promise: 'a limit of 0 is no limit',
      given: {
        [`${metric}{account="a",instance="a"}`]: '0x5',
        [`${metric}{account="a",instance="b"}`]: '5x5',
        [`${metric}{account="b",instance="a"}`]: '0x5',
        [`${metric}{account="one",instance="a"}`]: '1x5',
      },
      results: { '5m': { 'account="a"': 5, 'account="one"': 1 } },
    },
  ];
}

function ofDomain(rule: string, metric: string): readonly RuleCase[] {
  return [
    ...newest(rule, metric, { labels: domain }),
    ...remembered(rule, {
      labels: domain,
      collector: 'domains',
      current: `${metric}{${domain},instance="a"}`,
      known: { series: `${domainKnown}{${domain}}`, minutes: 5 },
    }),
  ];
}

function counted(kind: string, metric: string, labels = ''): readonly RuleCase[] {
  const rule = `${inventory}{kind="${kind}"}`;
  return [
    ...newest(rule, metric, { labels: `account="a"${labels}`, result: 'account="a"' }),
    ...remembered(rule, {
      labels: `account="a",kind="${kind}"`,
      collector: kind,
      current: `${metric}{account="a",instance="a"${labels}}`,
      result: 'account="a"',
    }),
  ];
}

const isAnAccountWithoutDatabases: readonly RuleCase[] = [
  'account_kind:hosting_backup_age_days:min',
  'account_kind:hosting_backups:max_memory',
].flatMap((rule) => {
  const isAge = rule.endsWith('days:min');
  const record = isAge ? backupTime : backups;
  const interval = isAge ? '1m' : '30m';
  const start = isAge ? '' : '5 _x95 ';
  const given = {
    [`${record}{account="a",kind="files"}`]: `${isAge ? 1800 : 5}x200`,
    [`${record}{account="a",kind="databases"}`]: `${isAge ? 1800 : 5}x200`,
  };
  const at = isAge ? '30m' : '2d';
  const value = isAge ? 0 : 5;
  const [files, both] = [
    { 'account="a",kind="files"': value },
    { 'account="a",kind="files"': value, 'account="a",kind="databases"': value },
  ];
  const databases = (...values: readonly string[]) =>
    Object.fromEntries(
      values.map((one, index) => [`hosting_databases{account="a",instance="${index}"}`, `${start}${one}`]),
    );
  const minutes = isAge ? 30 : 1;
  return [
    {
      rule,
      promise: 'an account without databases has no backups of databases',
      interval,
      given: { ...given, ...databases(`0x${minutes}`) },
      results: { [at]: files },
    },
    {
      rule,
      promise: 'an account has databases if one replica reports one',
      interval,
      given: { ...given, ...databases(`0x${minutes}`, `1x${minutes}`) },
      results: { [at]: both },
    },
  ];
});

export const figureCases: readonly RuleCase[] = [
  ...known(`${field}{field="usage"}`, 'hosting_account_disk_usage_bytes', 'account="a"'),
  ...known(`${field}{field="limit"}`, 'hosting_account_disk_limit_bytes', 'account="a"'),
  ...known(`${field}{field="block"}`, 'hosting_account_block_timestamp_seconds', 'account="a"'),
  ...known(`${field}{field="load"}`, 'hosting_account_load_limit', 'account="a"'),
  ...known(domainKnown, 'hosting_domain_expiry_timestamp_seconds', domain),
  ...accountField('account:hosting_account_disk_usage_bytes:max', 'hosting_account_disk_usage_bytes', 'usage', 6),
  ...accountField(
    'account:hosting_account_block_timestamp_seconds:max',
    'hosting_account_block_timestamp_seconds',
    'block',
    6,
  ),
  ...limit('account:hosting_account_disk_limit_bytes:min', 'hosting_account_disk_limit_bytes', 'limit'),
  ...limit('account:hosting_account_load_limit:min', 'hosting_account_load_limit', 'load'),
  ...ofDomain('account_domain:hosting_domain_expiry_timestamp_seconds:max', 'hosting_domain_expiry_timestamp_seconds'),
  ...ofDomain('account_domain:hosting_domain_auto_renew:max', 'hosting_domain_auto_renew'),
  ...counted('sites', 'hosting_sites'),
  ...counted('domains', 'hosting_domains'),
  ...counted('databases', 'hosting_databases'),
  ...counted('cron_tasks', 'hosting_cron_tasks', ',state="enabled"'),
  {
    rule: `${inventory}{kind="cron_tasks"}`,
    promise: 'disabled tasks do not count',
    given: { 'hosting_cron_tasks{account="a",state="disabled"}': '5x5' },
    results: { '5m': none },
  },
  ...newest('account_database:hosting_database_size_bytes:max', 'hosting_database_size_bytes', {
    labels: 'account="a",database="d"',
  }),
  ...newest('account_domain:hosting_mailboxes_forwarding:max', 'hosting_mailboxes_forwarding', { labels: domain }),
  {
    rule: 'account_renewal:hosting_renewal_pending:before',
    promise: 'the newest sample of each replica between three and four days ago, only of pending renewals',
    interval: '1h',
    given: {
      [`hosting_domain_renewal_info{${domain},status="pending",instance="a",pod="p"}`]: '9 1 4',
      [`hosting_domain_renewal_info{${domain},status="pending",instance="b",pod="q"}`]: '2 8 6',
      [`hosting_domain_renewal_info{${domain},status="error",instance="a"}`]: '1x5',
    },
    results: {
      '2d23h': none,
      '3d3h': { [`${domain},status="pending"`]: 6 },
      '4d1h': { [`${domain},status="pending"`]: 6 },
      '4d3h': none,
    },
  },
  ...newest(backups, 'hosting_backups', { labels: 'account="a",kind="files"' }),
  ...remembered(backups, {
    labels: 'account="a",kind="files"',
    collector: 'backups',
    current: 'hosting_backups{account="a",kind="files",instance="a"}',
  }),
  {
    rule: backups,
    promise: '0 for a day after the last number, if the API answers without a number',
    given: {
      [`${backups}{account="a",kind="files"}`]: '9',
      [`${backups}{account="failed",kind="files"}`]: '9',
      [`${backups}{account="other",kind="files"}`]: '9',
      'hosting_exporter_collector_success{account="a",collector="backups",instance="a"}': '1x1500',
      'hosting_exporter_collector_success{account="a",collector="backups",instance="b"}': '0x1500',
      'hosting_exporter_collector_success{account="failed",collector="backups",instance="a"}': '0x1500',
      'hosting_exporter_collector_success{account="other",collector="sites",instance="a"}': '1x1500',
    },
    results: {
      '1439m': { 'account="a",kind="files"': 0 },
      '1441m': none,
    },
  },
  {
    rule: backups,
    promise: 'the newest answer counts for ten minutes',
    given: {
      [`${backups}{account="a",kind="files"}`]: '9x20',
      [`${backups}{account="b",kind="files"}`]: '9x20',
      'hosting_exporter_collector_success{account="a",collector="backups",instance="a"}': '0 1',
      'hosting_exporter_collector_success{account="b",collector="backups",instance="a"}': '1 0',
    },
    results: { '10m': { 'account="a",kind="files"': 0 }, '12m': none },
  },
  ...newest(backupTime, 'hosting_backup_last_timestamp_seconds', { labels: 'account="a",kind="files"' }),
  ...remembered(backupTime, {
    labels: 'account="a",kind="files"',
    collector: 'backups',
    current: 'hosting_backup_last_timestamp_seconds{account="a",kind="files",instance="a"}',
  }),
  {
    rule: backupTime,
    promise: 'the last known time is kept for an hour while the list of backups is empty',
    given: {
      [`${backupTime}{account="a",kind="files"}`]: '9 1 4',
      [`${backupTime}{account="b",kind="files"}`]: '9 1 4',
      [`${backups}{account="a",kind="files"}`]: '0x70',
      [`${backups}{account="b",kind="files"}`]: '1x70',
    },
    results: { '61m': { 'account="a",kind="files"': 4 }, '63m': none },
  },
  {
    rule: 'account:hosting_disk_used:ratio',
    promise: 'usage divided by the limit',
    given: {
      'account:hosting_account_disk_usage_bytes:max{account="a"}': '25',
      'account:hosting_account_disk_limit_bytes:min{account="a"}': '100',
      'account:hosting_account_disk_usage_bytes:max{account="b"}': '25',
      'account:hosting_account_disk_limit_bytes:min{account="b"}': '0',
      'account:hosting_account_disk_usage_bytes:max{account="one"}': '3',
      'account:hosting_account_disk_limit_bytes:min{account="one"}': '1',
    },
    results: { '0m': { 'account="a"': 0.25, 'account="one"': 3 } },
  },
  {
    rule: 'account:hosting_disk_free_bytes:min',
    promise: 'the limit without the usage, also below 0',
    given: {
      'account:hosting_account_disk_usage_bytes:max{account="a"}': '25',
      'account:hosting_account_disk_limit_bytes:min{account="a"}': '100',
      'account:hosting_account_disk_usage_bytes:max{account="b"}': '25',
      'account:hosting_account_disk_limit_bytes:min{account="b"}': '20',
    },
    results: { '0m': { 'account="a"': 75, 'account="b"': -5 } },
  },
  {
    rule: 'account:hosting_account_paid_days:max',
    promise: 'begun days until the suspension',
    given: {
      'account:hosting_account_block_timestamp_seconds:max{account="a"}': '87000x10',
      'account:hosting_account_block_timestamp_seconds:max{account="b"}': '87001x10',
      'account:hosting_account_block_timestamp_seconds:max{account="past"}': '-86000x10',
    },
    results: { '10m': { 'account="a"': 1, 'account="b"': 2, 'account="past"': -1 } },
  },
  {
    rule: 'account_domain:hosting_domain_days_left:max',
    promise: 'whole days until the newest expiry, for an hour',
    given: { [`account_domain:hosting_domain_expiry_timestamp_seconds:max{${domain}}`]: '9 1 172920' },
    results: {
      '2m': { [domain]: 2 },
      '3m': { [domain]: 1 },
      '61m': { [domain]: 1 },
      '63m': none,
    },
  },
  {
    rule: 'account_domain:hosting_domain_days_left:end',
    promise: 'one day more, unless the domain expired more than a month ago',
    given: {
      'account_domain:hosting_domain_days_left:max{account="a",domain="a.example"}': '-30',
      'account_domain:hosting_domain_days_left:max{account="a",domain="b.example"}': '-31',
    },
    results: { '0m': { [domain]: -29 } },
  },
  {
    rule: 'account_domain:hosting_domain_days_left:manual',
    promise: 'domains that are not renewed automatically, until the end of their last day',
    given: {
      'account_domain:hosting_domain_days_left:max{account="a",domain="last"}': '-1',
      'account_domain:hosting_domain_days_left:max{account="a",domain="past"}': '-2',
      'account_domain:hosting_domain_days_left:max{account="a",domain="manual"}': '5',
      'account_domain:hosting_domain_auto_renew:max{account="a",domain="manual"}': '0',
      'account_domain:hosting_domain_days_left:max{account="a",domain="automatic"}': '5',
      'account_domain:hosting_domain_auto_renew:max{account="a",domain="automatic"}': '1',
    },
    results: { '0m': { 'account="a",domain="last"': -1, 'account="a",domain="manual"': 5 } },
  },
  {
    rule: 'account_domain:hosting_domain_days_left:manual',
    promise: 'the newest setting counts for an hour',
    given: {
      'account_domain:hosting_domain_days_left:max{account="a",domain="on"}': '5x70',
      'account_domain:hosting_domain_auto_renew:max{account="a",domain="on"}': '0 1',
      'account_domain:hosting_domain_days_left:max{account="a",domain="off"}': '5x70',
      'account_domain:hosting_domain_auto_renew:max{account="a",domain="off"}': '1 0',
    },
    results: {
      '60m': { 'account="a",domain="off"': 5 },
      '62m': { 'account="a",domain="off"': 5, 'account="a",domain="on"': 5 },
    },
  },
  {
    rule: 'account_domain:hosting_domain_days_left:automatic',
    promise: 'the other domains, until the end of their last day',
    given: {
      'account_domain:hosting_domain_days_left:max{account="a",domain="last"}': '-1',
      'account_domain:hosting_domain_days_left:max{account="a",domain="past"}': '-2',
      'account_domain:hosting_domain_days_left:max{account="a",domain="manual"}': '5',
      'account_domain:hosting_domain_days_left:manual{account="a",domain="manual"}': '5',
    },
    results: { '0m': { 'account="a",domain="last"': -1 } },
  },
  {
    rule: 'account_domain:hosting_domain_elsewhere:group',
    promise: 'domains that one replica last reported as not under control, for ten minutes',
    given: {
      'hosting_domain_under_control{account="a",domain="left",instance="a",pod="p"}': '1 0',
      'hosting_domain_under_control{account="a",domain="left",instance="b",pod="q"}': '1 1',
      'hosting_domain_under_control{account="a",domain="came",instance="a"}': '0 1',
    },
    results: { '1m': { 'account="a",domain="left"': 0 }, '10m': { 'account="a",domain="left"': 0 }, '12m': none },
  },
  {
    rule: 'account:hosting_plan_load:sum',
    promise: 'the sum over the sites of the newest load of each, for ten minutes; a renamed site counts once',
    given: {
      'hosting_site_load_average{account="a",site_id="1",site="old",instance="a",pod="p"}': '9 1 4',
      'hosting_site_load_average{account="a",site_id="1",site="new",instance="b",pod="q"}': '2 8 6',
      'hosting_site_load_average{account="a",site_id="2",site="other",instance="a",pod="p"}': '1 9 3',
    },
    results: { '2m': { 'account="a"': 9 }, '11m': { 'account="a"': 9 }, '13m': none },
  },
  ...remembered('account:hosting_plan_load:sum', {
    collector: 'site_load',
    current: 'hosting_site_load_average{account="a",site_id="1",site="s",instance="a"}',
  }),
  {
    rule: 'account:hosting_plan_load:ratio',
    promise: 'load divided by the limit',
    given: {
      'account:hosting_plan_load:sum{account="a"}': '25',
      'account:hosting_account_load_limit:min{account="a"}': '100',
      'account:hosting_plan_load:sum{account="b"}': '25',
      'account:hosting_account_load_limit:min{account="b"}': '0',
      'account:hosting_plan_load:sum{account="one"}': '3',
      'account:hosting_account_load_limit:min{account="one"}': '1',
    },
    results: { '0m': { 'account="a"': 0.25, 'account="one"': 3 } },
  },
  ...newest('account_site:hosting_site_load_hourly:max', 'hosting_site_load_hourly', {
    labels: 'account="a",site_id="1",site="s"',
    also: {
      'hosting_site_load_hourly_timestamp_seconds{account="a",site_id="1",site="s",instance="a"}': '1x20',
    },
  }),
  {
    rule: 'account_site:hosting_site_load_hourly:max',
    promise: 'no load without an hour that began less than four hours ago',
    given: {
      'hosting_site_load_hourly{account="a",site_id="1",site="new"}': '5x300',
      'hosting_site_load_hourly_timestamp_seconds{account="a",site_id="1",site="new"}': '3601x300',
      'hosting_site_load_hourly{account="a",site_id="2",site="old"}': '5x300',
      'hosting_site_load_hourly_timestamp_seconds{account="a",site_id="2",site="old"}': '3600x300',
    },
    results: { '300m': { 'account="a",site_id="1",site="new"': 5 } },
  },
  {
    rule: 'account_site:hosting_site_load_hourly:max',
    promise: 'the newest hour of the replicas counts, for ten minutes',
    given: {
      'hosting_site_load_hourly{account="a",site_id="1",site="s"}': '5x20',
      'hosting_site_load_hourly_timestamp_seconds{account="a",site_id="1",site="s",instance="a"}': '-90000 -90000',
      'hosting_site_load_hourly_timestamp_seconds{account="a",site_id="1",site="s",instance="b"}': '-90000 0',
      'hosting_site_load_hourly{account="a",site_id="2",site="s"}': '5x20',
      'hosting_site_load_hourly_timestamp_seconds{account="a",site_id="2",site="s",instance="a"}': '0 -90000',
    },
    results: { '10m': { 'account="a",site_id="1",site="s"': 5 }, '12m': none },
  },
  {
    rule: 'account_kind:hosting_backup_age_days:min',
    promise: 'days since the newest backup, for an hour',
    digits: 2,
    given: { [`${backupTime}{account="a",kind="files"}`]: '9 -86400 -82740' },
    results: { '2m': { 'account="a",kind="files"': 0.96 }, '61m': { 'account="a",kind="files"': 1 }, '63m': none },
  },
  {
    rule: 'account_kind:hosting_backup_age_days:min',
    promise: 'the newest number of databases counts for ten minutes',
    digits: 2,
    given: {
      [`${backupTime}{account="a",kind="databases"}`]: '0 0 -85800x20',
      'hosting_databases{account="a",instance="a"}': '1 0',
      [`${backupTime}{account="b",kind="databases"}`]: '0 0 -85800x20',
      'hosting_databases{account="b",instance="a"}': '0 1',
    },
    results: {
      '10m': { 'account="b",kind="databases"': 1 },
      '12m': { 'account="a",kind="databases"': 1, 'account="b",kind="databases"': 1 },
    },
  },
  ...isAnAccountWithoutDatabases,
];
