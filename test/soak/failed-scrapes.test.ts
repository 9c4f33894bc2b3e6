import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ruleGroups } from '../../src/rules/bundle.ts';
import { alertLabels, prometheusRules } from '../../src/rules/prometheus.ts';
import { testSuites } from '../../src/rules/promtool-tests.ts';
import { evaluationMinutes, type Firing, type Scenario, ScenarioBuilder } from '../../src/rules/scenarios/scenario.ts';
import { settingsSchema } from '../../src/rules/settings.ts';
import { alertsWithInput, withoutTexts } from '../integration/rules/groups.ts';
import { inFolder, run } from '../integration/rules/run-tool.ts';
import { compress, expand } from '../integration/rules/series-notation.ts';

const settings = settingsSchema.parse({});
const groups = ruleGroups(settings);
const alerts = groups.flatMap((group) => group.rules.filter((rule) => 'alert' in rule));
const builder = new ScenarioBuilder(settings);
const { job = '' } = settings.selector;

/** The shortest scenario in which each alert and severity fires. Running all scenarios three times would take long. */
const scenarios = shortestOfEachAlert(testSuites(settings).flatMap((suite) => suite.scenarios));

/** Minutes by which a failed scrape may delay an alert. */
const tolerance = 5;

/** Minutes between two failed scrapes, by the minutes between two evaluations. Each failure meets an evaluation. */
const intervals = { 1: [10, 25, 50], 8: [16, 40, 80] } as const;

describe('with a failed scrape every 10, 25 and 50 minutes, or of every second, fifth and tenth evaluation over days', () => {
  it.concurrent.each(scenarios)('the alerts fire in time, and no others: $name', async (scenario) => {
    const needed = alertsWithInput(Object.keys(scenario.series), groups).map(withoutTexts);
    const copies = intervals[evaluationMinutes(scenario)].map((every) => {
      return { job: `${job} with a failure every ${every} minutes`, every };
    });
    // The job of an absent target is known only from a rule for one job.
    const isAbsent = scenario.expected.some(({ alert }) => alert === 'HostingExporterAbsent');
    const tests = {
      rule_files: ['hosting.rules.yml'],
      evaluation_interval: `${evaluationMinutes(scenario)}m`,
      group_eval_order: needed.map(({ name }) => name),
      tests: isAbsent
        ? copies.map((copy) => testWithFailures(scenario, [{ ...copy, job }]))
        : [testWithFailures(scenario, copies)],
    };
    const rules = prometheusRules(needed, settings);
    const files = [
      ['hosting.rules.yml', isAbsent ? rules : rules.replaceAll(`job="${job}"`, `job=~"${job} with .*"`)],
      ['tests.yml', stringify(tests)],
    ] as const;

    const { code, output } = await inFolder(files, (folder) =>
      run('promtool', 'test', 'rules', join(folder, 'tests.yml')),
    );

    expect(code, output).toBe(0);
  });
});

function shortestOfEachAlert(all: readonly Scenario[]): readonly Scenario[] {
  const shortest = new Map<string, Scenario>();
  for (const scenario of all) {
    for (const { expected, severity } of builder.firings(scenario)) {
      const key = `${expected.alert} ${severity}`;
      const known = shortest.get(key);
      if (known === undefined || evaluations(scenario) < evaluations(known)) shortest.set(key, scenario);
    }
  }
  const missing = alerts.filter(({ alert, severity }) => !shortest.has(`${alert} ${severity}`));
  if (missing.length > 0) throw new Error(`no scenario fires ${missing.map(({ alert }) => alert).join(', ')}`);
  return [...new Set(shortest.values())];
}

function evaluations(scenario: Scenario): number {
  return scenario.minutes / evaluationMinutes(scenario);
}

/** A copy of a scenario in which scrapes fail. */
interface Copy {
  readonly job: string;
  /** Minutes between two failed scrapes. */
  readonly every: number;
}

/** One test with several copies of a scenario. Their jobs are independent of each other, and are evaluated together. */
function testWithFailures(scenario: Scenario, copies: readonly Copy[]): unknown {
  return {
    name: scenario.name,
    interval: '1m',
    input_series: copies.flatMap((copy) => seriesOf(scenario, copy)),
    promql_expr_test: copies.flatMap((copy) => expectationsOf(scenario, copy)),
  };
}

function seriesOf(scenario: Scenario, { job: ofCopy, every }: Copy): readonly unknown[] {
  return Object.entries(scenario.series).map(([one, values]) => ({
    series: one.replace(`job="${job}"`, `job="${ofCopy}"`),
    values: failScrapes(values, every, every - evaluationMinutes(scenario), one.startsWith('up{') ? '0' : 'stale'),
  }));
}

function expectationsOf(scenario: Scenario, copy: Copy): readonly unknown[] {
  const { minutes } = scenario;
  const firings = builder.firings(scenario);
  const interval = evaluationMinutes(scenario);
  const fired = new Map<string, number>();
  for (const { expected, severity } of firings) {
    const key = `${expected.alert} ${severity}`;
    fired.set(key, (fired.get(key) ?? 0) + 1);
  }
  return [
    ...firings
      .map((firing) => ({ firing, minute: firing.from + tolerance }))
      .filter(({ firing, minute }) => minute < firing.until && minute <= minutes)
      .map(({ firing, minute }) => ({
        expr: `count(ALERTS{${matchersOf(firing, copy)}})`,
        eval_time: `${Math.ceil(minute / interval) * interval}m`,
        exp_samples: [{ labels: '{}', value: 1 }],
      })),
    {
      expr: `count by (alertname, severity) (count_over_time(ALERTS{alertstate="firing",job="${copy.job}"}[${minutes + 1}m]))`,
      eval_time: `${minutes}m`,
      exp_samples: [...fired].map(([key, count]) => {
        const [alertname, severity] = key.split(' ');
        return { labels: `{alertname="${alertname}",severity="${severity}"}`, value: count };
      }),
    },
  ];
}

/**
 * Replaces every sample of a failed scrape; a scrape without the series changes nothing. The first minute is one of an evaluation,
 * and so are all others.
 */
function failScrapes(values: string, every: number, first: number, replacement: string): string {
  return compress(
    expand(values).map((sample, minute) => (minute % every === first && sample !== '_' ? replacement : sample)),
  );
}

function matchersOf({ expected, severity }: Firing, copy: Copy): string {
  const rule = alerts.find((one) => one.alert === expected.alert && one.severity === severity);
  if (rule === undefined) throw new Error(`no rule for ${expected.alert} with severity ${severity}`);
  const labels = {
    alertname: expected.alert,
    alertstate: 'firing',
    job: copy.job,
    ...expected.labels,
    ...alertLabels(rule, settings),
  };
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',');
}
