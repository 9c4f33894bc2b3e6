import type { FieldConfig } from '@grafana/schema';
import { defaultReplicaLabels, type Scope, selector, without } from '../../src/rules/figures.ts';
import { decimal } from '../../src/rules/rule-settings.ts';
import { type AlertName, type Severity, type Thresholds, thresholds } from '../../src/rules/thresholds.ts';

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

/** One query of a panel. */
export interface Query {
  readonly expr: string;
  /** Name of the series; Grafana replaces `{{label}}`. */
  readonly legend?: string;
  /** Fixed colour of the series. */
  readonly colour?: string;
  /** The colour or the thresholds of each series, by the name of the series. Every name is also translated. */
  readonly names?: Readonly<Record<string, string | NonNullable<FieldConfig['thresholds']>>>;
}

/** Firing alerts in scope. Only the scope `selectedAccounts` includes alerts without an account, such as HostingExporterDown. */
export function firing(scope: Scope, ...matchers: string[]): string {
  const accounts = scope.matchers.replace('account=~"$account"', 'account=~"$account|"');
  return `ALERTS{${[accounts, 'alertstate="firing"', 'alertname=~"Hosting.+"', ...matchers].join(',')}}`;
}

/** Options of `pastThreshold`. */
export interface Comparison {
  /** Labels of the subject in addition to the labels of its account, such as `domain`. */
  readonly detail?: readonly string[];
  /** A vector with the same accounts as the subject, which costs less to compute. Default: the subject. */
  readonly accounts?: string;
  /** The distance below the threshold from which the comparison holds. */
  readonly early?: number;
}

/** The threshold of each account: the configured override or the default. */
function threshold(
  scope: Scope,
  alert: AlertName,
  severity: Severity,
  accounts: string,
  { detail = [], early = 0 }: Comparison,
): string {
  const { direction, levels }: Thresholds = thresholds[alert];
  const calmer = direction === 'below' ? 'min' : 'max';
  const own = `hosting_account_alert_threshold{${scope.matchers},alert="${alert}",severity="${severity}"}`;
  const shift = early === 0 ? '' : ` - ${decimal(early)}`;
  const common = `${decimal((levels[severity]?.value ?? 0) - early)} * group without (${detail.join(', ')}) (${accounts})`;
  return `(${calmer} ${without(scope, 'alert', 'severity')} (${own})${shift} or ${common})`;
}

/** The values of `subject` that have reached the threshold of their account, by the same comparison as in the alert. */
export function pastThreshold(
  scope: Scope,
  alert: AlertName,
  severity: Severity,
  subject: string,
  comparison: Comparison = {},
): string {
  const { direction }: Thresholds = thresholds[alert];
  const { detail = [], accounts = subject } = comparison;
  const matching = detail.length === 0 ? '' : ` ignoring (${detail.join(', ')}) group_left ()`;
  const operator = direction === 'below' ? '<' : '>=';
  return `(${subject} ${operator}${matching} ${threshold(scope, alert, severity, accounts, comparison)})`;
}

/** The threshold of each account, for a line in a graph. */
export function thresholdLine(scope: Scope, alert: AlertName, severity: Severity, accounts: string): string {
  return threshold(scope, alert, severity, accounts, {});
}

/** Whether the alert exists with this severity. */
export function hasSeverity(alert: AlertName, severity: Severity): boolean {
  const { levels }: Thresholds = thresholds[alert];
  return levels[severity] !== undefined;
}

/** `time()` at the end of the time range. The pinned subquery is evaluated once and not at every step. */
const rangeEnd = 'scalar(max_over_time(vector(time())[1s:1s] @ end()))';

/** Evaluates the expression at the end of the time range, so that a ranking is the same at every step. */
export function atRangeEnd(expression: string): string {
  if (expression.includes(')[')) {
    throw new Error(`Cannot pin a subquery to the end of the range: ${expression}`);
  }
  return expression.replaceAll(/\}(\[[^\]]+\])?/g, '$& @ end()').replaceAll('time()', () => rangeEnd);
}

/** The mean of a raw metric over the time range, to rank values that fluctuate. */
export function meanOverRange(scope: Scope, name: string): string {
  return `max ${without(scope)} (avg_over_time(${selector(scope, name)}[$__range] @ end()))`;
}

/** The labels that identify each kind of ranked item. */
export const rankedLabels = {
  account: 'job, account',
  collector: 'job, account, collector',
  site: 'job, account, site_id',
  database: 'job, account, database',
} as const;

/**
 * One expression for each of the `count` highest items, the highest first, so that each rank has its own colour. The
 * items are selected first, because computing the expression for all accounts at every step would be too expensive.
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

/** The sum of all items that are not among the `count` highest. */
export function others(expression: string, count: number, rank: string = atRangeEnd(expression)): string {
  return `sum(${expression} unless topk(${count}, ${rank}))`;
}

/** The number of results of an expression. 0 if only `of` has results, and no result if `of` has no results either. */
export function countOrZero(expression: string, of: string): string {
  return `count(${expression}) or 0 * count(${of})`;
}
