import {
  atDay,
  ended,
  gap,
  hold,
  missing,
  repeat,
  type ScenarioBuilder,
  sequence,
  type TestSuite,
} from './scenario.ts';

const up = 'hosting_up';
const lastSuccess = 'hosting_exporter_collector_last_success_timestamp_seconds';
const interval = 'hosting_exporter_collector_interval_seconds';
const success = 'hosting_exporter_collector_success';
const failing = 'hosting_exporter_collector_failing';

/** Freshness, permissions and dropped series of collectors. */
export function collectors(builder: ScenarioBuilder): TestSuite {
  const staleWait = builder.forMinutes('HostingPollFailing', 'warning');
  const intervals = builder.threshold('HostingPollFailing', 'warning', 3);
  const droppedWait = builder.forMinutes('HostingSeriesDropped', 'warning');
  const thirtyHours = 30 * 60;
  const permissionWait = builder.forMinutes('HostingPermissionMissing', 'info');
  const of = (name: string, account: string, collector: string, instance = 'a') =>
    builder.series(name, { account, collector }, instance);
  const refused = (account: string, collector: string) =>
    builder.series(failing, { account, collector, reason: 'permission' });
  const minutes = Math.ceil(60 * intervals) + staleWait + 60;

  return builder.suite('collectors', [
    {
      name: 'collectors fail for hours: each alert fires after three intervals of its collector, and a restart does not reset it',
      minutes,
      series: {
        [builder.series(up, { account: 'shop' })]: 1,
        [of(interval, 'shop', 'account')]: 300,
        [of(lastSuccess, 'shop', 'account')]: sequence(hold(0, 60), ended),
        [of(interval, 'shop', 'site_load')]: 3600,
        [of(lastSuccess, 'shop', 'site_load')]: 0,
        [builder.series(failing, { account: 'shop', collector: 'account', reason: 'payload' })]: 1,
        [builder.series(failing, { account: 'shop', collector: 'site_load', reason: 'method' })]: 1,
      },
      expected: [
        {
          alert: 'HostingPollFailing',
          since: Math.ceil(5 * intervals),
          labels: { account: 'shop', collector: 'account' },
        },
        {
          alert: 'HostingPollFailing',
          since: Math.ceil(60 * intervals),
          labels: { account: 'shop', collector: 'site_load' },
        },
      ],
      mustNotFire: [],
    },
    {
      name: 'a collector has never succeeded in an exporter that restarts every 15 minutes',
      minutes: 120,
      series: {
        [of(interval, 'shop', 'account')]: sequence(
          repeat(8, () => sequence(hold(300, 12), missing(3))),
          hold(300, 1),
        ),
        [of(success, 'shop', 'account')]: 0,
      },
      expected: [{ alert: 'HostingPollFailing', since: 15, labels: { account: 'shop', collector: 'account' } }],
      mustNotFire: [],
      defaultsOnly: ['HostingPollFailing'],
    },
    {
      name: 'accounts override the number of intervals for all their collectors: a higher number, and off',
      minutes: 120,
      series: {
        ...Object.fromEntries(
          ['patient', 'never'].flatMap((account) =>
            ['account', 'databases'].flatMap((collector) => [
              [of(interval, account, collector), 300],
              [of(lastSuccess, account, collector), 0],
            ]),
          ),
        ),
        ...builder.override('patient', 'HostingPollFailing', 'warning', 12),
        ...builder.override('never', 'HostingPollFailing', 'warning', Number.POSITIVE_INFINITY),
      },
      expected: ['account', 'databases'].map((collector) => ({
        alert: 'HostingPollFailing',
        since: 60,
        labels: { account: 'patient', collector },
      })),
      mustNotFire: [],
      defaultsOnly: ['HostingPollFailing'],
    },
    {
      name: 'a collector has never succeeded',
      minutes: Math.ceil(5 * intervals) + staleWait + 30,
      series: {
        [of(interval, 'shop', 'account')]: sequence(missing(10), hold(300, Math.ceil(5 * intervals) + staleWait + 21)),
        [of(success, 'shop', 'account')]: sequence(missing(10), hold(0, Math.ceil(5 * intervals) + staleWait + 21)),
      },
      expected: [
        {
          alert: 'HostingPollFailing',
          since: 10 + Math.ceil(5 * intervals),
          labels: { account: 'shop', collector: 'account' },
        },
      ],
      mustNotFire: [],
    },
    {
      name: 'two of three polls fail, a new exporter starts, one of an HA pair fails, an account is removed: no alert',
      minutes: 240,
      series: {
        ...builder.up('b'),
        // Every third poll succeeds.
        [of(interval, 'shop', 'account')]: 300,
        [of(lastSuccess, 'shop', 'account')]: repeat(17, (index) => hold(index * 15 * 60 + 60, 15)),
        [of(interval, 'shop', 'site_load')]: 3600,
        [of(lastSuccess, 'shop', 'site_load')]: sequence(hold(0, 60), hold(3600, 181)),
        // Exporter a never reaches the provider. Exporter b reaches the provider.
        [of(interval, 'pair', 'account')]: 300,
        [of(success, 'pair', 'account')]: 0,
        [of(interval, 'pair', 'account', 'b')]: 300,
        [of(success, 'pair', 'account', 'b')]: 1,
        [of(lastSuccess, 'pair', 'account', 'b')]: repeat(49, (index) => hold(index * 300, 5)),
        [of(interval, 'gone', 'account')]: sequence(hold(300, 30), ended),
        [of(lastSuccess, 'gone', 'account')]: sequence(hold(1200, 30), ended),
      },
      expected: [],
      mustNotFire: ['HostingPollFailing'],
      defaultsOnly: ['HostingPollFailing'],
    },
    {
      name: 'an account loses the permission for databases: a warning, no alert about stale data',
      minutes: permissionWait + 120,
      series: {
        [of(interval, 'shop', 'databases')]: 900,
        [of(success, 'shop', 'databases')]: sequence(hold(1, 10), hold(0, permissionWait + 90), hold(1, 21)),
        [of(lastSuccess, 'shop', 'databases')]: sequence(hold(0, permissionWait + 100), hold(atDay(1), 21)),
        [refused('shop', 'databases')]: sequence(missing(10), hold(1, permissionWait + 90), ended),
      },
      expected: [
        {
          alert: 'HostingPermissionMissing',
          severities: ['warning'],
          since: 10,
          until: permissionWait + 100,
          labels: { account: 'shop', collector: 'databases' },
        },
      ],
      mustNotFire: ['HostingPollFailing'],
      defaultsOnly: ['HostingPollFailing', 'HostingPermissionMissing'],
    },
    {
      name: 'an account never had the permission for databases',
      minutes: permissionWait + 240,
      series: {
        [of(interval, 'shop', 'databases')]: sequence(missing(10), hold(900, permissionWait + 231)),
        [of(success, 'shop', 'databases')]: sequence(missing(10), hold(0, permissionWait + 231)),
        [refused('shop', 'databases')]: sequence(missing(10), hold(1, permissionWait + 231)),
      },
      expected: [
        {
          alert: 'HostingPermissionMissing',
          severities: ['info'],
          since: 10,
          labels: { account: 'shop', collector: 'databases' },
        },
      ],
      mustNotFire: ['HostingPollFailing'],
      defaultsOnly: ['HostingPollFailing', 'HostingPermissionMissing'],
    },
    {
      name: 'an account loses the permission for the section account: a warning, and the alert about its disk stays for a day',
      minutes: thirtyHours,
      overDays: true,
      series: {
        [builder.series(up, { account: 'shop' })]: 1,
        [of(interval, 'shop', 'account')]: 300,
        [of(success, 'shop', 'account')]: sequence(hold(1, 120), hold(0, thirtyHours - 119)),
        [of(lastSuccess, 'shop', 'account')]: sequence(
          repeat(24, (index) => hold(index * 300, 5)),
          hold(6900, thirtyHours - 119),
        ),
        [refused('shop', 'account')]: sequence(missing(120), hold(1, thirtyHours - 119)),
        // The disk figures expire after three intervals and ten minutes.
        [builder.series('hosting_account_disk_usage_bytes', { account: 'shop' })]: sequence(hold(90e9, 140), ended),
        [builder.series('hosting_account_disk_limit_bytes', { account: 'shop' })]: sequence(hold(100e9, 140), ended),
      },
      expected: [
        {
          alert: 'HostingPermissionMissing',
          severities: ['warning'],
          since: 120,
          labels: { account: 'shop', collector: 'account' },
        },
        {
          alert: 'HostingDiskAlmostFull',
          severities: ['warning'],
          since: 0,
          // The last successful poll is in minute 115, and its figures are used for a day.
          until: 115 + 1440 + gap,
          labels: { account: 'shop' },
        },
      ],
      mustNotFire: ['HostingPollFailing'],
      defaultsOnly: ['HostingPermissionMissing', 'HostingDiskAlmostFull'],
    },
    {
      name: 'a method is refused once, and the next poll succeeds: no alert',
      minutes: 120,
      series: {
        [of(success, 'shop', 'databases')]: sequence(hold(1, 10), hold(0, Math.max(1, permissionWait)), hold(1, 100)),
        [refused('shop', 'databases')]: sequence(missing(10), hold(1, Math.max(1, permissionWait)), ended),
      },
      expected: [],
      mustNotFire: ['HostingPermissionMissing'],
    },
    {
      name: 'a collector drops series permanently: one alert; another one drops series only briefly: no alert',
      minutes: droppedWait + 60,
      series: {
        [of('hosting_exporter_collector_series_dropped', 'shop', 'site_load')]: sequence(
          missing(10),
          hold(250, droppedWait + 30),
          ended,
        ),
        [of('hosting_exporter_collector_series_dropped', 'shop', 'domains')]: sequence(
          missing(10),
          hold(9, Math.max(1, droppedWait - gap)),
          ended,
        ),
      },
      expected: [
        {
          alert: 'HostingSeriesDropped',
          since: 10,
          until: 40 + droppedWait + gap,
          labels: { account: 'shop', collector: 'site_load' },
        },
      ],
      mustNotFire: ['HostingSeriesDropped'],
    },
  ]);
}
