import { Document } from 'yaml';
import { alertLabels, generatedNote, links, printed } from './prometheus.ts';
import type { AlertingRule, RuleGroup } from './rule.ts';
import { disk, diskForecasts } from './scenarios/disk.ts';
import { holdings } from './scenarios/holdings.ts';
import { load } from './scenarios/load.ts';
import { owner } from './scenarios/owner.ts';
import { type Firing, type Scenario, Stage, type Theme } from './scenarios/scenario.ts';
import { collectors, exporter, provider } from './scenarios/watching.ts';
import { type Settings, settingsSchema } from './settings.ts';
import { filled } from './text.ts';
import type { AlertName } from './thresholds.ts';

/** All scenarios that hold for these settings. */
export function themes(settings: Settings): readonly Theme[] {
  const stage = new Stage(settings);
  return [exporter, provider, collectors, disk, diskForecasts, owner, load, holdings]
    .map((theme) => theme(stage))
    .flatMap(({ name, scenarios }) => {
      const held = scenarios.filter((scenario) => holds(scenario, settings));
      return [
        { name, scenarios: held.filter(({ every }) => every === undefined) },
        { name: `${name}-days`, scenarios: held.filter(({ every }) => every === 5) },
      ];
    })
    .filter(({ scenarios }) => scenarios.length > 0);
}

function holds({ defaultsOnly = [] }: Scenario, settings: Settings): boolean {
  return defaultsOnly.every((alert) => isDefault(alert, settings));
}

function isDefault(alert: AlertName, settings: Settings): boolean {
  return JSON.stringify(settings.alerts[alert]) === JSON.stringify(settingsSchema.parse({}).alerts[alert]);
}

/** One promtool test file: every scenario says to the minute what fires, and that nothing else does. */
export function testFile(theme: Theme, groups: readonly RuleGroup[], settings: Settings): string {
  const stage = new Stage(settings);
  const alerts = groups.flatMap(({ rules }) => rules.filter((rule) => 'alert' in rule));
  const document = new Document({
    rule_files: ['../hosting.rules.yml'],
    evaluation_interval: `${theme.scenarios[0]?.every ?? 1}m`,
    group_eval_order: groups.map(({ name }) => name),
    tests: theme.scenarios.map((scenario) => scenarioTest(scenario, stage.firings(scenario), alerts, settings)),
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
  const { every = 1 } = scenario;
  const moments = firings.flatMap(({ truth, from, until }) => {
    const last = until <= scenario.minutes ? [until - every, until] : [];
    return [from - every, from, ...last].map((minute) => ({ minute, alert: truth.alert }));
  });
  const distinct = new Map(moments.map((moment) => [`${moment.minute} ${moment.alert}`, moment]));
  return {
    name: scenario.name,
    interval: '1m',
    input_series: Object.entries(scenario.series).map(([series, values]) => ({ series, values })),
    alert_rule_test: [...distinct.values()]
      .filter(({ minute }) => minute >= 0)
      .toSorted((one, other) => one.minute - other.minute)
      .map(({ minute, alert }) => ({
        eval_time: `${minute}m`,
        alertname: alert,
        exp_alerts: firings
          .filter(({ truth, from, until }) => truth.alert === alert && from <= minute && minute < until)
          .map((firing) => expectedAlert(firing, minute, every, rules, settings)),
      })),
    promql_expr_test: [
      {
        expr: `count_over_time(ALERTS{alertstate="firing"}[${scenario.minutes + 1}m])`,
        eval_time: `${scenario.minutes}m`,
        exp_samples: firings.map((firing) => ({
          labels: seriesText({
            alertname: firing.truth.alert,
            alertstate: 'firing',
            ...expectedLabels(firing, rules, settings),
          }),
          value: (firing.until - firing.from) / every,
        })),
      },
    ],
  };
}

function ruleOf({ truth, severity }: Firing, rules: readonly AlertingRule[]): AlertingRule {
  const rule = rules.find((one) => one.alert === truth.alert && one.severity === severity);
  if (rule === undefined) {
    throw new Error(`no rule for ${truth.alert} at ${severity}`);
  }
  return rule;
}

function expectedLabels(firing: Firing, rules: readonly AlertingRule[], settings: Settings) {
  return { ...settings.selector, ...firing.truth.labels, ...alertLabels(ruleOf(firing, rules), settings) };
}

function expectedAlert(
  firing: Firing,
  minute: number,
  every: number,
  rules: readonly AlertingRule[],
  settings: Settings,
): unknown {
  const rule = ruleOf(firing, rules);
  const labels = expectedLabels(firing, rules, settings);
  // After its condition has ended an alert is kept with the value that it had last.
  const ends = Math.ceil((firing.truth.until ?? Number.POSITIVE_INFINITY) / every) * every;
  const judged = Math.min(minute, ends - every);
  const { value } = firing.truth;
  const { runbook_url, dashboard_url } = links(rule, settings);
  const { account = '' }: { readonly account?: string } = labels;
  const filling = {
    labels,
    value: typeof value === 'number' ? value : value(judged),
    ...(firing.truth.answers && { answers: firing.truth.answers(judged) }),
  };
  return {
    exp_labels: labels,
    exp_annotations: {
      summary: rule.summary,
      description: filled(rule.description, filling),
      runbook_url,
      dashboard_url: dashboard_url.replace(/{{.*}}/, encodeURIComponent(account)),
    },
  };
}

function seriesText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return `{${pairs.join(', ')}}`;
}
