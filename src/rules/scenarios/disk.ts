import {
  day,
  ended,
  hold,
  missing,
  ramp,
  repeat,
  type ScenarioBuilder,
  sequence,
  slowGap,
  type TestSuite,
} from './scenario.ts';

const usage = 'hosting_account_disk_usage_bytes';
const limit = 'hosting_account_disk_limit_bytes';
const size = 'hosting_database_size_bytes';

const gigabyte = 1_000_000_000;
const quota = 100 * gigabyte;

function diskLimits(builder: ScenarioBuilder, ...accounts: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(accounts.map((account) => [builder.series(limit, { account }), quota]));
}

/** Almost full disks and fast-growing databases, and cases just below the thresholds. */
export function disk(builder: ScenarioBuilder): TestSuite {
  const alert = 'HostingDiskAlmostFull';
  const warning = builder.threshold(alert, 'warning', 0.85);
  const critical = builder.threshold(alert, 'critical', 0.95);
  const wait = Math.max(builder.forMinutes(alert, 'warning'), builder.forMinutes(alert, 'critical'));
  const between = round((warning + critical) / 2);
  // An account without history fires the critical alert from 98 %.
  const above = round((critical + 4) / 5);
  const below = round(warning * 0.98);
  const grown = builder.threshold('HostingDatabaseGrewFast', 'info', 1.5);
  const floor = builder.parameter('HostingDatabaseGrewFast', 'floor', 100_000_000);
  const full = (account: string, ratio: number, instance = 'a') => ({
    [builder.series(usage, { account }, instance)]: Math.round(ratio * quota),
    [builder.series(limit, { account }, instance)]: quota,
  });

  const off = sequence(hold(Number.POSITIVE_INFINITY, wait + 30), missing(4), hold(Number.POSITIVE_INFINITY, 87));

  return builder.suite('disk', [
    {
      name: 'almost full, reported by an HA pair: one alert per severity, which a gap between scrapes does not end',
      minutes: wait + 90,
      series: {
        ...builder.up('b'),
        ...full('shop', between),
        ...full('shop', between, 'b'),
        [builder.series(usage, { account: 'mail' })]: sequence(
          hold(Math.round(above * quota), wait + 20),
          missing(12),
          hold(Math.round(above * quota), 59),
        ),
        [builder.series(limit, { account: 'mail' })]: quota,
        [builder.series('hosting_exporter_collector_last_success_timestamp_seconds', {
          account: 'mail',
          collector: 'account',
        })]: repeat(Math.ceil((wait + 91) / 5), (index) => hold(index * 300, 5)),
      },
      expected: [
        { alert, severities: ['warning'], since: 0, labels: { account: 'shop' } },
        { alert, since: 0, labels: { account: 'mail' } },
      ],
      mustNotFire: ['HostingDiskFillingUp', 'HostingDiskFillingUpFast'],
      defaultsOnly: [alert],
    },
    {
      name: 'almost full, with both severities',
      minutes: wait + 30,
      series: { ...full('shop', between), ...full('mail', above) },
      expected: [
        { alert, severities: ['warning'], since: 0, labels: { account: 'shop' } },
        { alert, since: 0, labels: { account: 'mail' }, value: above },
      ],
      mustNotFire: [],
    },
    {
      name: 'below the threshold, above it too briefly, without a limit, and with a limit of 0: no alert',
      minutes: wait + 120,
      series: {
        ...full('shop', below),
        [builder.series(usage, { account: 'peak' })]: sequence(
          hold(Math.round(below * quota), 20),
          hold(Math.round(between * quota), Math.max(1, builder.forMinutes(alert, 'warning'))),
          hold(Math.round(below * quota), wait + 101),
        ),
        [builder.series(limit, { account: 'peak' })]: quota,
        [builder.series(usage, { account: 'endless' })]: quota,
        [builder.series(usage, { account: 'zero' })]: quota,
        [builder.series(limit, { account: 'zero' })]: 0,
      },
      expected: [],
      mustNotFire: [alert],
    },
    {
      name: 'accounts override the threshold: higher, off, lower, and one severity only; an HA pair exports the overrides',
      minutes: wait + 60,
      series: {
        ...builder.up('b'),
        ...full('default', between),
        ...full('later', between),
        ...builder.override('later', alert, 'warning', round(between + 0.001)),
        ...builder.override('later', alert, 'critical', 0.999),
        ...full('never', above),
        ...builder.override('never', alert, 'warning', Number.POSITIVE_INFINITY),
        ...builder.override('never', alert, 'critical', Number.POSITIVE_INFINITY),
        ...full('earlier', below),
        ...full('earlier', below, 'b'),
        ...builder.override('earlier', alert, 'warning', round(below - 0.1)),
        ...builder.override('earlier', alert, 'warning', round(below - 0.1), 'b'),
        // The warning is off. The critical threshold is the default.
        ...full('half', above, 'b'),
        ...builder.override('half', alert, 'warning', Number.POSITIVE_INFINITY, 'b'),
        // An override of another alert has no effect.
        ...full('other', between),
        ...builder.override('other', 'HostingPlanLoadHigh', 'warning', Number.POSITIVE_INFINITY),
      },
      expected: [
        { alert, severities: ['warning'], since: 0, labels: { account: 'default' } },
        { alert, severities: ['warning'], since: 0, labels: { account: 'earlier' } },
        { alert, severities: ['critical'], since: 0, labels: { account: 'half' } },
        { alert, severities: ['warning'], since: 0, labels: { account: 'other' } },
      ],
      mustNotFire: [],
      defaultsOnly: [alert],
    },
    {
      name: 'an exporter with overrides restarts: the default threshold does not apply in between',
      minutes: wait + 120,
      series: {
        [builder.series(usage, { account: 'never' })]: sequence(
          hold(Math.round(above * quota), wait + 30),
          missing(4),
          hold(Math.round(above * quota), 87),
        ),
        [builder.series(limit, { account: 'never' })]: quota,
        ...builder.override('never', alert, 'warning', off),
        ...builder.override('never', alert, 'critical', off),
      },
      expected: [],
      mustNotFire: [alert],
    },
    {
      name: 'a database suddenly doubles: one alert; others are restored, new, small or grow slowly: no alert',
      minutes: 3 * day,
      overDays: true,
      series: {
        [builder.series(size, { account: 'shop', database: 'shop_log' })]: sequence(
          hold(2 * floor, 2 * day),
          hold(Math.round(2 * floor * (grown + 0.5)), day + 1),
        ),
        [builder.series(size, { account: 'shop', database: 'shop_restored' })]: sequence(
          hold(3 * floor, day + 600),
          hold(1, 180),
          hold(3 * floor, 2 * day - 779),
        ),
        [builder.series(size, { account: 'shop', database: 'shop_new' })]: sequence(
          missing(600),
          ramp(1, Math.round(floor / 60), 240),
          hold(4 * floor, 3 * day - 839),
        ),
        [builder.series(size, { account: 'shop', database: 'shop_small' })]: sequence(
          hold(Math.round(floor / 10), 2 * day),
          hold(Math.round(floor / 2), day + 1),
        ),
        [builder.series(size, { account: 'shop', database: 'shop_slow' })]: ramp(
          4 * floor,
          Math.round(floor / day),
          3 * day + 1,
        ),
      },
      expected: [
        {
          alert: 'HostingDatabaseGrewFast',
          since: 2 * day,
          until: 3 * day,
          // A day after the growth, the comparison window contains the new size.
          labels: { account: 'shop', database: 'shop_log' },
        },
      ],
      mustNotFire: ['HostingDatabaseGrewFast'],
      defaultsOnly: ['HostingDatabaseGrewFast'],
    },
  ]);
}

