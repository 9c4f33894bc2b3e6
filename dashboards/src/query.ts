/** A reference to a Grafana variable. The linter would report a literal `${...}` as a forgotten template string. */
export function placeholder(name: string): string {
  return `\${${name}}`;
}

/** One query of a panel. */
export interface Query {
  readonly expr: string;
  /** Name of the series. Grafana replaces `{{label}}` with the value of the label. */
  readonly legend?: string;
  /** Fixed colour of the series. */
  readonly colour?: string;
  /** Draws a dashed line without fill, for limits and forecasts. */
  readonly dashed?: boolean;
}

const job = 'job=~"$job"';

/** The matcher of the selected accounts. `quoted` changes it, so that it is valid for any name. */
const account = 'account=~"$account"';

/**
 * Makes a query valid for any account name. With Grafana's default interpolation, a quotation mark in a name breaks the query. A backquoted
 * regular expression requires no second escaping.
 */
export function quoted(expr: string): string {
  return expr.replaceAll(/"\$account(\|?)"/g, `\`${placeholder('account:regex')}$1\``);
}

function selector(name: string, matchers: readonly string[]): string {
  return `${name}{${matchers.join(',')}}`;
}

/** The series of the selected accounts. The exporters of an HA pair share one recorded series. */
export function series(name: string, ...matchers: string[]): string {
  return selector(name, [job, account, ...matchers]);
}

/** The series of the selected accounts, without the labels by which the exporters of an HA pair differ. */
export function merged(name: string, ...matchers: string[]): string {
  return `max without (instance, pod) (${series(name, ...matchers)})`;
}

/** Series without the label `account`, such as those about the process. */
export function exporterSeries(name: string, ...matchers: string[]): string {
  return selector(name, [job, ...matchers]);
}

/** The newest sample of a record in the group hosting-history. Prometheus evaluates this group every 15 minutes. */
export function slow(record: string, ...matchers: string[]): string {
  return `last_over_time(${series(record, ...matchers)}[1h])`;
}

/** Alerts of the selected accounts, and alerts without an account, such as HostingExporterDown. */
export function firing(...matchers: string[]): string {
  const accounts = account.replace(/"$/, '|"');
  return selector('ALERTS', [job, accounts, 'alertstate="firing"', 'alertname=~"Hosting.+"', ...matchers]);
}

/** Firing alerts with this severity. Like Alertmanager's inhibition, omits a warning while the critical alert fires. */
export function firingOnce(severity: 'critical' | 'warning', ...matchers: readonly string[]): string {
  const critical = firing(...matchers, 'severity="critical"');
  if (severity === 'critical') return critical;
  return `${firing(...matchers, 'severity="warning"')} unless ignoring (severity) ${critical}`;
}

/** Aggregates by account only. */
export function perAccount(expression: string, operator: 'max' | 'min' | 'sum' = 'max'): string {
  return `${operator} by (account) (${expression})`;
}

/** The change of a raw metric within `time`. No result if the metric is younger than `time`. */
export function change(name: string, time: string): string {
  return `(${merged(name)} - max without (instance, pod) (${series(name)} offset ${time}))`;
}

/** Seconds since a time in Unix seconds. */
export function age(metric: string, ...matchers: string[]): string {
  return `(time() - ${merged(metric, ...matchers)})`;
}

/** The end of the time range, in Unix seconds. The subquery is evaluated once and not at every step. */
const rangeEnd = 'scalar(max_over_time(vector(time())[1s:1s] @ end()))';

/** Evaluates the expression at the end of the time range. A ranking is then the same at every step. */
export function atRangeEnd(expression: string): string {
  return expression.replaceAll(/\}(\[[^\]]+\])?/g, '$& @ end()').replaceAll('time()', () => rangeEnd);
}

/** The mean of a raw metric over the time range. Use this mean to rank values that fluctuate. */
export function meanOverRange(name: string): string {
  return `max without (instance, pod) (avg_over_time(${series(name)}[$__range] @ end()))`;
}

/** The `count` highest series, the same at every step. The values at the end of the time range, or `rank`, determine the order. */
export function highest(
  count: number,
  expression: string,
  labels: string,
  rank: string = atRangeEnd(expression),
): string {
  return `${expression} and on (${labels}) topk(${count}, ${rank})`;
}

/** Adds the label to each expression, with the name as its value, so that one query returns the series of all expressions. */
export function named(label: string, expressions: Readonly<Record<string, string>>): string {
  return Object.entries(expressions)
    .map(([name, expression]) => `label_replace(${expression}, "${label}", "${name}", "", "")`)
    .join(' or ');
}
