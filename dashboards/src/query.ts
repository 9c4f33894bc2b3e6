import type { FieldConfig } from '@grafana/schema';
import { defaultReplicaLabels, type Scope, selector, without } from '../../src/rules/figures.ts';
import { decimal } from '../../src/rules/rule.ts';
import { type AlertName, type Severity, type Thresholds, thresholds } from '../../src/rules/thresholds.ts';

/** All accounts that the reader has chosen. */
export const selectedAccounts: Scope = {
  matchers: 'job=~"$job",account=~"$account"',
  replicaLabels: defaultReplicaLabels,
};

/** The one account of the Account dashboard. */
export const selectedAccount: Scope = {
  matchers: 'job=~"$job",account="$account"',
  replicaLabels: defaultReplicaLabels,
};

/** What the exporter says of itself as a whole. */
export const exporters: Scope = { matchers: 'job=~"$job"', replicaLabels: defaultReplicaLabels };

/** A name inside the scope. */
export function withMatchers(scope: Scope, ...matchers: string[]): Scope {
  return { ...scope, matchers: [scope.matchers, ...matchers].join(',') };
}

/** One question of a panel. */
export interface Query {
  readonly expr: string;
  /** What the series is called; Grafana fills in `{{label}}`. */
  readonly legend?: string;
  /** A colour whatever the value. */
  readonly colour?: string;
  /** Colours by value, where one query of a panel has others than the rest. */
  readonly thresholds?: NonNullable<FieldConfig['thresholds']>;
}

/** Firing alerts in scope; those of no account in particular, such as an unreachable provider, belong to every scope. */
export function firing(scope: Scope, ...matchers: string[]): string {
  const accounts = scope.matchers.replace('account=~"$account"', 'account=~"$account|"');
  return `ALERTS{${[accounts, 'alertstate="firing"', 'alertname=~"Hosting.+"', ...matchers].join(',')}}`;
}

/** Every account's threshold: its own where its configuration overrides the default. `detail` are labels below the account. */
function threshold(
  scope: Scope,
  alert: AlertName,
  severity: Severity,
  subject: string,
  detail: readonly string[],
): string {
  const { direction, levels }: Thresholds = thresholds[alert];
  const calmer = direction === 'below' ? 'min' : 'max';
  const own = `hosting_account_alert_threshold{${scope.matchers},alert="${alert}",severity="${severity}"}`;
  const common = `${decimal(levels[severity]?.value ?? 0)} * group without (${detail.join(', ')}) (${subject})`;
  return `(${calmer} ${without(scope, 'alert', 'severity')} (${own}) or ${common})`;
}

/** `subject` where it has passed its account's threshold: the very comparison of the alert. */
export function pastThreshold(
  scope: Scope,
  alert: AlertName,
  severity: Severity,
  subject: string,
  ...detail: string[]
): string {
  const { direction }: Thresholds = thresholds[alert];
  const matching = detail.length === 0 ? '' : ` ignoring (${detail.join(', ')}) group_left ()`;
  const comparison = direction === 'below' ? '<' : '>=';
  return `(${subject} ${comparison}${matching} ${threshold(scope, alert, severity, subject, detail)})`;
}

/** The threshold itself, for a line in a graph. */
export function thresholdLine(scope: Scope, alert: AlertName, severity: Severity, subject: string): string {
  return threshold(scope, alert, severity, subject, []);
}

/** Whether the alert has this severity at all. */
export function hasSeverity(alert: AlertName, severity: Severity): boolean {
  const { levels }: Thresholds = thresholds[alert];
  return levels[severity] !== undefined;
}

/** `time()` at the right edge of the graph. Pinned by a subquery Prometheus asks for it once and not at every step. */
const rangeEnd = 'scalar(max_over_time(vector(time())[1s:1s] @ end()))';

/** The expression as it is at the right edge of the graph, so that a rank holds for the whole of it. */
export function atRangeEnd(expression: string): string {
  if (expression.includes(')[')) {
    throw new Error(`A subquery cannot be pinned to the end: ${expression}`);
  }
  return expression.replaceAll(/\}(\[[^\]]+\])?/g, '$& @ end()').replaceAll('time()', () => rangeEnd);
}

/** The mean of a raw metric over the whole graph: a fairer rank than its last value where it goes up and down. */
export function meanOverRange(scope: Scope, name: string): string {
  return `max ${without(scope)} (avg_over_time(${selector(scope, name)}[$__range] @ end()))`;
}

/** What is ranked: accounts, or things inside them; the labels that name one of them. */
export const rankedLabels = {
  account: 'job, account',
  collector: 'job, account, collector',
  site: 'job, account, site_id',
  database: 'job, account, database',
} as const;

/**
 * One query for each of the highest, the highest first, so that each rank keeps its colour. The few are picked out
 * before anything is computed: over all accounts of a fleet every step of the graph would cost too much.
 */
export function ranked(
  expression: string,
  thing: keyof typeof rankedLabels,
  count: number,
  rank: string = atRangeEnd(expression),
): string[] {
  return Array.from({ length: count }, (_, index) => {
    const one = index === 0 ? `topk(1, ${rank})` : `(topk(${index + 1}, ${rank}) unless topk(${index}, ${rank}))`;
    const picked = expression.replaceAll(
      /\w+\{[^}]*\}(?!\[)/g,
      (found) => `(${found} and on (${rankedLabels[thing]}) ${one})`,
    );
    return expression.includes('}[') ? `${picked} and ${one}` : picked;
  });
}

/** All that are not among the highest, as one. */
export function others(expression: string, count: number, rank: string = atRangeEnd(expression)): string {
  return `sum(${expression} unless topk(${count}, ${rank}))`;
}

/** How many there are; 0 only where `of` shows that somebody looked, and nothing where nobody did. */
export function countOrZero(expression: string, of: string): string {
  return `count(${expression}) or 0 * count(${of})`;
}
