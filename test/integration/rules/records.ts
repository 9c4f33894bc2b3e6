import type { Rule } from '../../../src/rules/rule.ts';
import { alertCases } from './records/alerts.ts';
import { collectorCases } from './records/collectors.ts';
import { diskCases } from './records/disk.ts';
import { figureCases } from './records/figures.ts';
import { healthCases } from './records/health.ts';
import { historyCases } from './records/history.ts';
import { problemCases } from './records/problems.ts';
import type { RuleCase } from './records/rule-case.ts';
import { thresholdCases } from './records/thresholds.ts';
import { waits } from './records/waits.ts';
import { inFolder, run } from './run-tool.ts';

/** Cases of every rule. promtool evaluates only the expression of the rule, as a query on the given series. */
export const ruleCases: readonly RuleCase[] = [
  ...healthCases,
  ...thresholdCases,
  ...collectorCases,
  ...figureCases,
  ...historyCases,
  ...diskCases,
  ...alertCases,
  ...problemCases,
];

/** A rule as the cases name it: a record with its labels, or an alert with its severity. */
export function ruleName(rule: Rule): string {
  if ('alert' in rule) return `${rule.alert} ${rule.severity}`;
  const labels = Object.entries(rule.labels ?? {}).map(([name, value]) => `${name}="${value}"`);
  return labels.length === 0 ? rule.record : `${rule.record}{${labels.join(',')}}`;
}

/** `metric{a="1"}` as `metric{job="hosting",a="1"}`. */
function withJob(series: string): string {
  const [, metric = '', labels = ''] = /^([^{]*)(?:\{(.*)\})?$/.exec(series) ?? [];
  return `${metric}{${['job="hosting"', labels].filter((part) => part !== '').join(',')}}`;
}

function testGroup({ rule, promise, interval = '1m', digits, given, results }: RuleCase, expr: string): object {
  // A recorded series and an alert have another name than the series that they read.
  const unnamed = `label_replace(${expr}\n, "__name__", "", "", "")`;
  const rounded = digits === undefined ? unnamed : `round(${unnamed}, 1e-${digits})`;
  return {
    interval,
    input_series: Object.entries(given).map(([series, values]) => ({ series: withJob(series), values })),
    promql_expr_test: Object.entries(results).map(([time, samples]) => ({
      // promtool 2.42 names a failing case only by its query.
      expr: `${rounded} # ${rule}: ${promise}`,
      eval_time: time,
      exp_samples: Object.entries(samples).map(([labels, value]) => ({ labels: withJob(`{${labels}}`), value })),
    })),
  };
}

/** The alerts of these rules that wait or keep firing for another time than listed. */
export function otherWaits(rules: readonly Rule[]): readonly string[] {
  return rules.flatMap((rule) => {
    if (!('alert' in rule)) return [];
    const [wait, keepFiringFor] = waits[ruleName(rule)] ?? [];
    return rule.for === wait && rule.keepFiringFor === keepFiringFor ? [] : [ruleName(rule)];
  });
}

/** The output of promtool for the cases of these rules that fail. */
export async function failuresOfRules(rules: readonly Rule[]): Promise<string> {
  const exprs = new Map(rules.map((rule) => [ruleName(rule), rule.expr]));
  const tests = ruleCases.flatMap((one) => {
    const expr = exprs.get(one.rule);
    return expr === undefined ? [] : [testGroup(one, expr)];
  });
  if (tests.length === 0) return '';
  const file = JSON.stringify({ evaluation_interval: '1m', tests });
  const { code, output } = await inFolder([['records.yml', file]], (folder) =>
    run('promtool', 'test', 'rules', `${folder}/records.yml`),
  );
  if (output.includes('parse error')) throw new Error(output);
  return code === 0 ? '' : output;
}
