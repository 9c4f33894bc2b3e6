import { diskLimits, gigabyte, limit, quota, usage } from './disk.ts';
import {
  atDay,
  day,
  ended,
  gap,
  hold,
  missing,
  ramp,
  repeat,
  type ScenarioBuilder,
  sequence,
  type TestSuite,
} from './scenario.ts';

/** Figures that swing, disappear or stop growing: one incident causes one notification. */
export function realLife(builder: ScenarioBuilder): TestSuite {
  const full = 'HostingDiskAlmostFull';
  const defaultsOnly = [
    full,
    'HostingDiskFillingUp',
    'HostingDiskFillingUpFast',
    'HostingAccountBlockedSoon',
    'HostingBackupMissing',
    'HostingBackupTooOld',
    'HostingExporterDown',
    'HostingExporterRestarting',
    'HostingAccountMissing',
    'HostingDomainExpired',
  ] as const;
  const used = (account: string) => builder.series(usage, { account });
  const swing = (high: number, low: number, minutes: number) =>
    sequence(
      repeat(minutes / 240, () => sequence(hold(high, 120), hold(low, 120))),
      hold(high, 1),
    );
  const of = (name: string, collector: string, account = 'shop') => builder.series(name, { account, collector });
  const threeDays = 3 * day;
  const fourDays = 4 * day;
  const growthKnown = 3 * day;
  const slowGrowth = (2 * gigabyte) / day;
  const creeping = 104_000;

  return builder.suite('real-life', [
    {
      name: '15 % an hour pages 70 minutes before the disk is full, and ends within ten minutes after the growth stops',
      minutes: 349,
      series: {
        ...diskLimits(builder, 'runaway', 'restore'),
        [of('hosting_exporter_collector_success', 'account', 'runaway')]: 1,
        [of('hosting_exporter_collector_success', 'account', 'restore')]: 1,
        [used('runaway')]: sequence(
          hold(20 * gigabyte, 60),
          ramp(20 * gigabyte, gigabyte / 4, 280),
          hold(89.75 * gigabyte, 10),
        ),
        // Grows by 24 GB in 48 minutes. In 18 of these minutes, the usage is above 75 %.
        [used('restore')]: sequence(
          hold(60 * gigabyte, 200),
          ramp(60 * gigabyte, gigabyte / 2, 49),
          hold(84 * gigabyte, 101),
        ),
      },
      expected: [
        {
          alert: 'HostingDiskFillingUpFast',
          severities: ['critical'],
          since: 280,
          // The usage grows until minute 339. The alert ends after eight minutes without growth (parameter `still`).
          until: 347,
          labels: { account: 'runaway' },
        },
      ],
      mustNotFire: ['HostingDiskFillingUpFast', full],
      defaultsOnly,
    },
    {
      name: 'four days: slow growth pages only when few days are left; figures that swing every two hours notify once',
      minutes: fourDays,
      overDays: true,
      series: {
        ...diskLimits(builder, 'slow', 'near', 'far', 'creeping'),
        // Grows by two percent of the quota a day. Uses 93 % when the growth becomes known, and 94 % when three days are left.
        [used('slow')]: ramp(87 * gigabyte, slowGrowth, fourDays + 1),
        [used('near')]: swing(86 * gigabyte, 84 * gigabyte, fourDays),
        [used('far')]: swing(90 * gigabyte, 70 * gigabyte, fourDays),
        // Full in three months. The description mentions only forecasts of less than 60 days.
        [used('creeping')]: ramp(86 * gigabyte, creeping, fourDays + 1),
      },
      expected: [
        { alert: full, severities: ['warning'], since: 0, labels: { account: 'creeping' } },
        { alert: full, severities: ['warning'], since: 0, labels: { account: 'slow' } },
        { alert: full, severities: ['critical'], since: 3.5 * day + 1, labels: { account: 'slow' } },
        { alert: 'HostingDiskFillingUp', since: growthKnown, labels: { account: 'slow' } },
        ...(['near', 'far'] as const).map((account) => ({
          alert: 'HostingDiskAlmostFull' as const,
          severities: ['warning'] as const,
          since: 0,
          labels: { account },
        })),
      ],
      mustNotFire: ['HostingDiskFillingUpFast'],
      defaultsOnly,
    },
    {
      name: 'three days: a block date that moves by a day notifies once',
      minutes: threeDays,
      overDays: true,
      series: {
        // The provider reports the number of whole days left, alternately 6 and 7.
        [builder.series('hosting_account_block_timestamp_seconds', { account: 'shop' })]: repeat(
          threeDays / 5 + 1,
          (index) => hold(index * 300 + atDay(Math.floor(index / 24) % 2 === 0 ? 6 : 7), 5),
        ),
      },
      expected: [
        { alert: 'HostingAccountBlockedSoon', severities: ['warning'], since: 0, labels: { account: 'shop' } },
      ],
      mustNotFire: ['HostingAccountBlockedSoon'],
      defaultsOnly,
    },
    {
      name: 'the limit is missing for two hours, a plan becomes smaller than the usage, an account moves to a plan without limit',
      minutes: 720,
      overDays: true,
      series: {
        ...Object.fromEntries(
          ['gap', 'smaller', 'endless'].map((account) => [
            of('hosting_exporter_collector_success', 'account', account),
            1,
          ]),
        ),
        [used('gap')]: 88 * gigabyte,
        [builder.series(limit, { account: 'gap' })]: sequence(hold(quota, 60), missing(120), hold(quota, 541)),
        [used('smaller')]: 60 * gigabyte,
        [builder.series(limit, { account: 'smaller' })]: sequence(hold(quota, 60), hold(50 * gigabyte, 661)),
        [used('endless')]: 88 * gigabyte,
        [builder.series(limit, { account: 'endless' })]: sequence(hold(quota, 120), ended),
      },
      expected: [
        { alert: full, severities: ['warning'], since: 0, labels: { account: 'gap' } },
        { alert: full, since: 60, labels: { account: 'smaller' } },
        { alert: full, severities: ['warning'], since: 0, until: 120 + 360, labels: { account: 'endless' } },
      ],
      mustNotFire: [],
      defaultsOnly,
    },
    {
      name: 'the exporter is down for two hours: alerts of its accounts stay, with the thresholds of each account, and no other alert fires afterwards',
      minutes: 480,
      series: {
        [builder.series('up')]: sequence(hold(1, 60), hold(0, 120), hold(1, 301)),
        [builder.series('hosting_up', { account: 'shop' })]: sequence(hold(1, 60), missing(120), hold(1, 301)),
        [builder.series('hosting_up', { account: 'archive' })]: sequence(hold(1, 60), missing(120), hold(1, 301)),
        ...Object.fromEntries(
          ['shop', 'archive'].flatMap((account) => [
            [of('hosting_exporter_collector_success', 'account', account), duringOutage(1)],
            [of('hosting_exporter_collector_interval_seconds', 'account', account), duringOutage(300)],
            [
              of('hosting_exporter_collector_last_success_timestamp_seconds', 'account', account),
              sequence(
                repeat(12, (index) => hold(index * 300, 5)),
                missing(120),
                repeat(60, (index) => hold(10_800 + index * 300, 5)),
                hold(28_800, 1),
              ),
            ],
            [used(account), duringOutage(97 * gigabyte)],
            [builder.series(limit, { account }), duringOutage(quota)],
          ]),
        ),
        ...builder.override('archive', full, 'warning', duringOutage(0.99)),
        ...builder.override('archive', full, 'critical', duringOutage(0.99)),
      },
      expected: [
        { alert: 'HostingExporterDown', since: 60, until: 180, labels: builder.exporter('a') },
        { alert: full, since: 0, labels: { account: 'shop' } },
      ],
      mustNotFire: ['HostingAccountMissing', 'HostingPollFailing'],
      defaultsOnly,
    },
    {
      name: 'an exporter restarts every seven minutes, and another one twice',
      minutes: 180,
      sampleSeconds: 30,
      series: {
        ...builder.up('b'),
        [builder.series('up')]: sequence(
          hold(1, 20),
          repeat(10, () => sequence(hold(0, 5), hold(1, 2))),
          hold(1, 91),
        ),
        [builder.series('process_start_time_seconds')]: sequence(
          hold(0, 20),
          repeat(10, (index) => sequence(missing(5), hold(index + 1, 2))),
          hold(10, 91),
        ),
        [builder.series('process_start_time_seconds', {}, 'b')]: sequence(hold(0, 20), hold(1, 40), hold(2, 121)),
      },
      expected: [
        {
          alert: 'HostingExporterRestarting',
          // The third restart is seen in minute 39, the last restart in minute 88.
          since: 39,
          until: 143,
          labels: builder.exporter('a'),
        },
      ],
      mustNotFire: ['HostingExporterRestarting', 'HostingExporterDown'],
      defaultsOnly,
    },
    {
      name: 'the list of backups is empty for days, or their number is missing: one alert each; the polls of a third account fail: no alert',
      minutes: 6 * day,
      overDays: true,
      series: {
        ...Object.fromEntries(
          ['empty', 'gone', 'failing'].map((account) => [
            of('hosting_exporter_collector_success', 'backups', account),
            account === 'failing' ? sequence(hold(1, 2 * day), hold(0, 4 * day + 1)) : hold(1, 6 * day + 1),
          ]),
        ),
        ...Object.fromEntries(
          (
            [
              ['empty', hold(0, 4 * day + 1)],
              ['gone', ended],
              ['failing', ended],
            ] as const
          ).flatMap(([account, rest]) => [
            [builder.series('hosting_backups', { account, kind: 'files' }), sequence(hold(7, 2 * day), rest)],
          ]),
        ),
      },
      expected: ['empty', 'gone'].map((account) => ({
        alert: 'HostingBackupMissing',
        since: 4 * day + (account === 'gone' ? gap : 0),
        recordLeavesWindow: 'start',
        labels: { account, kind: 'files' },
      })),
      mustNotFire: ['HostingBackupMissing', 'HostingBackupTooOld'],
      defaultsOnly,
    },
    {
      name: 'the domains cannot be polled for hours: the alert of an expired domain stays, that of a domain deleted before does not return',
      minutes: 600,
      overDays: true,
      series: {
        [of('hosting_exporter_collector_success', 'domains')]: sequence(hold(1, 240), hold(0, 361)),
        [of('hosting_exporter_collector_interval_seconds', 'domains')]: 21_600,
        [of('hosting_exporter_collector_last_success_timestamp_seconds', 'domains')]: 0,
        [builder.series('hosting_domain_expiry_timestamp_seconds', { account: 'shop', domain: 'kept.example' })]:
          sequence(hold(atDay(-2), 300), ended),
        [builder.series('hosting_domain_expiry_timestamp_seconds', { account: 'shop', domain: 'deleted.example' })]:
          sequence(hold(atDay(-2), 120), ended),
      },
      expected: [
        { alert: 'HostingDomainExpired', since: 0, labels: { account: 'shop', domain: 'kept.example' } },
        {
          alert: 'HostingDomainExpired',
          since: 0,
          until: 120 + gap,
          labels: { account: 'shop', domain: 'deleted.example' },
        },
      ],
      mustNotFire: [],
      defaultsOnly,
    },
  ]);
}

/** A value over eight hours, which is missing from minute 60 to minute 180. */
function duringOutage(value: number): string {
  return sequence(hold(value, 60), missing(120), hold(value, 301));
}
