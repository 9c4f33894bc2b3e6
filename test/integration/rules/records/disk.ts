import { type RuleCase, remembered } from './rule-case.ts';

const usage = 'account:hosting_account_disk_usage_bytes:max';
const used = 'account:hosting_disk_used:ratio';
const free = 'account:hosting_disk_free_bytes:min';
const growth = 'account:hosting_account_disk_growth_bytes_per_day:slower';
const delta = 'account:hosting_account_disk_usage_bytes:delta1d';
const present = 'account:hosting_account_disk_usage_bytes:present4d';
const peak = 'account:hosting_account_disk_usage_bytes:max2d';
const repeatedPeak = 'account:hosting_disk_used:repeated_peak';
const daysToFull = 'account:hosting_account_disk_days_to_full:slow';
const hoursToFull = 'account:hosting_account_disk_hours_to_full:fast';
const rate = 'account:hosting_account_disk_growth_bytes_per_second:slower';
const growing = 'account:hosting_disk_growing:group';
const urgent = 'account:hosting_disk_urgent:reason';
const current = 'account:hosting_alert_threshold:current';
const none = {};
const a = (value: number) => ({ 'account="a"': value });

function of(record: string, account = 'a'): string {
  return `${record}{account="${account}"}`;
}

function threshold(alert: string, severity: string, account = 'a'): string {
  return `${current}{account="${account}",alert="${alert}",severity="${severity}"}`;
}

function full(account = 'a'): string {
  return threshold('HostingDiskAlmostFull', 'critical', account);
}

/** An urgent reason compares usage with the newest threshold of the last hour, minus `below`. */
function newestThreshold(reason: string, below: number, also: Readonly<Record<string, string>>): RuleCase {
  return {
    rule: `${urgent}{reason="${reason}"}`,
    promise: 'the newest threshold, for an hour',
    digits: 3,
    given: {
      ...also,
      [of(used)]: `${2.5 - below}x70`,
      [of(used, 'less')]: `${2.25 - below}x70`,
      [full()]: '9 1.5 2.5',
      [full('less')]: '9 1.5 2.5',
    },
    results: { '61m': a(2.5 - below), '63m': none },
  };
}

