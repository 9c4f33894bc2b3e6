import { Document } from 'yaml';
import { facts } from './facts.ts';
import { alertLabels, generatedNote, links, printed } from './prometheus.ts';
import type { AlertingRule, RuleGroup } from './rule.ts';
import { billing } from './scenarios/billing.ts';
import { disk, diskForecasts } from './scenarios/disk.ts';
import { collectors, exporter, provider } from './scenarios/exporter-health.ts';
import { perHalfMinute } from './scenarios/half-minutes.ts';
import { inventory } from './scenarios/inventory.ts';
import { load } from './scenarios/load.ts';
import { realLife } from './scenarios/real-life.ts';
import {
  evaluationMinutes,
  type Firing,
  nextEvaluation,
  type QueryResults,
  type Scenario,
  ScenarioBuilder,
  type TestSuite,
} from './scenarios/scenario.ts';
import { type Settings, settingsSchema } from './settings.ts';
import { type Query, type QueryResult, render } from './template.ts';
import type { AlertName } from './thresholds.ts';

/** The test suites with the scenarios that apply to these settings. Scenarios over days get a suite `<name>-days`. */
export function testSuites(settings: Settings): readonly TestSuite[] {
  const builder = new ScenarioBuilder(settings);
  return [exporter, provider, collectors, disk, diskForecasts, billing, load, inventory, realLife]
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

/** A promtool test file. Each scenario states to the minute which alerts fire, and that no others do. */
export function testFile(suite: TestSuite, groups: readonly RuleGroup[], settings: Settings): string {
  const builder = new ScenarioBuilder(settings);
  const alerts = groups.flatMap(({ rules }) => rules.filter((rule) => 'alert' in rule));
  const overDays = suite.scenarios.some((scenario) => scenario.overDays);
  const document = new Document({
    rule_files: ['../hosting.rules.yml'],
    evaluation_interval: `${evaluationMinutes({ overDays })}m`,
    group_eval_order: groups.map(({ name }) => name),
    tests: suite.scenarios.map((scenario) => scenarioTest(scenario, builder.firings(scenario), alerts, settings)),
  });
  document.commentBefore = generatedNote;
  return printed(document);
}

function scenarioTest(
  scenario: Scenario,
  firings: readonly Firing[],
  rules: readonly AlertingRule[],
  settings: Settings,
): unknown {
  const interval = evaluationMinutes(scenario);
  const moments = firings.flatMap((firing) => {
    const { expected, from, until } = firing;
    const versions = earlierWithPrometheus3(firing, interval);
    const before = (minute: number) => minute - (versions === minute - interval ? 2 : 1) * interval;
    const last = until <= scenario.minutes ? [before(until), until] : [];
    return [before(from), from, ...last].map((minute) => ({ minute, alert: expected.alert }));
  });
  const distinct = new Map(moments.map((moment) => [`${moment.minute} ${moment.alert}`, moment]));
  return {
    name: scenario.name,
    interval: scenario.sampleSeconds === undefined ? '1m' : `${scenario.sampleSeconds}s`,
    input_series: Object.entries(scenario.series).map(([series, values]) => ({
      series,
      values: scenario.sampleSeconds === undefined ? values : perHalfMinute(values),
    })),
    alert_rule_test: [...distinct.values()]
      .filter(({ minute }) => minute >= 0)
      .toSorted((one, other) => one.minute - other.minute)
      .map(({ minute, alert }) => ({
        eval_time: `${minute}m`,
        alertname: alert,
        exp_alerts: firings
          .filter(({ expected, from, until }) => expected.alert === alert && from <= minute && minute < until)
          .map((firing) => expectedAlert(firing, minute, scenario, rules, settings)),
      })),
    promql_expr_test: periods(scenario, firings).map((period) =>
      firingTest(period, scenario, firings, rules, settings),
    ),
  };
}

/** Minutes of two evaluations, inclusive. */
interface Period {
  readonly first: number;
  readonly last: number;
}

/** The evaluation at which only Prometheus 3 has started or ended the alert; undefined if there is none. */
function earlierWithPrometheus3({ expected, from, until }: Firing, interval: number): number | undefined {
  if (expected.recordLeavesWindow === undefined) return undefined;
  return (expected.recordLeavesWindow === 'start' ? from : until) - interval;
}

/** The scenario, without the evaluations at which the state of an alert depends on the version of Prometheus. */
function periods(scenario: Scenario, firings: readonly Firing[]): readonly Period[] {
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

/** Counts the evaluations of a period at which alerts fire. */
function firingTest(
  { first, last }: Period,
  scenario: Scenario,
  firings: readonly Firing[],
  rules: readonly AlertingRule[],
  settings: Settings,
): unknown {
  const interval = evaluationMinutes(scenario);
  const seconds = (last - first) * 60 + 30;
  return {
    // The window begins between two evaluations.
    expr: `count_over_time(ALERTS{alertstate="firing"}[${first === 0 ? `${last + 1}m` : `${seconds}s`}])`,
    eval_time: `${last}m`,
    exp_samples: firings
      .map((firing) => {
        const end = Math.min(firing.until, last + interval);
        return { firing, evaluations: (end - Math.max(firing.from, first)) / interval };
      })
      .filter(({ evaluations }) => evaluations > 0)
      .map(({ firing, evaluations }) => ({
        labels: seriesText({
          alertname: firing.expected.alert,
          alertstate: 'firing',
          ...expectedLabels(firing, rules, settings),
        }),
        value: evaluations,
      })),
  };
}

function ruleOf({ expected, severity }: Firing, rules: readonly AlertingRule[]): AlertingRule {
  const rule = rules.find((one) => one.alert === expected.alert && one.severity === severity);
  if (rule === undefined) {
    throw new Error(`no rule for ${expected.alert} with severity ${severity}`);
  }
  return rule;
}

function expectedLabels(firing: Firing, rules: readonly AlertingRule[], settings: Settings) {
  return { ...settings.selector, ...firing.expected.labels, ...alertLabels(ruleOf(firing, rules), settings) };
}

function expectedAlert(
  firing: Firing,
  minute: number,
  scenario: Scenario,
  rules: readonly AlertingRule[],
  settings: Settings,
): unknown {
  const rule = ruleOf(firing, rules);
  const labels = expectedLabels(firing, rules, settings);
  const { value, queryResults, until = Number.POSITIVE_INFINITY } = firing.expected;
  // During keep_firing_for, the alert keeps the value of the last evaluation at which its condition held.
  const lastHolding = nextEvaluation(until, scenario) - evaluationMinutes(scenario);
  const valueMinute = Math.min(minute, lastHolding);
  const { runbook_url, dashboard_url } = links(rule, settings);
  const { account = '' }: { readonly account?: string } = labels;
  const data = {
    labels,
    value: typeof value === 'number' ? value : value(valueMinute),
    ...(queryResults && { queryResults: byQuery(queryResults(valueMinute)) }),
  };
  return {
    exp_labels: labels,
    exp_annotations: {
      summary: rule.summary,
      description: render(rule.description, data, settings.language),
      runbook_url,
      dashboard_url: dashboard_url.replace(/{{.*}}/, encodeURIComponent(account)),
    },
  };
}

function byQuery(results: QueryResults): ReadonlyMap<Query, QueryResult> {
  return new Map(
    Object.entries(results).flatMap(([name, result]) =>
      result === undefined ? [] : [[facts[name as keyof typeof facts], result]],
    ),
  );
}

function seriesText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return `{${pairs.join(', ')}}`;
}
