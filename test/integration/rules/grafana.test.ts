import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { generateBundle } from '../../../src/rules/bundle.ts';
import { testSuites } from '../../../src/rules/promtool-tests.ts';
import { type Firing, type Scenario, ScenarioBuilder } from '../../../src/rules/scenarios/scenario.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { type Prometheus, type Series, startPrometheus } from '../../fixtures/prometheus.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { realLife } from './real-life.ts';
import { expand } from './series-notation.ts';

/** The value of each expression when its alert starts to fire, in the order of the scenarios. */
const values: Readonly<Record<string, readonly number[]>> = {
  'HostingExporterAbsent critical': [1],
  'HostingExporterDown critical': [0, 0, 0],
  'HostingExporterDown warning': [0, 0, 0, 0],
  'HostingExporterRestarting warning': [3],
  'HostingScrapedTooRarely warning': [5],
  'HostingConfigReloadFailed warning': [0, 0],
  'HostingStateNotSaved warning': [0.135, 0.556],
  'HostingShardsDisagree warning': [3],
  'HostingClocksDisagree warning': [20, 30],
  'HostingAccountMissing warning': [1],
  'HostingProviderUnreachable critical': [1],
  'HostingExporterCannotPoll critical': [1],
  'HostingExporterCannotPoll warning': [1],
  'HostingAccountUnreachable warning': Array.from({ length: 16 }, () => 0),
  'HostingMostLoginsRejected critical': [0.909],
  'HostingCredentialsRejected warning': [1, 1, 1],
  'HostingApiLimitHit info': [30],
  'HostingApiBudgetExhausted info': [12],
  'HostingPollFailing warning': [4.8, 3.15, 4.8, 13.8, 13.8, 4.8],
  'HostingSeriesDropped warning': [250],
  'HostingPermissionMissing warning': [1, 1],
  'HostingPermissionMissing info': [1],
  'HostingDiskAlmostFull critical': [0.99, 0.99, 0.99, 0.94, 1.2, 0.985],
  'HostingDiskAlmostFull warning': [
    0.9, 0.9, 0.99, 0.9, 0.99, 0.9, 0.833, 0.9, 0.86, 0.87, 0.86, 0.9, 0.88, 1.2, 0.88, 0.985,
  ],
  'HostingDiskFillingUpFast critical': [9.548, 3.686, 1.167],
  'HostingDiskFillingUp warning': [10.639, 3.25],
  'HostingDatabaseGrewFast info': [2],
  'HostingAccountBlockedToday critical': [0],
  'HostingAccountBlockedSoon critical': [2, 0, 2],
  'HostingAccountBlockedSoon warning': [5, 2, 0, 3, 6],
  'HostingDomainExpired critical': [-2, -2, -2, -2],
  'HostingDomainExpired warning': [-2],
  'HostingDomainExpiring critical': [3, 3, 3, 3],
  'HostingDomainExpiring warning': [18, 3, 3, 3, 49, 49, 3, 3],
  'HostingDomainRenewalOverdue warning': [1, -1],
  'HostingDomainRenewalFailed warning': [49, 46],
  'HostingPlanLoadHigh warning': [0.825],
  'HostingSiteLoadUnusual info': [6, 6],
  'HostingBackupMissing warning': [0, 0, 0],
  'HostingBackupTooOld warning': [6.042],
  'HostingInventoryCollapsed warning': [0.49, 0.49, 0, 0.49, 0.49],
  'HostingMailForwardingStarted info': [1],
};

const settings = settingsSchema.parse({});
const builder = new ScenarioBuilder(settings);
const lives = realLife(builder).scenarios;
/** Without the scenarios about records and firing alerts, which Grafana does not have: the new pod and those after it. */
const scenarios = [
  ...testSuites(settings).flatMap((suite) => suite.scenarios),
  ...lives.slice(
    0,
    lives.findIndex(({ name }) => name.startsWith('a new pod')),
  ),
];

interface GrafanaRule {
  readonly labels: { readonly alert: string; readonly severity: string };
  readonly data: readonly { readonly model: { readonly expr?: string } }[];
}

const { groups } = parse(generateBundle(settings).get('grafana-alerts.yml') ?? '') as {
  readonly groups: readonly { readonly rules: readonly GrafanaRule[] }[];
};

