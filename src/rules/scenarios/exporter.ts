import { ended, hold, missing, type ScenarioBuilder, sequence, type TestSuite } from './scenario.ts';

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
      expected: [{ alert: 'HostingExporterDown', since: 10, ...down }],
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
      minutes: 30 + saveWait,
      series: {
        [builder.series('hosting_exporter_state_save_success')]: sequence(
          hold(1, 10),
          hold(0, saveWait + 10),
          hold(1, 11),
        ),
      },
      expected: [{ alert: 'HostingStateNotSaved', since: 10, until: 20 + saveWait, ...down }],
      mustNotFire: [],
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
      expected: [{ alert: 'HostingAccountMissing', since: 35, labels: { account: 'blog' } }],
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
