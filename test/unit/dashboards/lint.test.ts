import type { Panel } from '@grafana/schema';
import { describe, expect, test } from 'vitest';
import { colours, rankColours } from '../../../dashboards/src/look.ts';
import { dataSource } from '../../../dashboards/src/panel.ts';
import { analyzeQuery } from '../../fixtures/promql.ts';
import { allDashboards, filledIn, panelsOf, queriesOf, whereIs } from './dashboard-reading.ts';

/**
 * The rules of Grafana's dashboard-linter, said anew. Left out: template-instance-rule and target-instance-rule,
 * because what is watched is the account, whichever exporter polls it; target-logql-rule and target-logql-auto-rule,
 * because there is no Loki. Of template-job-rule, `.+` for all jobs: it would count every target of Prometheus as an exporter.
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

  test('template-job-rule: the job is a variable, many may be chosen', () => {
    const job = variables.find(({ name }) => name === 'job');

    expect(job).toMatchObject({ type: 'query', multi: true, includeAll: true });
    expect(job).not.toHaveProperty('allValue');
    expect(job?.datasource?.uid).toBe(dataSource.uid);
    expect(job?.label).toBe(isRussian ? 'Задание' : 'Job');
  });

  test('template-label-promql-rule: variables ask valid questions', () => {
    const questions = variables
      .filter(({ type }) => type === 'query')
      .map(({ query }) => (typeof query === 'object' ? String(query['query']) : ''));

    for (const question of questions) {
      const [, selector, label] = /^label_values\((.+), (\w+)\)$/.exec(question) ?? [];
      expect(label, question).toMatch(/^(job|account)$/);
      expect(analyzeQuery(filledIn(selector ?? '')), question).toMatchObject({ valid: true });
    }
  });

  test('template-on-time-change-reload-rule: choices follow the shown time', () => {
    const refresh = variables.filter(({ type }) => type === 'query').map((variable) => variable.refresh);

    expect(new Set(refresh)).toEqual(new Set([2]));
  });

  test('panel-datasource-rule: every panel and query uses the chosen data source', () => {
    const fixed = panelsOf(dashboard)
      .filter(({ type }) => type !== 'text')
      .filter(
        ({ datasource, targets }) =>
          datasource?.uid !== dataSource.uid ||
          !targets?.every((target) => JSON.stringify(target['datasource']).includes(dataSource.uid)),
      );

    expect(fixed.map(({ title }) => title)).toEqual([]);
  });

  test('panel-title-description-rule: every panel has both, whatever its type', () => {
    const silent = panelsOf(dashboard).filter(({ title, description }) => !title || !description);

    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  test('panel-units-rule: every panel and column of numbers has a unit that Grafana knows', () => {
    // Exceptions: "suffix:" for days (Grafana's own turns 12 days into 1.7 weeks), for multiples and for turns.
    const known = /^(percentunit|decbytes|s|h|none|locale|string|suffix:( d| дн\.| ×| turns| инт\.))$/;

    const unknown = panelsOf(dashboard).flatMap((panel) => unitsOf(panel).filter((unit) => !known.test(unit)));

    expect(unknown).toEqual([]);
  });

  test('panel-no-targets-rule: every panel asks something', () => {
    const idle = panelsOf(dashboard).filter(({ type, targets }) => type !== 'text' && !targets?.length);

    expect(idle.map(({ title }) => title)).toEqual([]);
  });

  test('target-promql-rule: every query parses', () => {
    const broken = queries.filter(({ valid }) => !valid);

    expect(broken.map(whereIs)).toEqual([]);
  });

  test('target-rate-interval-rule: a rate follows the resolution of the graph', () => {
    const rigid = queriesOf(dashboard).filter(({ expr }) =>
      [...expr.matchAll(/\bi?rate\(.*?\[([^\]]+)\]/g)].some(([, window]) => window !== '$__rate_interval'),
    );

    expect(rigid.map(whereIs)).toEqual([]);
  });

  test('target-job-rule: every selector keeps to the chosen jobs', () => {
    const free = queriesOf(dashboard).filter(({ expr }) =>
      analyzeQuery(expr.replaceAll('$__rate_interval', '1h').replaceAll('$__range', '7d')).selectors.some(
        ({ text }) => !text.includes('job=~"$job"'),
      ),
    );

    expect(free.map(whereIs)).toEqual([]);
  });

  test('target-counter-agg-rule: a counter is only read as what it grew', () => {
    const raw = queriesOf(dashboard).filter(({ expr }) => {
      const counters = expr.match(/\w+_total\{/g)?.length ?? 0;
      const grown = expr.match(/\b(?:rate|irate|increase)\(\w+_total\{/g)?.length ?? 0;
      return counters !== grown;
    });

    expect(raw.map(whereIs)).toEqual([]);
  });

  test('uneditable-dashboard: changes belong into the source', () => {
    expect(dashboard.editable).toBe(false);
  });

  test('every empty panel says why it is empty', () => {
    const mute = panelsOf(dashboard).filter(
      ({ type, fieldConfig }) => type !== 'text' && !fieldConfig?.defaults.noValue,
    );

    expect(mute.map(({ title }) => title)).toEqual([]);
  });

  test('a table sorts by columns that it has', () => {
    const lost = panelsOf(dashboard)
      .filter(({ type }) => type === 'table')
      .flatMap((panel) => sortedBy(panel).filter((title) => !columnsOf(panel).includes(title)));

    expect(lost).toEqual([]);
  });

  test('nothing is painted in a colour that others take for another', () => {
    const ours = new Set([
      'text',
      'transparent',
      '#009E73',
      '#E69F00',
      '#D55E00',
      '#FFB733',
      '#56B4E9',
      '#999933',
      '#AA4499',
      '#0072B2',
      '#CC79A7',
      '#8E8E8E',
    ]);

    const painted = [...JSON.stringify(dashboard.panels).matchAll(/"(?:color|fixedColor)":"([^"]*)"/g)].map(
      ([, colour]) => colour ?? '',
    );

    expect(painted.filter((colour) => !ours.has(colour))).toEqual([]);
  });
});

test('the colours of states are given to nothing else', () => {
  const { neutral: _, quiet: __, ...states } = colours;

  expect(rankColours.filter((colour) => Object.values<string>(states).includes(colour))).toEqual([]);
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
