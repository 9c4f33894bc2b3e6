import { readFileSync } from 'node:fs';
import { Document, isMap, parse, parseDocument, type YAMLMap } from 'yaml';
import { packageFolder } from '../config/values/package-folder.ts';
import type { Language } from './languages.ts';
import type { Severity } from './thresholds.ts';

/** Contains the rules, which people edit, and the files that are derived from the rules. */
const folder = new URL('alerts/', packageFolder);

/** `withoutPage`: alerts without a page URL, because the exporter may be down. `withList`: alerts that link to the list of all accounts. */
const withoutPage = /Exporter(?:Down|Absent|Restarting)|ScrapedTooRarely/;
const withList = /AccountMissing|ProviderUnreachable|MostLoginsRejected/;

/** The path of an account's page, as in `linkToAccount` of src/pages. Puts a name that a path cannot contain into the query. */
const accountPage = `/accounts{{ if match "^[.]{1,2}$|[.](json|svg)$" $labels.account }}?name={{ $labels.account | urlquery }}{{ else }}/{{ $labels.account | urlquery | reReplaceAll "[+]" "%20" }}{{ end }}`;

/** Base URL of the English runbooks. Runbooks in another language are in a folder named after the language. */
export const publishedRunbooks =
  'https://github.com/hosting-account-exporter/hosting-account-exporter/blob/main/docs/runbooks';

/** The changes that the command `rules` can make to the rules. */
export interface Changes {
  readonly language?: Language | undefined;
  /** Matchers that replace `job="hosting"`. */
  readonly selector?: string | undefined;
  /** Labels that every alert gets. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Labels that alerts copy from their account, such as `customer`. */
  readonly accountLabels?: readonly string[] | undefined;
  readonly severities?: Readonly<Partial<Record<Severity, string>>>;
  /** Base URLs of the runbooks, of Grafana and of the exporter's pages. */
  readonly runbooks?: string | undefined;
  readonly pages?: string | undefined;
  readonly dashboards?: string | undefined;
  /** Alerts to leave out: `Alert` or `Alert:severity`. */
  readonly off?: readonly string[] | undefined;
}

interface Rule {
  readonly alert?: string;
  readonly labels: { readonly severity: Severity };
  readonly annotations: Readonly<Record<string, string>>;
  readonly expr: string;
  readonly for: string;
  readonly keep_firing_for?: string;
}

interface Group {
  readonly name: string;
  readonly interval?: string;
  readonly rules: readonly Rule[];
}

type RussianTexts = Readonly<Record<string, Readonly<Record<string, string | Readonly<Record<string, string>>>>>>;

/** Applies the changes to the rules. Returns the text of each derived file by its path in the folder `alerts`. */
export function derive(changes: Changes = {}): ReadonlyMap<string, string> {
  const { language = 'en' } = changes;
  const rules = ruleDocument(changes);
  return new Map([
    ['hosting.rules.yml', isUnchanged(changes) ? source('hosting.rules.yml') : print(rules)],
    ...(language === 'en'
      ? [['hosting.rules.ru.yml', print(note(ruleDocument({ ...changes, language: 'ru' })))] as const]
      : []),
    ['hosting.records.yml', print(note(withoutAlerts(ruleDocument(changes))))],
    ['prometheusrule.yml', print(prometheusRule(ruleDocument(changes)))],
    ['grafana-alerts.yml', print(grafanaAlerts(rules))],
    ['alertmanager.example.yml', alertmanagerExample(changes)],
    ...['templates/hosting.tmpl', 'templates/hosting.ru.tmpl'].map(
      (path) => [path, renamed(source(path), changes, (severity) => `.Labels.severity "${severity}"`)] as const,
    ),
  ]);
}

function isUnchanged(changes: Changes): boolean {
  return Object.values(changes).every((value) => value === undefined || Object.keys(value).length === 0);
}

function source(path: string): string {
  return readFileSync(new URL(path, folder), 'utf8');
}

function print(document: Document): string {
  return document.toString({ lineWidth: 0, blockQuote: 'literal' });
}

/** Replaces the comment at the top of the rules, because a derived file must not be edited. */
function note(document: Document, comment = ''): Document {
  document.commentBefore = ` Derived from hosting.rules.yml by \`npm run rules\`. Do not edit.${comment}`;
  return document;
}

