import type { FieldConfig } from '@grafana/schema';
import type { Severity, ThresholdAlert } from '../../src/rules/thresholds.ts';
import { defaultReplicaLabels, merged, type Scope, selector, without } from './figures.ts';

/** The accounts selected on a dashboard. */
export const selectedAccounts: Scope = {
  matchers: 'job=~"$job",account=~"$account"',
  replicaLabels: defaultReplicaLabels,
};

/** The account selected on the Account dashboard. */
export const selectedAccount: Scope = {
  matchers: 'job=~"$job",account="$account"',
  replicaLabels: defaultReplicaLabels,
};

/** The scope of exporter metrics that have no label `account`. */
export const exporters: Scope = { matchers: 'job=~"$job"', replicaLabels: defaultReplicaLabels };

/** Adds label matchers to a scope. */
export function withMatchers(scope: Scope, ...matchers: string[]): Scope {
  return { ...scope, matchers: [scope.matchers, ...matchers].join(',') };
}

/** How a panel shows a series. The colour is fixed or depends on the value. */
export interface SeriesLook {
  readonly text: string;
  readonly colour: string | NonNullable<FieldConfig['thresholds']>;
}

/** One query of a panel. */
export interface Query {
  readonly expr: string;
  /** Name of the series. Grafana replaces `{{label}}` with the value of the label. */
  readonly legend?: string;
  /** Fixed colour of the series. */
  readonly colour?: string;
  /** The text and the colour of each series, by the name of the series. Every text is also translated. */
  readonly names?: Readonly<Record<string, SeriesLook>>;
}

/** Firing alerts in scope. Only the scope `selectedAccounts` includes alerts without an account, such as HostingExporterDown. */
export function firing(scope: Scope, ...matchers: string[]): string {
  const accounts = scope.matchers.replace('account=~"$account"', 'account=~"$account|"');
  return `ALERTS{${[accounts, 'alertstate="firing"', 'alertname=~"Hosting.+"', ...matchers].join(',')}}`;
}

/** Alerts in scope that are firing or pending. */
export function alerting(scope: Scope, alerts: readonly string[], ...matchers: string[]): string {
  return selector(scope, 'ALERTS', 'alertstate=~"pending|firing"', `alertname=~"${alerts.join('|')}"`, ...matchers);
}

/** The threshold of each account at which an alert fires. */
export function thresholdLine(scope: Scope, alert: ThresholdAlert, severity: Severity): string {
  return merged(scope, 'hosting_account_alert_threshold', `alert="${alert}"`, `severity="${severity}"`);
}

/** `time()` at the end of the time range. Prometheus evaluates the pinned subquery only once, not at every step. */
const rangeEnd = 'scalar(max_over_time(vector(time())[1s:1s] @ end()))';

/** Evaluates the expression at the end of the time range. A ranking is then the same at every step. */
export function atRangeEnd(expression: string): string {
  if (expression.includes(')[')) {
    throw new Error(`Cannot pin a subquery to the end of the range: ${expression}`);
  }
  return expression.replaceAll(/\}(\[[^\]]+\])?/g, '$& @ end()').replaceAll('time()', () => rangeEnd);
}

/** The mean of a raw metric over the time range. It ranks values that fluctuate. */
export function meanOverRange(scope: Scope, name: string): string {
  return `max ${without(scope)} (avg_over_time(${selector(scope, name)}[$__range] @ end()))`;
}

/** The labels that identify each kind of ranked item. */
export const rankedLabels = {
  account: 'job, account',
  collector: 'job, account, collector',
  duration: 'collector',
  site: 'job, account, site_id',
  database: 'job, account, database',
} as const;

/** One expression for each of the `count` highest items, the highest first. Each rank can then have its own colour. */
export function ranked(
  expression: string,
  thing: keyof typeof rankedLabels,
  count: number,
  rank: string = atRangeEnd(expression),
): string[] {
  return Array.from({ length: count }, (_, index) => {
    const one = index === 0 ? `topk(1, ${rank})` : `(topk(${index + 1}, ${rank}) unless topk(${index}, ${rank}))`;
    return `${expression} and on (${rankedLabels[thing]}) ${one}`;
  });
}

/** The sum of all items that are not among the `count` highest. */
export function others(expression: string, count: number, rank: string = atRangeEnd(expression)): string {
  return `sum(${expression} unless topk(${count}, ${rank}))`;
}

/** The number of results of an expression; 0 if only `of` has results. No result if neither has results. */
export function countOrZero(expression: string, of: string): string {
  return `count(${expression}) or 0 * count(${of})`;
}
