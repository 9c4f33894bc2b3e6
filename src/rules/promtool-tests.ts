import { Document } from 'yaml';
import { alertLabels, generatedNote, printed } from './prometheus.ts';
import type { RuleGroup } from './rule.ts';
import { billing } from './scenarios/billing.ts';
import { collectors } from './scenarios/collectors.ts';
import { disk, diskForecasts } from './scenarios/disk.ts';
import { exporter } from './scenarios/exporter.ts';
import { perHalfMinute } from './scenarios/half-minutes.ts';
import { inventory } from './scenarios/inventory.ts';
import { load } from './scenarios/load.ts';
import { provider } from './scenarios/provider.ts';
import {
  evaluationMinutes,
  type Firing,
  type Scenario,
  ScenarioBuilder,
  type TestSuite,
} from './scenarios/scenario.ts';
import { type Settings, settingsSchema } from './settings.ts';
import type { AlertName } from './thresholds.ts';

/** The test suites with the scenarios that apply to these settings. Scenarios that last days are in a separate suite, `<name>-days`. */
export function testSuites(settings: Settings): readonly TestSuite[] {
  const builder = new ScenarioBuilder(settings);
  return [exporter, provider, collectors, disk, diskForecasts, billing, load, inventory]
    .map((suite) => suite(builder))
    .flatMap(({ name, scenarios }) => {
      const applicable = scenarios.filter(({ defaultsOnly = [] }) =>
        defaultsOnly.every((alert) => hasDefaults(alert, settings)),
      );
      return [
        { name, scenarios: applicable.filter(({ overDays }) => !overDays) },
        { name: `${name}-days`, scenarios: applicable.filter(({ overDays }) => overDays) },
      ];
    })
    .filter(({ scenarios }) => scenarios.length > 0);
}

function hasDefaults(alert: AlertName, settings: Settings): boolean {
  return JSON.stringify(settings.alerts[alert]) === JSON.stringify(settingsSchema.parse({}).alerts[alert]);
}

/** A promtool test file. Tests the minutes at which alerts start and end in each scenario, and that no other alert fires. */
export function testFile(suite: TestSuite, groups: readonly RuleGroup[], settings: Settings): string {
  const builder = new ScenarioBuilder(settings);
  const overDays = suite.scenarios.some((scenario) => scenario.overDays);
  const document = new Document({
    rule_files: ['../hosting.rules.yml'],
    evaluation_interval: `${evaluationMinutes({ overDays })}m`,
    group_eval_order: groups.map(({ name }) => name),
    tests: suite.scenarios.map((scenario) => scenarioTest(scenario, builder.firings(scenario), settings)),
  });
  document.commentBefore = generatedNote;
  return printed(document);
}

/** The name, sample interval and input series of a promtool test. */
function inputOf({ name, series, sampleSeconds }: Scenario) {
  return {
    name,
    interval: sampleSeconds === undefined ? '1m' : `${sampleSeconds}s`,
    input_series: Object.entries(series).map(([one, values]) => ({
      series: one,
      values: sampleSeconds === undefined ? values : perHalfMinute(values),
    })),
  };
}

function scenarioTest(scenario: Scenario, firings: readonly Firing[], settings: Settings): unknown {
  return {
    ...inputOf(scenario),
    promql_expr_test: [
      ...changes(scenario, firings, settings),
      ...periods(scenario, firings).map((period) => firingTest(period, scenario, firings, settings)),
    ],
  };
}

/** Checks the severities and labels of each alert at the evaluations directly before and after the alert starts or ends. */
function changes(scenario: Scenario, firings: readonly Firing[], settings: Settings): readonly unknown[] {
  const interval = evaluationMinutes(scenario);
  const moments = firings.flatMap((firing) => {
    const { expected, from, until } = firing;
    const versions = earlierWithPrometheus3(firing, interval);
    const before = (minute: number) => minute - (versions === minute - interval ? 2 : 1) * interval;
    const last = until <= scenario.minutes ? [before(until), until] : [];
    return [before(from), from, ...last].map((minute) => ({ minute, alert: expected.alert }));
  });
  const distinct = new Map(moments.map((moment) => [`${moment.minute} ${moment.alert}`, moment]));
  return [...distinct.values()]
    .filter(({ minute }) => minute >= 0)
    .toSorted((one, other) => one.minute - other.minute)
    .map(({ minute, alert }) => ({
      expr: `ALERTS{alertname="${alert}",alertstate="firing"}`,
      eval_time: `${minute}m`,
      exp_samples: firings
        .filter(({ expected, from, until }) => expected.alert === alert && from <= minute && minute < until)
        .map((firing) => ({ labels: `ALERTS${firingLabels(firing, settings)}`, value: 1 })),
    }));
}

/** The minutes of the first and the last evaluation of a period. */
interface TestPeriod {
  readonly first: number;
  readonly last: number;
}

/** The minute at which the alert has started or ended in Prometheus 3, but not yet in Prometheus 2; undefined if both agree. */
function earlierWithPrometheus3({ expected, from, until }: Firing, interval: number): number | undefined {
  if (expected.recordLeavesWindow === undefined) return undefined;
  return (expected.recordLeavesWindow === 'start' ? from : until) - interval;
}

/** The periods that the test checks. They exclude evaluations at which the state of an alert depends on the Prometheus version. */
function periods(scenario: Scenario, firings: readonly Firing[]): readonly TestPeriod[] {
  const { minutes } = scenario;
  const interval = evaluationMinutes(scenario);
  const left = firings.map((firing) => earlierWithPrometheus3(firing, interval)).filter((at) => at !== undefined);
  const distinct = [...new Set(left)].filter((at) => at < minutes).toSorted((one, other) => one - other);
  return [undefined, ...distinct]
    .map((before, index) => ({
      first: before === undefined ? 0 : before + interval,
      last: (distinct[index] ?? minutes + interval) - interval,
    }))
    .filter(({ first, last }) => first <= last);
}

/** Checks at how many evaluations of a period each alert fires. */
function firingTest(
  { first, last }: TestPeriod,
  scenario: Scenario,
  firings: readonly Firing[],
  settings: Settings,
): unknown {
  const interval = evaluationMinutes(scenario);
  const seconds = (last - first) * 60 + 30;
  return {
    // The window begins between two evaluations, so all versions of Prometheus count the same samples.
    expr: `count_over_time(ALERTS{alertstate="firing"}[${first === 0 ? `${last + 1}m` : `${seconds}s`}])`,
    eval_time: `${last}m`,
    exp_samples: firings
      .map((firing) => {
        const end = Math.min(firing.until, last + interval);
        return { firing, evaluations: (end - Math.max(firing.from, first)) / interval };
      })
      .filter(({ evaluations }) => evaluations > 0)
      .map(({ firing, evaluations }) => ({ labels: firingLabels(firing, settings), value: evaluations })),
  };
}

/** The labels of an alert in the series `ALERTS`. */
function firingLabels(firing: Firing, settings: Settings): string {
  const labels = {
    alertname: firing.expected.alert,
    alertstate: 'firing',
    ...settings.selector,
    ...firing.expected.labels,
    ...alertLabels(firing, settings),
  };
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return `{${pairs.join(', ')}}`;
}