/** An alert that fires with one severity in a scenario, and its expression in the Grafana file. */
interface Example {
  readonly title: string;
  readonly expr: string;
  readonly firing: Firing;
  readonly scenario: Scenario;
  readonly value: number | undefined;
}

const firings = scenarios.flatMap((scenario) =>
  builder
    .firings(scenario)
    .map((firing) => ({ firing, scenario, name: `${firing.expected.alert} ${firing.severity}` })),
);

const examples = groups.flatMap(({ rules }) =>
  rules.flatMap(({ labels: { alert, severity }, data }) =>
    firings
      .filter(({ name }) => name === `${alert} ${severity}`)
      .map(({ firing, scenario, name }, index): Example => {
        const title = `${name} at minute ${firing.from}: ${scenario.name}`;
        return { title, expr: data[0]?.model.expr ?? '', firing, scenario, value: values[name]?.[index] };
      }),
  ),
);

/** Seconds between the starts of two scenarios: longer than a scenario and any window together. */
const distance = 60 * 86_400;

/** Start of the scenario in Unix seconds. */
function startOf(scenario: Scenario): number {
  return Date.UTC(2000, 0, 1) / 1000 + scenarios.indexOf(scenario) * distance;
}

/** A data folder of a Prometheus with the series of all scenarios, one after the other. */
function filledFolder(cleanups: Cleanups): string {
  const folder = temporaryFolder(cleanups);
  const data = join(folder, 'data');
  const file = join(folder, 'history.txt');
  const lines = scenarios.flatMap((scenario) =>
    Object.entries(scenario.series).flatMap(([name, values]) => {
      const start = startOf(scenario);
      // The clock of a scenario begins at 0.
      const shift = /^\w+_(?:timestamp|time)_seconds\b/.test(name) ? start : 0;
      return expand(values).flatMap((value, minute) =>
        value === '_' || value === 'stale' ? [] : [`${name} ${Number(value) + shift} ${start + minute * 60}\n`],
      );
    }),
  );
  mkdirSync(data);
  writeFileSync(file, `${lines.join('')}# EOF\n`);
  const fill = ['tsdb', 'create-blocks-from', '--quiet', '--max-block-duration=200000h', 'openmetrics', file, data];
  execFileSync('promtool', fill);
  return data;
}

it('each rule of the Grafana file fires in a scenario', () => {
  const tested = new Set(examples.map(({ expr }) => expr));

  const untested = groups.flatMap(({ rules }) => rules).filter(({ data }) => !tested.has(data[0]?.model.expr ?? ''));

  expect(untested).toEqual([]);
});

it('each alert has as many values as firings', () => {
  const fired = Map.groupBy(firings, ({ name }) => name);

  const counts = Object.entries(values).map(([name, list]) => [name, list.length]);

  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries([...fired].map(([name, list]) => [name, list.length])));
});

// The rules for Prometheus read recorded series; these read raw ones.
describe('an expression of the Grafana file returns the value of the alert while it fires, and nothing before and after', () => {
  const cleanups = new Cleanups();
  let prometheus: Prometheus;

  beforeAll(async () => {
    const flags = ['--storage.tsdb.retention.time=100y'];
    prometheus = await startPrometheus(cleanups, [], { data: filledFolder(cleanups), flags });
  });

  afterAll(cleanups.end);

  it.each(examples)('$title', async ({ expr, firing, scenario, value }) => {
    const { expected, from } = firing;
    const resultAt = async (minute: number): Promise<readonly Series[]> => {
      const time = startOf(scenario) + minute * 60;
      const series = await prometheus.range(expr, time, time, 1);
      return series
        .map(({ labels, values }) => ({ labels, value: values.get(time) ?? Number.NaN }))
        .filter(({ labels }) => Object.entries(expected.labels).every(([name, value]) => labels[name] === value));
    };

    const results = await resultAt(from);

    expect(results).toHaveLength(1);
    expect(results[0]?.value).toBeCloseTo(value ?? Number.NaN, 2);
    if (expected.since > 10) expect(await resultAt(expected.since - 10)).toEqual([]);
    if (firing.until + 10 <= scenario.minutes) expect(await resultAt(firing.until + 10)).toEqual([]);
  });
});
