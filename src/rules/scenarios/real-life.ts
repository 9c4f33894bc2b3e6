import { atDay, ended, gap, hold, missing, ramp, type ScenarioBuilder, sequence, type TestSuite } from './scenario.ts';

const usage = 'hosting_account_disk_usage_bytes';
const limit = 'hosting_account_disk_limit_bytes';
const gigabyte = 1_000_000_000;
const quota = 100 * gigabyte;
const day = 1440;

/** Figures that swing, disappear or stop growing: one incident is one notification. */
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
  const quotas = (minutes: number, ...accounts: string[]) =>
    Object.fromEntries(accounts.map((account) => [builder.series(limit, { account }), hold(quota, minutes + 1)]));
  const swing = (high: number, low: number, minutes: number) =>
    sequence(...Array.from({ length: minutes / 240 }, () => sequence(hold(high, 120), hold(low, 120))), hold(high, 1));
  const of = (name: string, collector: string, account = 'shop') => builder.series(name, { account, collector });
  const threeDays = 3 * day;
  const fourDays = 4 * day;
  const growthKnown = 3 * day;
  const slowGrowth = (2 * gigabyte) / day;
  const creeping = 104_000;
  const slowRest = (minute: number) => 13 * gigabyte - slowGrowth * minute;
  const slowDays = (minute: number) => slowRest(minute) / slowGrowth / day;

  return {
    name: 'real-life',
    scenarios: [
      {
        name: '15 % an hour pages 70 minutes before the disk is full, and ends within ten minutes after the growth stops',
        minutes: 349,
        series: {
          ...builder.up(349),
          ...quotas(349, 'runaway', 'restore'),
          [of('hosting_exporter_collector_success', 'account', 'runaway')]: hold(1, 350),
          [of('hosting_exporter_collector_success', 'account', 'restore')]: hold(1, 350),
          [used('runaway')]: sequence(
            hold(20 * gigabyte, 60),
            ramp(20 * gigabyte, gigabyte / 4, 280),
            hold(89.75 * gigabyte, 10),
          ),
          // 24 GB in 48 minutes, above 75 % for 28 of them.
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
            until: 347,
            labels: { account: 'runaway' },
            // At the end, the last half hour contains seven minutes without growth.
            value: (minute) => (minute > 339 ? 3000 : Math.round(((380 - minute) * 60) / 600) * 600),
            queryResults: (minute) => ({
              diskUsed: Math.min(0.8975, (minute * 0.25 + 5) / 100),
              diskFree: Math.max(10.25, 95 - minute * 0.25) * gigabyte,
            }),
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
          ...builder.up(fourDays),
          ...quotas(fourDays, 'slow', 'near', 'far', 'creeping'),
          // Two percent a day: 93 % when the growth becomes known, 94 % when three days are left.
          [used('slow')]: ramp(quota - slowRest(0), slowGrowth, fourDays + 1),
          [used('near')]: swing(86 * gigabyte, 84 * gigabyte, fourDays),
          [used('far')]: swing(90 * gigabyte, 70 * gigabyte, fourDays),
          // Full in three months, which is too far away to be mentioned.
          [used('creeping')]: ramp(86 * gigabyte, creeping, fourDays + 1),
        },
        expected: [
          {
            alert: full,
            severities: ['warning'],
            since: 0,
            labels: { account: 'creeping' },
            value: (minute) => (86 * gigabyte + creeping * minute) / quota,
            queryResults: (minute) => ({
              diskFree: 14 * gigabyte - creeping * minute,
              diskGrowthUnknown: minute < growthKnown ? 1 : undefined,
            }),
          },
          {
            alert: full,
            severities: ['warning'],
            since: 0,
            labels: { account: 'slow' },
            value: (minute) => 1 - slowRest(minute) / quota,
            queryResults: (minute) => ({
              diskFree: slowRest(minute),
              diskDaysToFull: minute < growthKnown ? undefined : slowDays(minute),
              diskGrowthUnknown: minute < growthKnown ? 1 : undefined,
            }),
          },
          {
            alert: full,
            severities: ['critical'],
            since: 3.5 * day + 1,
            labels: { account: 'slow' },
            value: (minute) => 1 - slowRest(minute) / quota,
            queryResults: (minute) => ({
              diskFree: slowRest(minute),
              diskDaysToFull: slowDays(minute),
            }),
          },
          {
            alert: 'HostingDiskFillingUp',
            since: growthKnown,
            labels: { account: 'slow' },
            value: (minute) => slowDays(minute),
            queryResults: (minute) => ({
              diskUsed: 1 - slowRest(minute) / quota,
              diskFree: slowRest(minute),
            }),
          },
          ...(['near', 'far'] as const).map((account) => ({
            alert: 'HostingDiskAlmostFull' as const,
            severities: ['warning'] as const,
            since: 0,
            labels: { account },
            value: account === 'near' ? 0.86 : 0.9,
            queryResults: (minute: number) => ({
              diskFree: (account === 'near' ? 14 : 10) * gigabyte,
              diskGrowthUnknown: minute < growthKnown ? 1 : undefined,
            }),
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
          ...builder.up(threeDays),
          // The provider gives whole days from now: 6 or 7, by turns.
          [builder.series('hosting_account_block_timestamp_seconds', { account: 'shop' })]: sequence(
            ...Array.from({ length: threeDays / 5 + 1 }, (_, index) =>
              hold(index * 300 + atDay(Math.floor(index / 24) % 2 === 0 ? 6 : 7), 5),
            ),
          ),
        },
        expected: [
          {
            alert: 'HostingAccountBlockedSoon',
            severities: ['warning'],
            since: 0,
            labels: { account: 'shop' },
            value: (minute) => (Math.floor(minute / 120) % 2 === 0 ? 6 : 7),
          },
        ],
        mustNotFire: ['HostingAccountBlockedSoon'],
        defaultsOnly,
      },
      {
        name: 'the limit is missing for two hours, a plan becomes smaller than the usage, an account moves to a plan without limit',
        minutes: 720,
        overDays: true,
        series: {
          ...builder.up(720),
          ...Object.fromEntries(
            ['gap', 'smaller', 'endless'].map((account) => [
              of('hosting_exporter_collector_success', 'account', account),
              hold(1, 721),
            ]),
          ),
          [used('gap')]: hold(88 * gigabyte, 721),
          [builder.series(limit, { account: 'gap' })]: sequence(hold(quota, 60), missing(120), hold(quota, 541)),
          [used('smaller')]: hold(60 * gigabyte, 721),
          [builder.series(limit, { account: 'smaller' })]: sequence(hold(quota, 60), hold(50 * gigabyte, 661)),
          [used('endless')]: hold(88 * gigabyte, 721),
          [builder.series(limit, { account: 'endless' })]: sequence(hold(quota, 120), ended),
        },
        expected: [
          {
            alert: full,
            severities: ['warning'],
            since: 0,
            labels: { account: 'gap' },
            value: 0.88,
            queryResults: () => ({ diskFree: 12 * gigabyte, diskGrowthUnknown: 1 }),
          },
          {
            alert: full,
            since: 60,
            labels: { account: 'smaller' },
            value: 1.2,
            queryResults: () => ({ diskExcess: 10 * gigabyte, formerDiskLimit: quota, diskGrowthUnknown: 1 }),
          },
          {
            alert: full,
            severities: ['warning'],
            since: 0,
            until: 120 + 360,
            labels: { account: 'endless' },
            value: 0.88,
            queryResults: () => ({ diskFree: 12 * gigabyte, diskGrowthUnknown: 1 }),
          },
        ],
        mustNotFire: [],
        defaultsOnly,
      },
      {
        name: 'the exporter is down for two hours: its alerts stay, with the thresholds of each account, and nothing new fires after it',
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
                  ...Array.from({ length: 12 }, (_, index) => hold(index * 300, 5)),
                  missing(120),
                  ...Array.from({ length: 60 }, (_, index) => hold(10_800 + index * 300, 5)),
                  hold(28_800, 1),
                ),
              ],
              [used(account), duringOutage(97 * gigabyte)],
              [builder.series(limit, { account }), duringOutage(quota)],
            ]),
          ),
          ...Object.fromEntries(
            ['warning', 'critical'].map((severity) => [
              builder.series('hosting_account_alert_threshold', { account: 'archive', alert: full, severity }),
              duringOutage(0.99),
            ]),
          ),
        },
        expected: [
          { alert: 'HostingExporterDown', since: 60, until: 180, labels: builder.exporter('a'), value: 0 },
          {
            alert: full,
            since: 0,
            labels: { account: 'shop' },
            value: 0.97,
            queryResults: () => ({ diskFree: 3 * gigabyte, diskGrowthUnknown: 1 }),
          },
        ],
        mustNotFire: ['HostingAccountMissing', 'HostingPollFailing'],
        defaultsOnly,
      },
      {
        name: 'an exporter restarts every seven minutes, and another one twice',
        minutes: 180,
        sampleSeconds: 30,
        series: {
          ...builder.up(180, 'b'),
          [builder.series('up')]: sequence(
            hold(1, 20),
            ...Array.from({ length: 10 }, () => sequence(hold(0, 5), hold(1, 2))),
            hold(1, 91),
          ),
          [builder.series('process_start_time_seconds')]: sequence(
            hold(0, 20),
            ...Array.from({ length: 10 }, (_, index) => sequence(missing(5), hold(index + 1, 2))),
            hold(10, 91),
          ),
          [builder.series('process_start_time_seconds', {}, 'b')]: sequence(hold(0, 20), hold(1, 40), hold(2, 121)),
        },
        expected: [
          {
            alert: 'HostingExporterRestarting',
            // The third restart is seen in minute 39, the last one in minute 88.
            since: 39,
            until: 143,
            labels: builder.exporter('a'),
            value: (minute) => Math.min(10, Math.floor((minute - 25) / 7) + 1, Math.ceil((143 - minute) / 7)),
          },
        ],
        mustNotFire: ['HostingExporterRestarting', 'HostingExporterDown'],
        defaultsOnly,
      },
      {
        name: 'backups are listed no more, or the list says nothing, for days: one alert each; and an account is removed',
        minutes: 6 * day,
        overDays: true,
        series: {
          ...builder.up(6 * day),
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
          value: 0,
        })),
        mustNotFire: ['HostingBackupMissing', 'HostingBackupTooOld'],
        defaultsOnly,
      },
      {
        name: 'the domains cannot be polled for hours: an expired domain stays, one that was deleted before does not return',
        minutes: 600,
        overDays: true,
        series: {
          ...builder.up(600),
          [of('hosting_exporter_collector_success', 'domains')]: sequence(hold(1, 240), hold(0, 361)),
          [of('hosting_exporter_collector_interval_seconds', 'domains')]: hold(21_600, 601),
          [of('hosting_exporter_collector_last_success_timestamp_seconds', 'domains')]: hold(0, 601),
          [builder.series('hosting_domain_expiry_timestamp_seconds', { account: 'shop', domain: 'kept.example' })]:
            sequence(hold(atDay(-2), 300), ended),
          [builder.series('hosting_domain_expiry_timestamp_seconds', { account: 'shop', domain: 'deleted.example' })]:
            sequence(hold(atDay(-2), 120), ended),
        },
        expected: [
          {
            alert: 'HostingDomainExpired',
            since: 0,
            labels: { account: 'shop', domain: 'kept.example' },
            value: (minute) => Math.floor(-2 - minute / day),
            queryResults: (minute) => ({ domainsAge: minute >= 240 ? minute * 60 : undefined }),
          },
          {
            alert: 'HostingDomainExpired',
            since: 0,
            until: 120 + gap,
            labels: { account: 'shop', domain: 'deleted.example' },
            value: (minute) => Math.floor(-2 - minute / day),
          },
        ],
        mustNotFire: [],
        defaultsOnly,
      },
    ],
  };
}

/** A value that is missing from minute 60 to 180, eight hours long. */
function duringOutage(value: number): string {
  return sequence(hold(value, 60), missing(120), hold(value, 301));
}