/** Returns hosting.rules.yml with the changes applied. Keeps the comments of the file. */
function ruleDocument(changes: Changes): Document {
  const { selector = 'job="hosting"', accountLabels = [] } = changes;
  const document = parseDocument(source('hosting.rules.yml').replaceAll('job="hosting"', selector));
  const russianTexts: RussianTexts = changes.language === 'ru' ? parse(source('texts.ru.yml')) : {};
  for (const { items } of groupsOf(document)) {
    items.splice(0, items.length, ...items.filter((rule) => !isOff(rule, changes)));
    for (const rule of items.filter((one) => one.has('alert'))) change(rule, changes, russianTexts);
  }
  if (accountLabels.length > 0)
    groupsOf(document)[0]?.items.push(document.createNode(accountLabelRecord(changes)) as YAMLMap);
  return document;
}

function groupsOf(document: Document): readonly { readonly items: YAMLMap[] }[] {
  const groups = document.get('groups') as { readonly items: readonly YAMLMap[] };
  return groups.items.map((group) => group.get('rules') as { readonly items: YAMLMap[] });
}

function nameOf(rule: YAMLMap): readonly [alert: string, severity: Severity] {
  return [String(rule.get('alert')), rule.getIn(['labels', 'severity']) as Severity];
}

/** Whether `written` names an alert of the rules, as `Alert` or `Alert:severity`. */
export function isAlert(written: string): boolean {
  const alerts = groupsOf(parseDocument(source('hosting.rules.yml'))).flatMap(({ items }) => items);
  return alerts.some((rule) => isOff(rule, { off: [written] }));
}

function isOff(rule: YAMLMap, { off = [] }: Changes): boolean {
  const [alert, severity] = nameOf(rule);
  return rule.has('alert') && (off.includes(alert) || off.includes(`${alert}:${severity}`));
}

function change(rule: YAMLMap, changes: Changes, russianTexts: RussianTexts): void {
  const { language = 'en', labels = {}, accountLabels = [], severities = {}, runbooks, dashboards = '' } = changes;
  const [alert, severity] = nameOf(rule);
  const annotations = rule.get('annotations') as YAMLMap;
  const isPerAccount = String(annotations.get('dashboard_url')).includes('$labels.account');
  for (const [name, text] of Object.entries(russianTexts[alert] ?? {}))
    annotations.set(name, typeof text === 'string' ? text : text[severity]);
  const steps = runbooks ?? (language === 'en' ? publishedRunbooks : `${publishedRunbooks}/${language}`);
  annotations.set('runbook_url', `${steps.replace(/\/+$/, '')}/${alert}.md`);
  const suffix = language === 'en' ? '' : `-${language}`;
  const dashboard = String(annotations.get('dashboard_url')).replace(/^\/d\/[a-z-]+/, `$&${suffix}`);
  annotations.set('dashboard_url', dashboards.replace(/\/+$/, '') + dashboard);
  const page = withList.test(alert) ? '/' : isPerAccount ? accountPage : '/status';
  if (changes.pages !== undefined && !withoutPage.test(alert))
    annotations.set('page_url', changes.pages.replace(/\/+$/, '') + page);
  // Rename severities only in queries of ALERTS, which Prometheus writes. The exporter's threshold metric keeps the original names.
  const expr = String(rule.get('expr')).replaceAll(/ALERTS\{[^}]*\}/g, (alerts) =>
    renamed(alerts, changes, (name) => `severity="${name}"`),
  );
  if (expr !== rule.get('expr')) rule.set('expr', expr);
  rule.setIn(['labels', 'severity'], severities[severity] ?? severity);
  for (const [name, value] of Object.entries(labels)) rule.setIn(['labels', name], value);
  for (const name of isPerAccount ? accountLabels : []) rule.setIn(['labels', name], copiedLabel(name));
}

/** The template that copies an account's label to an alert. An empty label becomes `none`, or else ALERTS would show the template. */
function copiedLabel(name: string): string {
  const query = `printf \`account:hosting_account_labels:group{account=%q,label_${name}!=""}\` $labels.account | query`;
  return `{{ with ${query} }}{{ . | first | label "label_${name}" }}{{ else }}none{{ end }}`;
}

/** Records the labels that alerts copy. While no exporter reports an account, its last recorded labels stay. */
function accountLabelRecord({ selector = 'job="hosting"', accountLabels = [] }: Changes): object {
  const record = 'account:hosting_account_labels:group';
  const by = ['job', 'account', ...accountLabels.map((name) => `label_${name}`)].join(', ');
  const metric = `hosting_account_labels{${selector}}`;
  return {
    record,
    expr: [
      `group by (${by}) (${metric})`,
      `or group by (${by}) (last_over_time(${metric}[10m])) unless on (job, account) ${metric}`,
      `or last_over_time(${record}[1h]) and on (job, account) account:hosting_account_unreported:group`,
    ].join('\n'),
  };
}

