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
  slowGap,
  type TestSuite,
} from '../../../src/rules/scenarios/scenario.ts';

const usage = 'hosting_account_disk_usage_bytes';
const limit = 'hosting_account_disk_limit_bytes';
const gigabyte = 1e9;
const quota = 100 * gigabyte;

/** The quota series of these accounts. */
function diskLimits(builder: ScenarioBuilder, ...accounts: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(accounts.map((account) => [builder.series(limit, { account }), quota]));
}

/**
 * Figures that swing, disappear or stop growing: one incident causes one notification. The scenarios hold with default settings
 * only, so they are not part of the bundle.
 */
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
        { alert: full, severities: ['warning'], since: 0, labels: { account: 'near' } },
        // From twelve hours on, each peak is the same as one of half a day before.
        { alert: full, severities: ['warning'], since: 0, until: 600, labels: { account: 'far' } },
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
        { alert: full, severities: ['warning'], since: 0, until: 112 + 360 + slowGap, labels: { account: 'endless' } },
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
            [used(account), duringOutage(98.5 * gigabyte)],
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
      name: 'the domains cannot be polled for hours: the alert of an expired domain stays, that of a domain deleted before ends after six hours',
      minutes: 840,
      overDays: true,
      series: {
        [of('hosting_exporter_collector_success', 'domains')]: sequence(hold(1, 540), hold(0, 301)),
        [of('hosting_exporter_collector_interval_seconds', 'domains')]: 21_600,
        [of('hosting_exporter_collector_last_success_timestamp_seconds', 'domains')]: 0,
        [builder.series('hosting_domain_expiry_timestamp_seconds', { account: 'shop', domain: 'kept.example' })]:
          sequence(hold(atDay(-2), 600), ended),
        [builder.series('hosting_domain_expiry_timestamp_seconds', { account: 'shop', domain: 'deleted.example' })]:
          sequence(hold(atDay(-2), 64), ended),
      },
      expected: [
        {
          alert: 'HostingDomainExpired',
          severities: ['critical'],
          since: 0,
          labels: { account: 'shop', domain: 'kept.example' },
        },
        {
          alert: 'HostingDomainExpired',
          severities: ['critical'],
          since: 0,
          until: 56 + 360 + slowGap,
          labels: { account: 'shop', domain: 'deleted.example' },
        },
      ],
      mustNotFire: [],
      defaultsOnly,
    },
    {
      name: 'a new pod of a shard never answers: critical for the new address; another new pod answers after four minutes: no alert',
      minutes: 90,
      series: {
        [builder.series('up')]: sequence(hold(1, 30), ended),
        [builder.series('up', {}, 'new')]: sequence(missing(30), hold(0, 61)),
        [builder.series('hosting_up', { account: 'shop' })]: sequence(hold(1, 30), ended),
        [builder.series('up', {}, 'b')]: sequence(hold(1, 50), ended),
        [builder.series('up', {}, 'quick')]: sequence(missing(50), hold(0, 4), hold(1, 37)),
        [builder.series('hosting_up', { account: 'blog' }, 'b')]: sequence(hold(1, 50), ended),
        [builder.series('hosting_up', { account: 'blog' }, 'quick')]: sequence(missing(54), hold(1, 37)),
      },
      expected: [
        { alert: 'HostingExporterDown', severities: ['critical'], since: 34, labels: builder.exporter('new') },
        { alert: 'HostingExporterDown', severities: ['warning'], since: 30, labels: builder.exporter('new') },
      ],
      mustNotFire: ['HostingAccountMissing', 'HostingExporterDown'],
      defaultsOnly,
    },
    {
      name: '10 TB at 99 %, full in 50 days: the page of the first days ends; a new account with a stable 97 % never pages',
      minutes: 5 * day,
      overDays: true,
      series: {
        [used('large')]: ramp(9900 * gigabyte, slowGrowth, 5 * day + 1),
        [builder.series(limit, { account: 'large' })]: 10_000 * gigabyte,
        ...diskLimits(builder, 'stable'),
        [used('stable')]: 97 * gigabyte,
      },
      expected: [
        { alert: full, severities: ['critical'], since: 0, until: growthKnown, labels: { account: 'large' } },
        { alert: full, severities: ['warning'], since: 0, labels: { account: 'large' } },
        { alert: full, severities: ['warning'], since: 0, labels: { account: 'stable' } },
      ],
      mustNotFire: [full, 'HostingDiskFillingUp'],
      defaultsOnly,
    },
    {
      name: 'a stable 98.5 %: the page of the first days ends, and gaps in the history of 7 and of 32 hours do not page again',
      minutes: 8 * day,
      overDays: true,
      series: Object.fromEntries(
        ([7, 32] as const).flatMap((hours) => {
          const values = (value: number) =>
            sequence(hold(value, 5 * day), missing(hours * 60), hold(value, 3 * day + 1 - hours * 60));
          const account = `gap${hours}`;
          return [
            [used(account), values(98.5 * gigabyte)],
            [builder.series(limit, { account }), values(quota)],
            // The scenario is about pages.
            ...Object.entries(builder.override(account, full, 'warning', 0.99)),
          ];
        }),
      ),
      expected: [
        { alert: full, severities: ['critical'], since: 0, until: growthKnown, labels: { account: 'gap7' } },
        { alert: full, severities: ['critical'], since: 0, until: growthKnown, labels: { account: 'gap32' } },
      ],
      mustNotFire: [full],
      defaultsOnly,
    },
    {
      name: 'a disk grows for five days and then stays: the forecast ends when the usage has not grown for a day',
      minutes: 7 * day,
      overDays: true,
      series: {
        ...diskLimits(builder, 'stopped'),
        [used('stopped')]: sequence(
          ramp(65 * gigabyte, (3 * gigabyte) / day, 5 * day),
          hold(80 * gigabyte, 2 * day + 1),
        ),
      },
      expected: [{ alert: 'HostingDiskFillingUp', since: growthKnown, until: 6 * day, labels: { account: 'stopped' } }],
      mustNotFire: [full, 'HostingDiskFillingUpFast'],
      defaultsOnly,
    },
    {
      name: 'an account is removed, another one renamed, while all exporters are up: their alerts end after an hour, and one of the new name fires',
      minutes: 720,
      overDays: true,
      series: Object.fromEntries(
        [
          ['removed', (value: number, step = 0) => sequence(ramp(value, step, 120), ended)] as const,
          ['before', (value: number, step = 0) => sequence(ramp(value, step, 120), ended)] as const,
          ['after', (value: number, step = 0) => sequence(missing(120), ramp(value, step, 601))] as const,
        ].flatMap(([account, values]) => [
          [builder.series('hosting_up', { account }), values(1)],
          [of('hosting_exporter_collector_success', 'account', account), values(1)],
          [of('hosting_exporter_collector_interval_seconds', 'account', account), values(300)],
          [
            of('hosting_exporter_collector_last_success_timestamp_seconds', 'account', account),
            values(account === 'after' ? 7200 : 0, 60),
          ],
          [used(account), values(90 * gigabyte)],
          [builder.series(limit, { account }), values(quota)],
        ]),
      ),
      expected: [
        ...['removed', 'before'].flatMap((account) => [
          { alert: full, severities: ['warning' as const], since: 0, until: 180, labels: { account } } as const,
          { alert: 'HostingAccountMissing', since: 120, labels: { account } } as const,
        ]),
        { alert: full, severities: ['warning'], since: 120, labels: { account: 'after' } },
      ],
      mustNotFire: [full],
      defaultsOnly,
    },
    {
      name: 'the only cron task is off for three hours: no alert; three of four cron tasks are: one alert',
      minutes: 480,
      series: {
        [builder.series('hosting_cron_tasks', { account: 'one', state: 'enabled' })]: sequence(
          hold(1, 120),
          hold(0, 180),
          hold(1, 181),
        ),
        [builder.series('hosting_cron_tasks', { account: 'four', state: 'enabled' })]: sequence(
          hold(4, 120),
          hold(1, 361),
        ),
      },
      expected: [{ alert: 'HostingInventoryCollapsed', since: 120, labels: { account: 'four', kind: 'cron_tasks' } }],
      mustNotFire: ['HostingInventoryCollapsed'],
      defaultsOnly: ['HostingInventoryCollapsed'],
    },
    {
      name: 'ten days after the suspension, and an account that is suspended tomorrow',
      minutes: 120,
      series: {
        [builder.series('hosting_account_block_timestamp_seconds', { account: 'blocked' })]: atDay(-10),
        [builder.series('hosting_account_block_timestamp_seconds', { account: 'tomorrow' })]: atDay(0.7),
      },
      expected: [
        { alert: 'HostingAccountBlockedToday', since: 0, labels: { account: 'blocked' } },
        { alert: 'HostingAccountBlockedSoon', since: 0, labels: { account: 'blocked' } },
        { alert: 'HostingAccountBlockedSoon', since: 0, labels: { account: 'tomorrow' } },
      ],
      mustNotFire: ['HostingAccountBlockedToday'],
      defaultsOnly,
    },
    {
      name: 'mailboxes start to forward while the polls fail for a day: one alert; others forward before and after it: no alert',
      minutes: 4 * day,
      overDays: true,
      series: {
        [of('hosting_exporter_collector_success', 'mailboxes')]: sequence(
          hold(1, 1.5 * day),
          hold(0, 1.25 * day),
          hold(1, 1.25 * day + 1),
        ),
        ...Object.fromEntries(
          (
            [
              ['started.example', 0],
              ['always.example', 2],
            ] as const
          ).map(([domain, before]) => [
            builder.series('hosting_mailboxes_forwarding', { account: 'shop', domain }),
            sequence(hold(before, 1.5 * day), missing(1.25 * day), hold(2, 1.25 * day + 1)),
          ]),
        ),
      },
      expected: [
        {
          alert: 'HostingMailForwardingStarted',
          since: 2.75 * day,
          until: 3.75 * day,
          labels: { account: 'shop', domain: 'started.example' },
        },
      ],
      mustNotFire: ['HostingMailForwardingStarted'],
      defaultsOnly: ['HostingMailForwardingStarted'],
    },
  ]);
}

/** A value over eight hours, which is missing from minute 60 to minute 180. */
function duringOutage(value: number): string {
  return sequence(hold(value, 60), missing(120), hold(value, 301));
}
