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
import { expand } from './series-notation.ts';

const settings = settingsSchema.parse({});
const scenarios = testSuites(settings).flatMap((suite) => suite.scenarios);
const builder = new ScenarioBuilder(settings);

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
}

const examples = groups.flatMap(({ rules }) =>
  rules.flatMap(({ labels: { alert, severity }, data }) =>
    scenarios.flatMap((scenario) =>
      builder
        .firings(scenario)
        .filter(({ expected, severity: actual }) => expected.alert === alert && actual === severity)
        .map((firing): Example => {
          const title = `${alert} ${severity} at minute ${firing.from}: ${scenario.name}`;
          return { title, expr: data[0]?.model.expr ?? '', firing, scenario };
        }),
    ),
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

// The rules for Prometheus read recorded series; these read raw ones.
describe('an expression of the Grafana file returns the value of the alert while it fires, and nothing before and after', () => {
  const cleanups = new Cleanups();
  let prometheus: Prometheus;

  beforeAll(async () => {
    const flags = ['--storage.tsdb.retention.time=100y'];
    prometheus = await startPrometheus(cleanups, [], { data: filledFolder(cleanups), flags });
  }, 300_000);

  afterAll(cleanups.end);

  it.each(examples)('$title', async ({ expr, firing, scenario }) => {
    const { expected, from } = firing;
    const resultAt = async (minute: number): Promise<readonly Series[]> => {
      const time = startOf(scenario) + minute * 60;
      const series = await prometheus.range(expr, time, time, 1);
      return series
        .map(({ labels, values }) => ({ labels, value: values.get(time) ?? Number.NaN }))
        .filter(({ labels }) => Object.entries(expected.labels).every(([name, value]) => labels[name] === value));
    };

    const results = await resultAt(from);

    const value = typeof expected.value === 'number' ? expected.value : expected.value(from);
    expect(results).toHaveLength(1);
    expect(results[0]?.value).toBeCloseTo(value, 2);
    if (expected.since > 10) expect(await resultAt(expected.since - 10)).toEqual([]);
    if (firing.until + 10 <= scenario.minutes) expect(await resultAt(firing.until + 10)).toEqual([]);
  });
});
