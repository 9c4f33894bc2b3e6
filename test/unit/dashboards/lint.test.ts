import type { Panel } from '@grafana/schema';
import { describe, expect, test } from 'vitest';
import { dataSource } from '../../../dashboards/src/panel.ts';
import { analyzeQuery } from '../../fixtures/promql.ts';
import { allDashboards, filledIn, panelsOf, queriesOf, whereIs } from './dashboard-reading.ts';

/**
 * The rules of Grafana's dashboard-linter. Not included: template-instance-rule and target-instance-rule, because the
 * dashboards show accounts, whichever exporter polls them; target-logql-rule and target-logql-auto-rule, because there
 * is no Loki; uneditable-dashboard, because users adapt the dashboards; the `.+` of template-job-rule, because it would count every target of Prometheus as an exporter.
 */
describe.each(allDashboards().map((dashboard) => [dashboard.uid ?? '', dashboard] as const))('%s', (uid, dashboard) => {
  const variables = dashboard.templating?.list ?? [];
  const isRussian = uid.endsWith('-ru');
  const queries = queriesOf(dashboard).map((query) => ({ ...query, ...analyzeQuery(filledIn(query.expr)) }));

  test('template-datasource-rule: the data source is a variable with the usual name', () => {
    const found = variables.filter(({ type }) => type === 'datasource');

    expect(found.map(({ name, label, query }) => [name, label, query])).toEqual([
      ['datasource', isRussian ? 'Источник данных' : 'Data source', 'prometheus'],
    ]);
  });

  test('template-job-rule: the job is a multi-value variable', () => {
    const job = variables.find(({ name }) => name === 'job');

    expect(job).toMatchObject({ type: 'query', multi: true, includeAll: true });
    expect(job).not.toHaveProperty('allValue');
    expect(job?.datasource?.uid).toBe(dataSource.uid);
    expect(job?.label).toBe(isRussian ? 'Задание' : 'Job');
  });

  test('template-label-promql-rule: variables have valid queries', () => {
    const variableQueries = variables
      .filter(({ type }) => type === 'query')
      .map(({ query }) => (typeof query === 'object' ? String(query['query']) : ''));

    for (const query of variableQueries) {
      const [, names] = /^label_names\((.+)\)$/.exec(query) ?? [];
      const [, selector = names, label] = /^label_values\((.+), (\w+)\)$/.exec(query) ?? [];
      expect(label ?? 'names of labels', query).toMatch(/^(job|account|names of labels)$/);
      expect(analyzeQuery(filledIn(selector ?? '')), query).toMatchObject({ valid: true });
    }
  });

  test('template-on-time-change-reload-rule: variables reload when the time range changes', () => {
    const refresh = variables.filter(({ type }) => type === 'query').map((variable) => variable.refresh);

    expect(new Set(refresh)).toEqual(new Set([2]));
  });

  test('panel-datasource-rule: every panel and query uses the data source variable', () => {
    const wrong = panelsOf(dashboard)
      .filter(({ type }) => type !== 'text')
      .filter(
        ({ datasource, targets }) =>
          datasource?.uid !== dataSource.uid ||
          !targets?.every((target) => JSON.stringify(target['datasource']).includes(dataSource.uid)),
      );

    expect(wrong.map(({ title }) => title)).toEqual([]);
  });

  test('panel-title-description-rule: every panel has a title and a description', () => {
    const incomplete = panelsOf(dashboard).filter(({ title, description }) => !title || !description);

    expect(incomplete.map(({ id }) => id)).toEqual([]);
  });

  test('panel-units-rule: every panel and numeric column has a known unit', () => {
    // Custom suffixes: days (Grafana formats 12 days as 1.7 weeks), multiples and poll intervals.
    const known = /^(percentunit|decbytes|s|none|locale|string|suffix:( d| дн\.| ×| intervals| инт\.))$/;

    const unknown = panelsOf(dashboard).flatMap((panel) => unitsOf(panel).filter((unit) => !known.test(unit)));

    expect(unknown).toEqual([]);
  });

  test('panel-no-targets-rule: every panel has a query', () => {
    const withoutQuery = panelsOf(dashboard).filter(({ type, targets }) => type !== 'text' && !targets?.length);

    expect(withoutQuery.map(({ title }) => title)).toEqual([]);
  });

  test('target-promql-rule: every query parses', () => {
    const broken = queries.filter(({ valid }) => !valid);

    expect(broken.map(whereIs)).toEqual([]);
  });

  test('target-rate-interval-rule: every rate uses $__rate_interval', () => {
    const fixedWindows = queriesOf(dashboard).filter(({ expr }) =>
      [...expr.matchAll(/\bi?rate\(.*?\[([^\]]+)\]/g)].some(([, window]) => window !== '$__rate_interval'),
    );

    expect(fixedWindows.map(whereIs)).toEqual([]);
  });

  test('target-job-rule: every selector matches the job variable', () => {
    const unscoped = queriesOf(dashboard).filter(({ expr }) =>
      analyzeQuery(expr.replaceAll('$__rate_interval', '1h').replaceAll('$__range', '7d')).selectors.some(
        ({ text }) => !text.includes('job=~"$job"'),
      ),
    );

    expect(unscoped.map(whereIs)).toEqual([]);
  });

  test('target-counter-agg-rule: counters are only used in rate, irate or increase', () => {
    const raw = queriesOf(dashboard).filter(({ expr }) => {
      const counters = expr.match(/\w+_total\{/g)?.length ?? 0;
      const grown = expr.match(/\b(?:rate|irate|increase)\(\w+_total\{/g)?.length ?? 0;
      return counters !== grown;
    });

    expect(raw.map(whereIs)).toEqual([]);
  });

  test('every panel has a text for missing data', () => {
    const withoutText = panelsOf(dashboard).filter(
      ({ type, fieldConfig }) => type !== 'text' && !fieldConfig?.defaults.noValue,
    );

    expect(withoutText.map(({ title }) => title)).toEqual([]);
  });

  test('tables sort by existing columns', () => {
    const missing = panelsOf(dashboard)
      .filter(({ type }) => type === 'table')
      .flatMap((panel) => sortedBy(panel).filter((title) => !columnsOf(panel).includes(title)));

    expect(missing).toEqual([]);
  });

  test('only colours of the colour-blind safe palette are used', () => {
    const palette = new Set([
      'text',
      'transparent',
      '#009E73',
      '#E69F00',
      '#D55E00',
      '#FFB733',
      '#56B4E9',
      '#CC79A7',
      '#8E8E8E',
    ]);

    const used = [...JSON.stringify(dashboard.panels).matchAll(/"(?:color|fixedColor)":"([^"]*)"/g)].map(
      ([, colour]) => colour ?? '',
    );

    expect(used.filter((colour) => !palette.has(colour))).toEqual([]);
  });
});

function unitsOf({ fieldConfig }: Panel): string[] {
  const overridden = (fieldConfig?.overrides ?? []).flatMap(({ properties }) =>
    properties.filter(({ id }) => id === 'unit').map(({ value }) => String(value)),
  );
  return fieldConfig === undefined ? [] : [String(fieldConfig.defaults.unit), ...overridden];
}

function sortedBy({ options }: Panel): string[] {
  const sortBy = options?.['sortBy'];
  return Array.isArray(sortBy) ? sortBy.map(({ displayName }: { displayName: string }) => displayName) : [];
}

function columnsOf({ fieldConfig }: Panel): string[] {
  return (fieldConfig?.overrides ?? []).flatMap(({ properties }) =>
    properties.filter(({ id }) => id === 'displayName').map(({ value }) => String(value)),
  );
}