/** Forecasts for real growth, and for patterns of usage that cause false alerts in other alert bundles. */
export function diskForecasts(builder: ScenarioBuilder): TestSuite {
  const used = (account: string, instance = 'a') => builder.series(usage, { account }, instance);
  const night = sequence(hold(62 * gigabyte, 1260), ramp(62 * gigabyte, gigabyte / 10, 180));
  const defaultsOnly = ['HostingDiskFillingUp', 'HostingDiskFillingUpFast', 'HostingDiskAlmostFull'] as const;
  const end = 8.5 * day;

  return builder.suite('disk-forecasts', [
    {
      name: '2.4 GB per hour from 71.5 GB fires nine hours before the disk is full; uploads and a clean-up never fire',
      minutes: 900,
      series: {
        ...diskLimits(builder, 'runaway', 'upload18', 'upload23', 'first', 'twice', 'cleaned'),
        [used('runaway')]: sequence(hold(71.5 * gigabyte, 600), ramp(71.5 * gigabyte, 40_000_000, 301)),
        [used('upload18')]: sequence(hold(62 * gigabyte, 600), hold(80 * gigabyte, 301)),
        [used('upload23')]: sequence(hold(62 * gigabyte, 600), hold(84.9 * gigabyte, 301)),
        [used('first')]: sequence(ramp(gigabyte, gigabyte / 2, 140), hold(71 * gigabyte, 761)),
        [used('twice')]: sequence(hold(60 * gigabyte, 600), hold(76 * gigabyte, 120), hold(84 * gigabyte, 181)),
        [used('cleaned')]: sequence(
          hold(82 * gigabyte, 600),
          hold(55 * gigabyte, 60),
          ramp(55 * gigabyte, 100_000_000, 241),
        ),
      },
      expected: [
        {
          alert: 'HostingDiskFillingUpFast',
          severities: ['critical'],
          // With 71.5 GB, Prometheus 2 and 3 agree. With 70 GB, the versions would differ by a minute, because only windows of Prometheus 2
          // include a sample at their start.
          since: 730,
          labels: { account: 'runaway' },
        },
      ],
      mustNotFire: ['HostingDiskFillingUpFast', 'HostingDiskAlmostFull'],
      defaultsOnly,
    },
    {
      name: 'eight days with uploads, nightly backups, a new account, weekly clean-ups and real growth',
      minutes: end,
      overDays: true,
      series: {
        ...builder.up('b'),
        ...diskLimits(builder, 'upload18', 'upload23', 'nightly', 'new', 'weekly', 'cleaned', 'slow', 'young'),
        // No alert fires for the accounts upload18, upload23, new and cleaned.
        [used('upload18')]: sequence(hold(62 * gigabyte, 96 * 60), hold(80 * gigabyte, end + 1 - 96 * 60)),
        [used('upload23')]: sequence(hold(62 * gigabyte, 96 * 60), hold(84.9 * gigabyte, end + 1 - 96 * 60)),
        [used('new')]: sequence(ramp(gigabyte, gigabyte / 2, 140), hold(71 * gigabyte, end - 139)),
        [used('cleaned')]: sequence(hold(82 * gigabyte, 80 * 60), hold(55 * gigabyte, end + 1 - 80 * 60)),
        // Rises from 62 GB to 80 GB in the last three hours of each day. HostingDiskFillingUpFast fires for 20 minutes, on the first
        // day only.
        [used('nightly')]: sequence(
          repeat(8, () => night),
          hold(62 * gigabyte, day / 2 + 1),
        ),
        // Grows by 2 GB per day and shrinks once a week. No alert fires, because the rules use the mean growth of the week.
        [used('weekly')]: sequence(
          ramp(68 * gigabyte, 1_400_000, day),
          ramp(60 * gigabyte, 1_400_000, 7 * day),
          hold(60 * gigabyte, day / 2 + 1),
        ),
        // Grows by 2.88 GB per day from 60 GB. After 60 hours the account moves to another exporter.
        [used('growing')]: sequence(ramp(60 * gigabyte, 2_000_000, 3600), ended),
        [builder.series(limit, { account: 'growing' })]: sequence(hold(quota, 3600), ended),
        // The last sample is at minute 4801, between two evaluations, so that no window starts exactly at this sample.
        // Prometheus 2 would include such a sample, and Prometheus 3 would not.
        [used('growing', 'b')]: sequence(missing(3601), ramp(67_202_000_000, 2_000_000, 20 * 60 + 1), ended),
        [builder.series(limit, { account: 'growing' }, 'b')]: sequence(missing(3601), hold(quota, 20 * 60 + 1), ended),
        // Grows by 6.8 GB per day. At the end, the disk is six days from full, but its usage is below the minimum of 60 GB.
        [used('young')]: ramp(gigabyte, 4_722_222, end + 1),
        // Grows by 0.4 GB per day, so the disk is full in three months.
        [used('slow')]: ramp(62 * gigabyte, 277_778, end + 1),
      },
      expected: [
        {
          alert: 'HostingDiskFillingUpFast',
          severities: ['critical'],
          since: 1260 + 130,
          until: 1440,
          labels: { account: 'nightly' },
        },
        {
          alert: 'HostingDiskFillingUp',
          since: 72 * 60,
          // No exporter reports the account after minute 4801. Rules use its last disk figures for six hours.
          until: 4802 + 360 + slowGap,
          labels: { account: 'growing' },
        },
      ],
      mustNotFire: ['HostingDiskFillingUp'],
      defaultsOnly,
    },
  ]);
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}
