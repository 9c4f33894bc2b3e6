import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dashboard } from '@grafana/schema';
import { expect, test } from 'vitest';
import { collectors } from '../../src/collectors/list.ts';
import { analyzeQuery } from '../fixtures/promql.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import {
  allDashboards,
  englishDashboards,
  filledIn,
  type PlacedQuery,
  queriesOf,
  whereIs,
} from './dashboard-reading.ts';
import { addedByPrometheus, deliberatelyUnused, metricContract } from './metric-contract.ts';

const known: Readonly<Record<string, readonly string[]>> = { ...metricContract, ...addedByPrometheus };

/** Labels of the target, and labels that queries create. */
const additionalLabels = [
  'job',
  'instance',
  'pod',
  'what',
  'who',
  'thing',
  'le',
  'version',
  'group',
  'over',
  'branch',
  'state',
  'renewal',
];

const annotationQueries = allDashboards().flatMap(({ annotations }) =>
  (annotations?.list ?? []).flatMap((annotation) =>
    'expr' in annotation && typeof annotation.expr === 'string' ? [annotation.expr] : [],
  ),
);

const queries = englishDashboards().flatMap((dashboard) => queriesOf(dashboard));

test.each(
  allDashboards().flatMap((dashboard) => queriesOf(dashboard).map((query) => [whereIs(query), query.expr] as const)),
)('%s is not too long for the HTTP method GET', (_, expr) => {
  // The longest query has one line for each problem of an account.
  expect(expr.length).toBeLessThanOrEqual(expr.includes('\n') ? 2100 : 1500);
});

test('promtool accepts every query', () => {
  const file = join(temporaryFolder(), 'queries.yml');
  const expressions = [...queries.map(({ expr }) => expr), ...annotationQueries].map((expr) => filledIn(expr));
  const rules = expressions.map((expr, index) => ({ record: `query:number:${index}`, expr }));
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }));

  const output = execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });

  expect(output).toContain(`SUCCESS: ${expressions.length} rules found`);
});

test('queries use only documented metrics and labels', () => {
  const wrong = queries.flatMap((query) =>
    analyzeQuery(filledIn(query.expr)).selectors.flatMap(({ metric, labels, text }) => {
      if (metric === '') return namesOf(text).filter((name) => known[name] === undefined);
      const allowed = known[metric];
      if (allowed === undefined) {
        return [`${whereIs(query)}: ${metric}`];
      }
      return labels
        .filter((label) => ![...allowed, 'job', 'instance'].includes(label))
        .filter((label) => metric !== 'hosting_account_labels' || !label.startsWith('label_'))
        .map((label) => `${whereIs(query)}: ${metric} has no ${label}`);
    }),
  );

  expect(wrong).toEqual([]);
});

/** The metrics that a query reads. */
function metricsOf(expr: string): readonly string[] {
  const { selectors } = analyzeQuery(filledIn(expr));
  return selectors.flatMap(({ metric, text }) => (metric === '' ? namesOf(text) : [metric]));
}

/** The names in a selector such as `{__name__=~"a|b"}`. */
function namesOf(selector: string): readonly string[] {
  return /__name__=~"([^"]+)"/.exec(selector)?.[1]?.split('|') ?? [`no metric: ${selector}`];
}

test('queries group by existing labels', () => {
  const wrong = queries.flatMap((query) => {
    const { grouping } = analyzeQuery(filledIn(query.expr));
    const labels = new Set([...additionalLabels, ...metricsOf(query.expr).flatMap((metric) => known[metric] ?? [])]);
    return grouping.filter((label) => !labels.has(label)).map((label) => `${whereIs(query)}: ${label}`);
  });

  expect(wrong).toEqual([]);
});

test('every metric of a default collector and of the exporter is used by a dashboard or listed as unused', () => {
  const shown = new Set(queries.flatMap(({ expr }) => metricsOf(expr)));

  const optional = new Set<string>(
    collectors.flatMap(({ offByDefault, metrics }) => (offByDefault === true ? metrics.map(({ name }) => name) : [])),
  );
  const unused = Object.keys(metricContract).filter((metric) => !shown.has(metric) && !optional.has(metric));

  const advice = 'show the metric on a dashboard, or add the reason to test/dashboards/metric-contract.ts';
  expect(unused.toSorted(), advice).toEqual(Object.keys(deliberatelyUnused).toSorted());
});

test('account metrics are merged over replicas, so that an HA pair counts once', () => {
  const perAccount = new Set(
    Object.entries(metricContract)
      .filter(([name, labels]) => labels.includes('account') && !name.endsWith('_total'))
      .map(([name]) => name),
  );

  // Whether an exporter leaves accounts unmonitored is evaluated for each exporter.
  const isExportersPanel = (query: PlacedQuery): boolean => whereIs(query).startsWith('hosting-exporter / Exporters /');
  const unmerged = queries
    .filter((query) => !isExportersPanel(query))
    .filter(({ expr }) =>
      analyzeQuery(filledIn(expr)).selectors.some(
        ({ metric, text }) => perAccount.has(metric) && !isMerged(filledIn(expr), text),
      ),
    );

  expect(unmerged.map(whereIs)).toEqual([]);
});

// Merged: inside max or min without the replica labels, or in the query that divides each replica by its own budget.
function isMerged(expr: string, selector: string): boolean {
  return expr
    .split(selector)
    .slice(0, -1)
    .every((_, index, parts) => {
      const before = parts.slice(0, index + 1).join(selector);
      return (
        /(max|min) without \(instance, pod[^)]*\) \(+(?:[a-z_]+\((?:[a-z_]+\()?)?$/.test(before) ||
        /max without \(instance, pod\) \(rate\([^{]+\{[^}]*\}\[\w+\](?: @ end\(\))?\) \* 60 \/ \(?$/.test(before)
      );
    });
}

/** The queries of the panels in open rows, and of the annotations. */
function queriesOfOpened({ panels = [], annotations }: Dashboard): number {
  const ofPanels = panels.flatMap((panel) => ('targets' in panel ? (panel.targets ?? []) : []));
  return ofPanels.length + (annotations?.list ?? []).filter((annotation) => 'expr' in annotation).length;
}

test.each([
  ['hosting-fleet', 32],
  ['hosting-account', 60],
  ['hosting-workload', 32],
  ['hosting-exporter', 32],
])('opening %s sends at most %i queries', (uid, most) => {
  const opened = englishDashboards().find((dashboard) => dashboard.uid === uid);

  expect(opened && queriesOfOpened(opened)).toBeLessThanOrEqual(most);
});

test('the table of accounts sends at most 8 queries', () => {
  const ofTable = queries.filter(({ uid, panel }) => uid === 'hosting-fleet' && panel.title === 'Accounts');

  expect(ofTable.length).toBeLessThanOrEqual(8);
});

test('no dashboard refreshes more often than its figures change', () => {
  const refresh = Object.fromEntries(englishDashboards().map((dashboard) => [dashboard.uid, dashboard.refresh]));
  const intervals = Object.fromEntries(collectors.map(({ name, schedule }) => [name, schedule]));

  expect(refresh).toEqual({
    'hosting-fleet': intervals['account'],
    'hosting-account': intervals['account'],
    'hosting-workload': intervals['databases'],
    // Whether an exporter is up changes with every scrape.
    'hosting-exporter': '1m',
  });
});