function withoutAlerts(document: Document): Document {
  for (const { items } of groupsOf(document))
    items.splice(0, items.length, ...items.filter((rule) => rule.has('record')));
  const groups = document.get('groups') as { items: unknown[] };
  groups.items = groups.items.filter(
    (group) => isMap(group) && (group.get('rules') as { items: unknown[] }).items.length > 0,
  );
  return document;
}

/** The rules as a resource of the Prometheus operator. */
function prometheusRule(rules: Document): Document {
  const name = 'hosting-account-exporter';
  const metadata = { name, labels: { 'app.kubernetes.io/name': name } };
  const resource = new Document({ apiVersion: 'monitoring.coreos.com/v1', kind: 'PrometheusRule', metadata });
  resource.set('spec', rules.contents);
  return note(
    resource,
    '\n If your Prometheus selects rules by labels (spec.ruleSelector), add these labels to metadata.labels.',
  );
}

/** The alerts as Grafana-managed rules. They query the series of hosting.records.yml, which Prometheus or Mimir evaluates. */
function grafanaAlerts(rules: Document): Document {
  const { groups } = rules.toJS() as { readonly groups: readonly Group[] };
  const alerting = groups.map(({ name, rules: all }) => ({ name, rules: all.filter(({ alert }) => alert) }));
  const document = new Document({
    apiVersion: 1,
    groups: alerting
      .filter((group) => group.rules.length > 0)
      .map((group) => ({
        orgId: 1,
        name: group.name,
        folder: 'Hosting',
        interval: '1m',
        rules: group.rules.map(grafanaRule),
      })),
  });
  return note(
    document,
    '\n Copy this file to provisioning/alerting, and load hosting.records.yml into Prometheus or Mimir. The uid of the data source must be\n the value of datasourceUid.',
  );
}

function grafanaRule({
  alert = '',
  expr,
  labels,
  annotations,
  for: wait,
  keep_firing_for: keepFiringFor,
}: Rule): object {
  const expressions = '__expr__';
  const query = { refId: 'A', editorMode: 'code', expr, instant: true, range: false };
  const datasource = { type: expressions, uid: expressions };
  return {
    uid: `${alert.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase()}-${labels.severity}`,
    title: `${alert} (${labels.severity})`,
    condition: 'B',
    for: wait,
    ...(keepFiringFor !== undefined && { keepFiringFor }),
    // A query returns only series for which the alert applies, so no data means OK.
    noDataState: 'OK',
    execErrState: /Exporter(?:Down|Absent)$/.test(alert) && labels.severity !== 'warning' ? 'Error' : 'KeepLast',
    isPaused: false,
    // Grafana sets the label `alertname` to the title of the rule, so another label contains the name of the alert.
    labels: { alert, ...labels },
    annotations: Object.fromEntries(Object.entries(annotations).map(([name, text]) => [name, inGrafana(text)])),
    data: [
      { refId: 'A', relativeTimeRange: { from: 600, to: 0 }, datasourceUid: 'prometheus', model: query },
      {
        refId: 'B',
        relativeTimeRange: { from: 0, to: 0 },
        datasourceUid: expressions,
        // True for any value that the query returns, including 0 and negative numbers.
        model: { refId: 'B', type: 'math', expression: 'is_number($A)', datasource },
      },
    ],
  };
}

/** Adapts a text to Grafana, whose templates cannot run queries, and refer to a value by the `refId` of its query. */
function inGrafana(text: string): string {
  return text
    .replaceAll(/\{\{ (?:range|with) (?:query `[^`]*`|printf `[^`]*`[^`]*? \| query) \}\}.*?\{\{ end \}\}/g, '')
    .replaceAll('$value', '$values.A.Value');
}

function alertmanagerExample(changes: Changes): string {
  const text = renamed(source('alertmanager.example.yml'), changes, (severity) => `severity = "${severity}"`);
  if (changes.language !== 'ru') return text;
  return text
    .replace('hosting.ru.tmpl contains the same texts in Russian', 'hosting.tmpl contains the same texts in English')
    .replace('templates: [templates/hosting.tmpl]', 'templates: [templates/hosting.ru.tmpl]');
}

/** Renames the severities in a text. `written` returns the text that contains a severity, such as `severity = "info"`. */
function renamed(text: string, { severities = {} }: Changes, written: (severity: string) => string): string {
  return Object.entries(severities).reduce((all, [from, to]) => all.replaceAll(written(from), written(to)), text);
}