export const diskCases: readonly RuleCase[] = [
  {
    rule: daysToFull,
    promise: 'free space divided by the newest growth, for an hour',
    given: { [of(free)]: '100x70', [of(growth)]: '9 1 4', [of(delta)]: '1x70' },
    results: { '61m': a(25), '63m': none },
  },
  {
    rule: daysToFull,
    promise: 'at most ten years; growth of less than a byte counts as one; no negative days',
    given: Object.fromEntries(
      [
        ['far', '3650', '1'],
        ['a', '3649', '1'],
        ['slow', '10', '0.5'],
        ['over', '-5', '1'],
      ].flatMap(([account = '', space = '', bytes = '']) => [
        [of(free, account), space],
        [of(growth, account), bytes],
        [of(delta, account), '1'],
      ]),
    ),
    results: { '0m': { 'account="a"': 3649, 'account="slow"': 10, 'account="over"': 0 } },
  },
  {
    rule: daysToFull,
    promise: 'usage grew within the last day; the newest growth counts for an hour',
    given: {
      [of(free)]: '10x70',
      [of(growth)]: '1x70',
      [of(delta)]: '-1 5',
      [of(free, 'b')]: '10x70',
      [of(growth, 'b')]: '1x70',
      [of(delta, 'b')]: '5 -1',
      [of(free, 'c')]: '10x70',
      [of(growth, 'c')]: '1x70',
      [of(delta, 'c')]: '0x70',
    },
    results: { '60m': a(10), '62m': none },
  },
  {
    rule: rate,
    promise: 'the rate of half an hour, if growth stopped',
    digits: 3,
    given: { [of(usage)]: '0+60x180 10800x40' },
    results: { '180m': a(1), '215m': a(0) },
  },
  {
    rule: rate,
    promise: 'the rate of three hours, if growth began',
    digits: 2,
    given: { [of(usage)]: '0x119 0+60x200', [of(usage, 'burst')]: '0x299 600+600x30' },
    results: {
      '329m30s': { 'account="a"': 1, 'account="burst"': 0.76 },
    },
  },
  {
    rule: growing,
    promise: 'usage grew within eight minutes, to more than at any time in two days',
    given: {
      [of(usage)]: '1 1 5x20',
      [of(peak)]: '3x20',
      [of(usage, 'peak')]: '1 1 5x20',
      [of(peak, 'peak')]: '5x20',
      [of(usage, 'new')]: '1 1 5x20',
    },
    results: { '9m': a(5), '11m': none, '17m': none },
  },
  {
    rule: growing,
    promise: 'the newest usage, if polls are more than eight minutes apart',
    given: {
      [of(usage)]: '5x20',
      [of(peak)]: '3x20',
      'hosting_exporter_collector_interval_seconds{account="a",collector="account",instance="a",pod="p"}':
        '900 100 300',
      'hosting_exporter_collector_interval_seconds{account="a",collector="account",instance="b",pod="q"}':
        '100 300 481',
      [of(usage, 'often')]: '5x20',
      [of(peak, 'often')]: '3x20',
      'hosting_exporter_collector_interval_seconds{account="often",collector="account",instance="a"}': '900 900 480',
      [of(usage, 'sites')]: '5x20',
      [of(peak, 'sites')]: '3x20',
      'hosting_exporter_collector_interval_seconds{account="sites",collector="sites",instance="a"}': '900 900 900',
    },
    results: { '2m': a(5), '11m': a(5), '13m': none },
  },
  {
    rule: growing,
    promise: 'the newest peak, for an hour',
    given: {
      [of(usage)]: '_x49 1x8 5x9',
      [of(peak)]: '9 1 4',
      [of(usage, 'b')]: '_x49 1x8 3x9',
      [of(peak, 'b')]: '9 1 4',
    },
    results: { '61m': a(5), '63m': none },
  },
  {
    rule: hoursToFull,
    promise: 'free space divided by the rate, if usage grows',
    digits: 3,
    given: Object.fromEntries(
      [
        ['a', '72000', '2', '1'],
        ['byte', '1', '1', '1'],
        ['full', '0', '1', '1'],
        ['constant', '36000', '0', '1'],
        ['slow', '36000', '1', undefined],
      ].flatMap(([account = '', space = '', bytes = '', grows]) => [
        [of(free, account), space],
        [of(rate, account), bytes],
        ...(grows === undefined ? [] : [[of(growing, account), grows]]),
      ]),
    ),
    results: { '0m': { 'account="a"': 10, 'account="byte"': 0 } },
  },
  {
    rule: hoursToFull,
    promise: 'not while all polls of the last ten minutes failed',
    given: {
      ...Object.fromEntries(
        ['a', 'one', 'repaired', 'broken'].flatMap((account) => [
          [of(free, account), '36000x20'],
          [of(rate, account), '1x20'],
          [of(growing, account), '1x20'],
        ]),
      ),
      'hosting_exporter_collector_success{account="a",collector="sites",instance="a"}': '0x20',
      'hosting_exporter_collector_success{account="one",collector="account",instance="a"}': '0 0',
      'hosting_exporter_collector_success{account="one",collector="account",instance="b"}': '1 1',
      'hosting_exporter_collector_success{account="repaired",collector="account",instance="a"}': '0 1',
      'hosting_exporter_collector_success{account="broken",collector="account",instance="a"}': '1 0',
    },
    results: {
      '10m': { 'account="a"': 10, 'account="one"': 10, 'account="repaired"': 10 },
      '12m': { 'account="a"': 10, 'account="one"': 10, 'account="repaired"': 10, 'account="broken"': 10 },
    },
  },
  ...remembered(hoursToFull, { collector: 'account', current: '' }).filter(
    ({ promise }) => !promise.startsWith('the current value'),
  ),
  {
    rule: hoursToFull,
    promise: 'the current value replaces the remembered one',
    given: {
      [of(free)]: '36000',
      [of(rate)]: '1',
      [of(growing)]: '1',
      [of(hoursToFull)]: '4',
      'account_collector:hosting_exporter_held:group{account="a",collector="account"}': '1',
    },
    results: { '0m': a(10) },
  },
  {
    rule: `${urgent}{reason="over_quota"}`,
    promise: 'all of the quota, or the higher threshold of the account',
    given: {
      [of(used)]: '1',
      [full()]: '0.95',
      [of(used, 'less')]: '0.99',
      [full('less')]: '0.95',
      [of(used, 'own')]: '1.25',
      [full('own')]: '1.25',
      [of(used, 'below')]: '1.2',
      [full('below')]: '1.25',
      [of(used, 'warning')]: '1.2',
      [threshold('HostingDiskAlmostFull', 'warning', 'warning')]: '0.9',
    },
    results: { '0m': { 'account="a"': 1, 'account="own"': 1.25 } },
  },
  newestThreshold('over_quota', 0, {}),
  {
    rule: `${urgent}{reason="little_free"}`,
    promise: 'the threshold, and less than 100 MB free',
    given: {
      [of(used)]: '0.95',
      [full()]: '0.95',
      [of(free)]: '99999999',
      [of(used, 'less')]: '0.94',
      [full('less')]: '0.95',
      [of(free, 'less')]: '99999999',
      [of(used, 'large')]: '0.95',
      [full('large')]: '0.95',
      [of(free, 'large')]: '100000000',
      [of(used, 'unknown')]: '0.95',
      [full('unknown')]: '0.95',
    },
    results: { '0m': a(0.95) },
  },
  newestThreshold('little_free', 0, { [of(free)]: '1x70', [of(free, 'less')]: '1x70' }),
  {
    rule: `${urgent}{reason="days"}`,
    promise: '0.1 below the threshold, and full within three days',
    given: {
      [of(used)]: '0.5',
      [full()]: '0.6',
      [of(daysToFull)]: '2.9',
      [of(used, 'less')]: '0.49',
      [full('less')]: '0.6',
      [of(daysToFull, 'less')]: '2.9',
      [of(used, 'slow')]: '0.5',
      [full('slow')]: '0.6',
      [of(daysToFull, 'slow')]: '3',
      [of(used, 'unknown')]: '0.5',
      [full('unknown')]: '0.6',
    },
    results: { '0m': a(0.5) },
  },
  newestThreshold('days', 0.1, { [of(daysToFull)]: '1x70', [of(daysToFull, 'less')]: '1x70' }),
  {
    rule: `${urgent}{reason="new"}`,
    promise: '0.98 of the quota, or the higher threshold of the account, without three days of history',
    given: {
      [of(used)]: '0.98',
      [full()]: '0.95',
      [of(used, 'less')]: '0.97',
      [full('less')]: '0.95',
      [of(used, 'own')]: '0.98',
      [full('own')]: '0.99',
    },
    results: { '0m': a(0.98) },
  },
  newestThreshold('new', 0, {}),
  {
    rule: `${urgent}{reason="new"}`,
    promise: 'history counts for a day',
    interval: '1h',
    given: { [of(used)]: '1x30', [full()]: '0.95x30', [of(present)]: '1' },
    results: { '23h': none, '25h': a(1) },
  },
  {
    rule: 'HostingDiskAlmostFull critical',
    promise: 'any urgent reason',
    given: {
      [of(used)]: '0.9',
      [`${urgent}{account="a",reason="days"}`]: '0.9',
      [`${urgent}{account="a",reason="new"}`]: '0.9',
      [of(used, 'b')]: '0.9',
    },
    results: { '0m': a(0.9) },
  },
  {
    rule: 'HostingDiskAlmostFull warning',
    promise: 'the newest threshold, for an hour',
    given: {
      [of(used)]: '5x70',
      [threshold('HostingDiskAlmostFull', 'warning')]: '9 1 5',
      [of(used, 'less')]: '4x70',
      [threshold('HostingDiskAlmostFull', 'warning', 'less')]: '9 1 5',
      [of(used, 'critical')]: '5x70',
      [full('critical')]: '1x70',
    },
    results: { '61m': a(5), '63m': none },
  },
  {
    rule: 'HostingDiskAlmostFull warning',
    promise: 'unless usage is at most 0.01 above the newest repeated peak of the last hour',
    given: {
      [of(used)]: '0.75x70',
      [threshold('HostingDiskAlmostFull', 'warning')]: '0.7x70',
      [of(repeatedPeak)]: '0.9 0.1 0.74',
      [of(used, 'above')]: '0.75x70',
      [threshold('HostingDiskAlmostFull', 'warning', 'above')]: '0.7x70',
      [of(repeatedPeak, 'above')]: '0.1 0.9 0.739',
    },
    results: { '61m': { 'account="above"': 0.75 }, '63m': { 'account="a"': 0.75, 'account="above"': 0.75 } },
  },
  {
    rule: 'HostingDiskFillingUpFast critical',
    promise: 'below the newest threshold of the last hour, and three quarters used',
    given: {
      [of(hoursToFull)]: '4x70',
      [threshold('HostingDiskFillingUpFast', 'critical')]: '9 1 5',
      [of(used)]: '0.75x70',
      [of(hoursToFull, 'equal')]: '5x70',
      [threshold('HostingDiskFillingUpFast', 'critical', 'equal')]: '9 1 5',
      [of(used, 'equal')]: '0.75x70',
      [of(hoursToFull, 'empty')]: '4x70',
      [threshold('HostingDiskFillingUpFast', 'critical', 'empty')]: '9 1 5',
      [of(used, 'empty')]: '0.74x70',
    },
    results: { '61m': a(4), '63m': none },
  },
  {
    rule: 'HostingDiskFillingUp warning',
    promise: 'below the threshold, 0.6 used, and three days of history that were known within a day',
    interval: '1h',
    given: Object.fromEntries(
      [
        ['a', '4', '0.6', '1'],
        ['equal', '5', '0.6', '1'],
        ['empty', '4', '0.59', '1'],
        ['new', '4', '0.6', '_'],
      ].flatMap(([account = '', days, share, history = '']) => [
        [of(daysToFull, account), `${days}x30`],
        [threshold('HostingDiskFillingUp', 'warning', account), '5x30'],
        [of(used, account), `${share}x30`],
        [of(present, account), history],
      ]),
    ),
    results: { '23h': a(4), '25h': none },
  },
];
