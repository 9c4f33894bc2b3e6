import { ended, hold, missing, repeat, type ScenarioBuilder, sequence, type TestSuite } from './scenario.ts';

const up = 'hosting_up';
const reloadSuccessful = 'hosting_exporter_config_last_reload_successful';

/** Availability and configuration of the exporter. */
export function exporter(builder: ScenarioBuilder): TestSuite {
  const down = { labels: builder.exporter('a') };
  const downMinutes = builder.forMinutes('HostingExporterDown', 'warning') + 20;
  const downWait = builder.forMinutes('HostingExporterDown', 'critical');
  const absentWait = builder.forMinutes('HostingExporterAbsent', 'critical');
  const reloadWait = builder.forMinutes('HostingConfigReloadFailed', 'warning');
  const missingWait = builder.forMinutes('HostingAccountMissing', 'warning');
  const failsAndSucceeds = sequence(hold(1, 10), hold(0, reloadWait + 10), hold(1, 11));
  const failedReload = {
    minutes: 10 + reloadWait + 20,
    expected: [{ alert: 'HostingConfigReloadFailed', since: 10, until: 20 + reloadWait, ...down }],
    mustNotFire: [],
  } as const;

  const saveWait = builder.forMinutes('HostingStateNotSaved', 'warning');
  const shards = (instance?: string) => builder.series('hosting_exporter_shards', {}, instance);
  const shardsWait = builder.forMinutes('HostingShardsDisagree', 'warning');

  return builder.suite('exporter', [
    {
      name: 'the only exporter goes down: critical, and its account is not reported as missing',
      minutes: 10 + downMinutes + missingWait,
      series: {
        [builder.series('up')]: sequence(hold(1, 10), hold(0, downMinutes + missingWait + 1)),
        [builder.series(up, { account: 'shop' })]: sequence(hold(1, 10), ended),
      },
      expected: [{ alert: 'HostingExporterDown', since: 10, ...down }],
      mustNotFire: ['HostingAccountMissing', 'HostingExporterAbsent'],
    },
    {
      name: 'one exporter of an HA pair goes down: warning only',
      minutes: 10 + downMinutes,
      series: {
        [builder.series('up')]: sequence(hold(1, 10), hold(0, downMinutes + 1)),
        ...builder.up('b'),
        [builder.series(up, { account: 'shop' })]: sequence(hold(1, 10), ended),
        [builder.series(up, { account: 'shop' }, 'b')]: 1,
      },
      expected: [{ alert: 'HostingExporterDown', severities: ['warning'], since: 10, ...down }],
      mustNotFire: ['HostingAccountMissing'],
    },
    {
      name: 'one of two exporters with different accounts goes down: critical, because its account is not monitored',
      minutes: 10 + downMinutes,
      series: {
        [builder.series('up')]: sequence(hold(1, 10), hold(0, downMinutes + 1)),
        ...builder.up('b'),
        [builder.series(up, { account: 'shop' })]: sequence(hold(1, 10), ended),
        [builder.series(up, { account: 'blog' }, 'b')]: 1,
      },
      expected: [
        // The account is missing five minutes after its last report.
        { alert: 'HostingExporterDown', severities: ['critical'], since: 14, ...down },
        { alert: 'HostingExporterDown', severities: ['warning'], since: 10, ...down },
      ],
      mustNotFire: ['HostingAccountMissing'],
    },
    {
      name: 'an exporter restarts repeatedly, each time faster than `for`: no alert',
      minutes: 100,
      series: {
        [builder.series('up')]: sequence(
          hold(1, 20),
          hold(0, Math.max(1, downWait - 1)),
          hold(1, 20),
          hold(0, Math.max(1, downWait - 1)),
          hold(1, 80),
        ),
      },
      expected: [],
      mustNotFire: ['HostingExporterDown', 'HostingExporterAbsent'],
    },
    {
      name: 'the target disappears and returns',
      minutes: 20 + absentWait + 40,
      series: { [builder.series('up')]: sequence(hold(1, 20), missing(absentWait + 20), hold(1, 21)) },
      expected: [{ alert: 'HostingExporterAbsent', since: 20, until: 40 + absentWait, labels: {} }],
      mustNotFire: ['HostingExporterDown'],
    },
    {
      name: 'Prometheus restarts and has no target for some minutes: no alert',
      minutes: 60,
      series: { [builder.series('up')]: sequence(missing(Math.max(1, absentWait - 1)), hold(1, 60)) },
      expected: [],
      mustNotFire: ['HostingExporterAbsent'],
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
          // The third restart is scraped in minute 39, the last restart in minute 88.
          since: 39,
          until: 143,
          labels: builder.exporter('a'),
        },
      ],
      mustNotFire: ['HostingExporterRestarting', 'HostingExporterDown'],
      defaultsOnly: ['HostingExporterRestarting'],
    },
    {
      name: 'an exporter that is scraped every fifteen minutes fires, and one that is scraped every five minutes does not',
      minutes: 300,
      series: {
        [builder.series('up')]: repeat(21, () => '1 _x14'),
        [builder.series('up', {}, 'b')]: repeat(61, () => '1 _x4'),
      },
      expected: [{ alert: 'HostingScrapedTooRarely', since: 0, ...down }],
      mustNotFire: ['HostingScrapedTooRarely', 'HostingExporterAbsent'],
      defaultsOnly: ['HostingScrapedTooRarely'],
    },
    {
      name: 'the clock of one exporter is 20 minutes behind, those of others half an hour ahead or two minutes behind',
      minutes: 120,
      series: Object.fromEntries(
        [20, -30, 2].map((behind, index) => [
          builder.series(
            'hosting_exporter_collector_last_success_timestamp_seconds',
            { account: `shop${index}`, collector: 'account' },
            `${index}`,
          ),
          repeat(25, (poll) => hold(300 * poll - 60 * behind, 5)),
        ]),
      ),
      expected: [
        { alert: 'HostingClocksDisagree', since: 5, labels: builder.exporter('0') },
        { alert: 'HostingClocksDisagree', since: 0, labels: builder.exporter('1') },
      ],
      mustNotFire: ['HostingClocksDisagree'],
      defaultsOnly: ['HostingClocksDisagree'],
    },
    {
      name: 'a reload fails, and a later one succeeds',
      ...failedReload,
      series: { [builder.series(reloadSuccessful)]: failsAndSucceeds },
    },
    {
      name: 'a reload of the web configuration fails, and a later one succeeds',
      ...failedReload,
      series: {
        [builder.series(reloadSuccessful)]: 1,
        [builder.series('hosting_exporter_web_config_last_reload_successful')]: failsAndSucceeds,
      },
    },
    {
      name: 'a reload fails, and the error is fixed immediately: no alert',
      minutes: 60,
      series: {
        [builder.series('hosting_exporter_config_last_reload_successful')]: sequence(
          hold(1, 10),
          hold(0, Math.max(1, reloadWait)),
          hold(1, 60),
        ),
      },
      expected: [],
      mustNotFire: ['HostingConfigReloadFailed'],
    },
    {
      name: 'the disk with the state directory is full, then has space again',
      minutes: 180,
      series: {
        [builder.series('hosting_exporter_state_save_success')]: sequence(
          hold(1, 10),
          hold(0, saveWait + 10),
          hold(1, 111),
        ),
      },
      // From minute 13 on, less than three quarters of the attempts of the last two hours have succeeded.
      expected: [{ alert: 'HostingStateNotSaved', since: 13, until: 170, recordLeavesWindow: 'end', ...down }],
      mustNotFire: [],
      defaultsOnly: ['HostingStateNotSaved'],
    },
    {
      name: 'every other save fails',
      minutes: 120,
      series: {
        [builder.series('hosting_exporter_state_save_success')]: sequence(
          hold(1, 10),
          repeat(55, () => '0 1'),
          '0',
        ),
      },
      expected: [{ alert: 'HostingStateNotSaved', since: 20, ...down }],
      mustNotFire: [],
      defaultsOnly: ['HostingStateNotSaved'],
    },
    {
      name: 'one save fails, and the next one succeeds: no alert',
      minutes: 40,
      series: {
        [builder.series('hosting_exporter_state_save_success')]: sequence(hold(1, 10), hold(0, 1), hold(1, 30)),
      },
      expected: [],
      mustNotFire: ['HostingStateNotSaved'],
    },
    {
      name: 'the number of shards grows from 2 to 3 while one of the old exporters still runs',
      minutes: 30 + shardsWait,
      series: {
        ...builder.up('b'),
        ...builder.up('c'),
        [shards()]: sequence(hold(2, 20 + shardsWait), hold(3, 11)),
        [shards('b')]: sequence(hold(2, 10), hold(3, 21 + shardsWait)),
        [shards('c')]: sequence(missing(10), hold(3, 21 + shardsWait)),
      },
      expected: [{ alert: 'HostingShardsDisagree', since: 10, until: 20 + shardsWait, labels: {} }],
      mustNotFire: [],
    },
    {
      name: 'all exporters stop, and start with another number of shards: no alert',
      minutes: 60,
      series: {
        [builder.series('up')]: sequence(hold(1, 20), hold(0, 2), hold(1, 39)),
        [builder.series('up', {}, 'b')]: sequence(hold(1, 20), hold(0, 2), hold(1, 39)),
        [shards()]: sequence(hold(1, 20), missing(2), hold(2, 39)),
        [shards('b')]: sequence(missing(22), hold(2, 39)),
      },
      expected: [],
      mustNotFire: ['HostingShardsDisagree', 'HostingExporterDown'],
    },
    {
      name: 'an account disappears from both exporters of an HA pair',
      minutes: 70 + missingWait,
      sampleSeconds: 30,
      series: {
        ...builder.up('b'),
        [builder.series(up, { account: 'shop' })]: 1,
        [builder.series(up, { account: 'shop' }, 'b')]: 1,
        [builder.series(up, { account: 'blog' })]: sequence(hold(1, 25), ended),
        [builder.series(up, { account: 'blog' }, 'b')]: sequence(hold(1, 30), ended),
      },
      expected: [{ alert: 'HostingAccountMissing', since: 34, labels: { account: 'blog' } }],
      mustNotFire: [],
    },
    {
      name: 'an account moves to another exporter with a gap: no alert',
      minutes: 120,
      series: {
        ...builder.up('b'),
        [builder.series(up, { account: 'blog' })]: sequence(hold(1, 30), ended),
        [builder.series(up, { account: 'blog' }, 'b')]: sequence(
          missing(30 + Math.max(1, missingWait - 5)),
          hold(1, 100),
        ),
      },
      expected: [],
      mustNotFire: ['HostingAccountMissing', 'HostingExporterDown'],
    },
  ]);
}
