import type { RuleCase } from './rule-case.ts';

const usage = 'account:hosting_account_disk_usage_bytes:max';
const delta = 'account:hosting_account_disk_usage_bytes:delta1d';
const present = 'account:hosting_account_disk_usage_bytes:present4d';
const growth = 'account:hosting_account_disk_growth_bytes_per_day:slower';
const used = 'account:hosting_disk_used:ratio';
const repeatedPeak = 'account:hosting_disk_used:repeated_peak';
const ends = 'account:hosting_alert_threshold:end{account="a",alert="HostingDiskAlmostFull",severity="warning"}';
const hour = 'account_site:hosting_site_load_hourly:max';
const lastWeek = 'account_site:hosting_site_load_hourly:max1d_last_week';
const inventory = 'account_kind:hosting_inventory:count';
const forwarding = 'account_domain:hosting_mailboxes_forwarding';
const site = (id: number) => `account="a",site_id="${id}",site="s"`;
const daily = (id: number, instance = 'a') => `hosting_site_load_daily{${site(id)},instance="${instance}"}`;
const none = {};
const a = (value: number) => ({ 'account="a"': value });

export const historyCases: readonly RuleCase[] = [
  {
    rule: delta,
    promise: 'the growth of a day',
    interval: '1h',
    given: { [`${usage}{account="a"}`]: '10 _x23 25' },
    results: { '24h': a(15) },
  },
  {
    rule: present,
    promise: 'a figure of three to seven days ago',
    interval: '1h',
    given: { [`${usage}{account="a"}`]: '5' },
    results: { '2d23h': none, '3d1h': a(1), '6d23h': a(1), '7d1h': none },
  },
  {
    rule: growth,
    promise: 'the growth of a week, a day',
    interval: '1h',
    given: {
      [`${usage}{account="a"}`]: '10 _x167 80',
      [`${present}{account="a"}`]: '_x168 1',
      [`${usage}{account="new"}`]: '10 _x167 80',
    },
    results: { '7d': a(10) },
  },
  {
    rule: growth,
    promise: 'the median growth of three days, if it is slower',
    interval: '1h',
    given: {
      [`${usage}{account="a"}`]: '10 _x167 220',
      [`${delta}{account="a"}`]: '_x95 1 _x2 20 21 26',
      [`${present}{account="a"}`]: '_x168 1',
      [`${usage}{account="b"}`]: '10 _x167 220',
      [`${delta}{account="b"}`]: '_x100 1 40 45',
      [`${present}{account="b"}`]: '_x168 1',
      [`${delta}{account="new"}`]: '_x100 1 40 45',
    },
    results: { '7d': { 'account="a"': 21, 'account="b"': 30 } },
  },
  {
    rule: growth,
    promise: 'without three days of history, the slowest growth within six hours, if known for as long',
    interval: '15m',
    given: { [`${delta}{account="a"}`]: '1 _x7 4 _x17 7' },
    results: { '5h45m': none, '6h30m': a(4), '7h15m': none },
  },
  {
    rule: growth,
    promise: 'with three days of history, not the slowest growth within six hours',
    interval: '15m',
    given: { [`${delta}{account="a"}`]: '1 _x7 4 _x17 7', [`${present}{account="a"}`]: '_x26 1' },
    results: { '6h30m': a(4) },
  },
  {
    rule: 'account:hosting_account_disk_usage_bytes:max2d',
    promise: 'the peak of two days that ended three hours ago',
    interval: '1h',
    given: { [`${usage}{account="a"}`]: '5 9 7' },
    results: { '2h': none, '4h30m': a(9), '2d3h30m': a(9), '2d4h30m': a(7), '2d5h30m': none },
  },
  {
    rule: repeatedPeak,
    promise: 'the peak of half a day to a day ago, if usage has been below the end of the warning since then',
    interval: '30m',
    given: {
      [`${used}{account="a"}`]: '0.8 0.9 0.7x60',
      [ends]: '0.82x60',
    },
    results: { '11h45m': none, '12h45m': a(0.9), '26h15m': a(0.9), '26h45m': a(0.7) },
  },
  {
    rule: repeatedPeak,
    promise: 'usage must have been below the end of the warning within the last twelve hours',
    interval: '30m',
    given: {
      [`${used}{account="a"}`]: '0.9 0.7 0.9x60',
      [ends]: '0.82x60',
    },
    results: { '12h15m': a(0.9), '12h45m': none },
  },
  {
    rule: repeatedPeak,
    promise: 'the end of the warning itself is not below it',
    interval: '30m',
    given: { [`${used}{account="a"}`]: '0.82x60', [ends]: '0.82x60' },
    results: { '13h': none },
  },
  {
    rule: repeatedPeak,
    promise: 'the newest threshold, for an hour',
    interval: '30m',
    given: { [`${used}{account="a"}`]: '0.9 0.7x60', [ends]: '_x25 0.1 0.82' },
    results: { '13h': a(0.9), '13h45m': a(0.9), '14h15m': none },
  },
  {
    rule: 'account_database:hosting_database_size_bytes:max_yesterday',
    promise: 'the highest size of 24 to 30 hours ago, if known for 30 hours',
    interval: '30m',
    given: { 'account_database:hosting_database_size_bytes:max{account="a",database="d"}': '20 _x3 9 _x3 7 _x5 30' },
    results: { '29h45m': none, '30h30m': { 'account="a",database="d"': 9 }, '31h15m': none },
  },
  {
    rule: lastWeek,
    promise: 'the busiest hour around the same day last week, if known for as long',
    interval: '1h',
    given: {
      [`${hour}{${site(1)}}`]: '50 _x4 5 _x4 9 _x11 7 _x3 30',
      [`${hour}{${site(2)}}`]: '3 _x9 8',
    },
    results: {
      '7d5h': none,
      '7d7h': { [site(1)]: 50, [site(2)]: 8 },
      '7d13h': { [site(1)]: 9 },
    },
  },
  {
    rule: lastWeek,
    promise: 'an eighth of the load of the day six days ago, if known for seven days; the newest of the replicas',
    given: {
      [daily(1)]: '9 1 4 _x1437 72 8 32',
      [daily(1, 'b')]: '9 1 4 _x1437 16 64 48',
      [daily(2)]: '1x40 _x1399 16',
      [daily(3)]: '1 _x1439 16x40',
      [daily(4)]: '_x1440 16x40',
    },
    results: {
      '10082m': { [site(1)]: 6, [site(2)]: 2, [site(3)]: 2 },
      '10089m': { [site(1)]: 6, [site(2)]: 2, [site(3)]: 2 },
      '10091m': { [site(1)]: 6 },
      '10093m': none,
    },
  },
  {
    rule: lastWeek,
    promise: 'hours count before days',
    interval: '1h',
    given: { [`${hour}{${site(1)}}`]: '5 _x9 9', [daily(1)]: '16x168' },
    results: { '7d7h': { [site(1)]: 9 } },
  },
  {
    rule: 'account_kind:hosting_backups:max_memory',
    promise: 'the highest number of two days, if known for as long',
    interval: '30m',
    given: { 'account_kind:hosting_backups:max{account="a",kind="files"}': '20 _x3 9 _x3 7' },
    results: { '1d23h45m': none, '2d30m': { 'account="a",kind="files"': 9 }, '2d1h15m': none },
  },
  {
    rule: 'account_kind:hosting_backups:max_memory',
    promise: 'the newest number of databases counts for ten minutes',
    given: {
      'account_kind:hosting_backups:max{account="a",kind="databases"}': '5 _x1000 5',
      'hosting_databases{account="a",instance="a"}': '_x2890 1 0',
      'account_kind:hosting_backups:max{account="b",kind="databases"}': '5 _x1000 5',
      'hosting_databases{account="b",instance="a"}': '_x2890 0 1',
    },
    results: {
      '2900m': { 'account="b",kind="databases"': 5 },
      '2902m': { 'account="a",kind="databases"': 5, 'account="b",kind="databases"': 5 },
    },
  },
  {
    rule: 'account_kind:hosting_inventory:max_memory',
    promise: 'the highest number of a day; a single cron task does not count',
    interval: '1h',
    given: {
      [`${inventory}{account="a",kind="sites"}`]: '5 9 7',
      [`${inventory}{account="b",kind="sites"}`]: '0 1 0',
      [`${inventory}{account="a",kind="cron_tasks"}`]: '2 4 3',
      [`${inventory}{account="b",kind="cron_tasks"}`]: '0 1 0',
    },
    results: {
      '24h30m': {
        'account="a",kind="sites"': 9,
        'account="b",kind="sites"': 1,
        'account="a",kind="cron_tasks"': 4,
      },
      '25h30m': {
        'account="a",kind="sites"': 7,
        'account="b",kind="sites"': 0,
        'account="a",kind="cron_tasks"': 3,
      },
      '26h30m': none,
    },
  },
  {
    rule: `${forwarding}:before`,
    promise: 'the newest number of one to three days ago',
    interval: '1h',
    given: { [`${forwarding}:max{account="a",domain="d"}`]: '5 9 7' },
    results: {
      '1d30m': { 'account="a",domain="d"': 5 },
      '1d3h': { 'account="a",domain="d"': 7 },
      '3d1h30m': { 'account="a",domain="d"': 7 },
      '3d2h30m': none,
    },
  },
  {
    rule: `${forwarding}:before`,
    promise: 'without such a number, the lowest of the last day',
    interval: '1h',
    given: { [`${forwarding}:max{account="a",domain="d"}`]: '6 5 7' },
    results: { '2h': { 'account="a",domain="d"': 5 }, '23h': { 'account="a",domain="d"': 5 } },
  },
  {
    rule: `${forwarding}:delta`,
    promise: 'the number above the one before',
    given: {
      [`${forwarding}:max{account="a",domain="d"}`]: '5',
      [`${forwarding}:before{account="a",domain="d"}`]: '3',
    },
    results: { '0m': { 'account="a",domain="d"': 2 } },
  },
];
