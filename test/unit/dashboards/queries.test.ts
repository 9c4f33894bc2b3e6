import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectors } from '../../../src/collectors/list.ts';
import { analyzeQuery } from '../../fixtures/promql.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
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

/** Labels of the target, and those that queries make for themselves. */
const always = ['job', 'instance', 'pod', 'what', 'who', 'thing', 'le', 'version'];

const annotationQueries = allDashboards().flatMap(({ annotations }) =>
  (annotations?.list ?? []).flatMap((annotation) =>
    'expr' in annotation && typeof annotation.expr === 'string' ? [annotation.expr] : [],
  ),
);

const queries = englishDashboards().flatMap((dashboard) => queriesOf(dashboard));

test('promtool takes every query', () => {
  const file = join(temporaryFolder(), 'queries.yml');
  const expressions = [...queries.map(({ expr }) => expr), ...annotationQueries].map((expr) => filledIn(expr));
  const rules = expressions.map((expr, index) => ({ record: `query:number:${index}`, expr }));
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }));

  const output = execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });

  expect(output).toContain(`SUCCESS: ${expressions.length} rules found`);
});

test('queries ask for nothing but promised metrics and their labels', () => {
  const wrong = queries.flatMap((query) =>
    analyzeQuery(filledIn(query.expr)).selectors.flatMap(({ metric, labels }) => {
      const allowed = known[metric];
      if (allowed === undefined) {
        return [`${whereIs(query)}: ${metric}`];
      }
      return labels
        .filter((label) => ![...allowed, 'job', 'instance'].includes(label))
        .map((label) => `${whereIs(query)}: ${metric} has no ${label}`);
    }),
  );

  expect(wrong).toEqual([]);
});

test('a wrong metric and a wrong label would be found', () => {
  const { selectors, grouping, valid } = analyzeQuery('sum by (sight) (hosting_site_lode{job="a",side="b"})');

  expect(selectors).toEqual([
    { metric: 'hosting_site_lode', labels: ['job', 'side'], text: 'hosting_site_lode{job="a",side="b"}' },
  ]);
  expect(grouping).toEqual(['sight']);
  expect(valid).toBe(true);
  expect(analyzeQuery('sum by (hosting_up').valid).toBe(false);
});

test('queries group by labels that some metric of theirs has', () => {
  const wrong = queries.flatMap((query) => {
    const { selectors, grouping } = analyzeQuery(filledIn(query.expr));
    const labels = new Set([...always, ...selectors.flatMap(({ metric }) => known[metric] ?? [])]);
    return grouping.filter((label) => !labels.has(label)).map((label) => `${whereIs(query)}: ${label}`);
  });

  expect(wrong).toEqual([]);
});

test('every promised metric is shown somewhere, or is left out for a reason', () => {
  const shown = new Set(
    queries.flatMap(({ expr }) => analyzeQuery(filledIn(expr)).selectors.map(({ metric }) => metric)),
  );

  const unused = Object.keys(metricContract).filter((metric) => !shown.has(metric));

  expect(unused.toSorted()).toEqual(Object.keys(deliberatelyUnused).toSorted());
});

test('what the collectors export is promised, label by label', () => {
  const exported = collectors.flatMap(({ metrics }) => metrics);

  for (const { name, labelNames } of exported) {
    expect(metricContract[name]?.toSorted(), name).toEqual(labelNames.toSorted());
  }
});

test('an HA pair counts once: figures of accounts are merged over the copies of the exporter', () => {
  const perAccount = new Set(
    Object.entries(metricContract)
      .filter(([name, labels]) => labels.includes('account') && !name.endsWith('_total'))
      .map(([name]) => name),
  );

  // Which exporter leaves its accounts to nobody is asked of each exporter for itself.
  const ofExporters = (query: PlacedQuery): boolean => whereIs(query).startsWith('hosting-exporter / Exporters /');
  const naked = queries
    .filter((query) => !ofExporters(query))
    .filter(({ expr }) =>
      analyzeQuery(filledIn(expr)).selectors.some(
        ({ metric, text }) => perAccount.has(metric) && !isMerged(filledIn(expr), text),
      ),
    );

  expect(naked.map(whereIs)).toEqual([]);
});

// Merged: inside max or min without the labels of the copy, or in the one query that divides each copy by its own budget.
function isMerged(expr: string, selector: string): boolean {
  return expr
    .split(selector)
    .slice(0, -1)
    .every((_, index, parts) => {
      const before = parts.slice(0, index + 1).join(selector);
      return (
        /(max|min) without \(instance, pod[^)]*\) \(+(?:[a-z_]+\((?:[a-z_]+\()?)?$/.test(before) ||
        /max without \(instance, pod\) \(sum without \(method\)/.test(before)
      );
    });
}
