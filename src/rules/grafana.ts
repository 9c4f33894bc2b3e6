import { Document } from 'yaml';
import { parseDuration } from './duration.ts';
import { alertLabels, annotate, generatedNote, links, printed } from './prometheus.ts';
import type { AlertingRule, RecordingRule, RuleGroup } from './rule.ts';
import type { Settings } from './settings.ts';
import { grafanaTemplate } from './template.ts';

/** UID of Grafana's pseudo data source, which evaluates expressions on query results. */
const expressions = '__expr__';

/**
 * A provisioning file with the alerts as Grafana-managed rules. These rules query only raw series, so Prometheus requires no recording
 * rules.
 */
export function grafanaAlerts(groups: readonly RuleGroup[], settings: Settings): string {
  const records = groups.flatMap(({ rules }) => rules.filter((rule) => 'record' in rule));
  const alerting = groups.map(({ name, rules }) => ({ name, rules: rules.filter((rule) => 'alert' in rule) }));
  const document = new Document({
    apiVersion: 1,
    groups: alerting.map(({ name, rules }) => ({
      orgId: 1,
      name,
      folder: 'Hosting',
      interval: '1m',
      rules: rules.map((rule) => grafanaRule(rule, records, settings)),
    })),
  });
  document.commentBefore = `${generatedNote}\n Copy this file to provisioning/alerting. The uid of the data source must be the value of datasourceUid.`;
  annotate(document, ['groups'], alerting);
  return printed(document);
}

function grafanaRule(rule: AlertingRule, records: readonly RecordingRule[], settings: Settings): unknown {
  return {
    uid: `${rule.alert.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase()}-${rule.severity}`,
    title: `${rule.alert} (${rule.severity})`,
    condition: 'B',
    for: rule.for,
    ...(rule.keepFiringFor !== undefined && { keepFiringFor: rule.keepFiringFor }),
    // The query returns only series for which the alert applies, so no data means OK. If a query fails, most rules keep their
    // state. For rules that monitor the exporter, a failed query fires Grafana's alert DatasourceError.
    noDataState: 'OK',
    execErrState: watchesExporter(rule) ? 'Error' : 'KeepLast',
    isPaused: false,
    // Grafana sets alertname to the title. The label `alert` contains the name that runbooks and routes use.
    labels: { alert: rule.alert, ...alertLabels(rule, settings) },
    annotations: {
      summary: rule.summary,
      description: grafanaTemplate(rule.description, settings.language),
      ...links(rule, settings),
    },
    data: [
      {
        refId: 'A',
        relativeTimeRange: { from: 600, to: 0 },
        datasourceUid: settings.grafanaDatasourceUid,
        model: { refId: 'A', editorMode: 'code', expr: rawExpression(rule.expr, records), instant: true, range: false },
      },
      {
        refId: 'B',
        relativeTimeRange: { from: 0, to: 0 },
        datasourceUid: expressions,
        // True for any value that the query returns, including 0 and negative numbers.
        model: {
          refId: 'B',
          type: 'math',
          expression: 'is_number($A)',
          datasource: { type: expressions, uid: expressions },
        },
      },
    ],
  };
}

function watchesExporter({ alert, severity }: AlertingRule): boolean {
  return severity === 'critical' && (alert === 'HostingExporterDown' || alert === 'HostingExporterAbsent');
}

const recorded = /\b((?:account|instance|job)\w*:\w+:\w+)(?:\{([^}]*)\})?(?:\[(\w+)(?::(\w+))?\])?( offset \w+)?/g;

/** The expression with every recorded series replaced by the expression that records it. */
function rawExpression(expr: string, records: readonly RecordingRule[]): string {
  return expr.replaceAll(recorded, (_, name: string, matchers?: string, range?: string, step?: string, offset = '') => {
    const source = `(${rawExpression(definition(name, matchers ?? '', records), records)})`;
    if (range !== undefined) {
      return `${source}[${range}:${step ?? stepOf(range)}]${offset}`;
    }
    // An offset on an expression requires a subquery. last_over_time returns the newest step of the subquery.
    return offset === '' ? source : `last_over_time(${source}[2m:1m]${offset})`;
  });
}

/** The expressions of all rules that record the series `name` with labels that fit the matchers. */
function definition(name: string, matchers: string, records: readonly RecordingRule[]): string {
  const rules = records.filter(
    ({ record, labels = {} }) => record === name && matchers.split(',').every((matcher) => selects(matcher, labels)),
  );
  if (rules.length === 0) {
    throw new Error(`no rule records ${name}`);
  }
  const isOne = rules.length === 1 && matchers !== '';
  return rules.map(({ expr, labels = {} }) => (isOne ? expr : labelled(expr, labels))).join('\nor\n');
}

function selects(matcher: string, labels: Readonly<Record<string, string>>): boolean {
  const [, name = '', operator, value] = /^(\w+)(=|!=)"(.*)"$/.exec(matcher) ?? [];
  return name === '' || (labels[name] === value) === (operator === '=');
}

function labelled(expr: string, labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels).reduce(
    (inner, [name, value]) => `label_replace(${inner}, "${name}", "${value}", "", "")`,
    expr,
  );
}

/** The step of a subquery. In ranges over three hours, the interval of the collector `account` (5m) is sufficient. */
function stepOf(range: string): string {
  return parseDuration(range) > 3 * 3600 ? '5m' : '1m';
}
