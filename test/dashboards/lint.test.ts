import type { Dashboard, Panel } from '@grafana/schema';
import { describe, expect, test } from 'vitest';
import { dataSource } from '../../dashboards/src/panel.ts';
import { analyzeQuery } from '../fixtures/promql.ts';
import { allDashboards, filledIn, panelsOf, queriesOf, whereIs } from './dashboard-reading.ts';

/** Custom suffixes: days (Grafana formats 12 days as 1.7 weeks), multiples and poll intervals. */
const knownUnit = /^(percentunit|decbytes|s|none|locale|string|suffix:( d| дн\.| ×| intervals| инт\.))$/;

/** Colours that colour-blind people can tell apart. */
const palette = /^(text|transparent|#009E73|#E69F00|#D55E00|#FFB733|#56B4E9|#CC79A7|#8E8E8E)$/;

const hasQueries = ({ type }: Panel) => type !== 'text';

/**
 * What breaks each rule of Grafana's dashboard-linter. Not included: template-instance-rule and target-instance-rule, because the
 * dashboards show accounts, whichever exporter polls them; target-logql-rule and target-logql-auto-rule, because there
 * is no Loki; uneditable-dashboard, because users adapt the dashboards; the `.+` of template-job-rule, because it would count every target of Prometheus as an exporter.
 */
const rules: Readonly<Record<string, (dashboard: Dashboard) => readonly unknown[]>> = {
  'template-label-promql-rule: variables have valid queries': (dashboard) =>
    variableQueries(dashboard).filter((query) => {
      const [, names] = /^label_names\((.+)\)$/.exec(query) ?? [];
      const [, selector = names] = /^label_values\((.+), (?:job|account)\)$/.exec(query) ?? [];
      return selector === undefined || !analyzeQuery(filledIn(selector)).valid;
    }),
  'template-on-time-change-reload-rule: variables reload when the time range changes': ({ templating }) =>
    (templating?.list ?? []).filter(({ type, refresh }) => type === 'query' && refresh !== 2),
  'panel-datasource-rule: every panel and query uses the data source variable': (dashboard) =>
    panelsOf(dashboard)
      .filter(hasQueries)
      .filter(({ datasource, targets = [] }) =>
        [datasource, ...targets.map((target) => target['datasource'])].some(
          (source) => !JSON.stringify(source ?? '').includes(dataSource.uid),
        ),
      ),
  'panel-title-description-rule: every panel has a title and a description': (dashboard) =>
    panelsOf(dashboard).filter(({ title, description }) => !title || !description),
  'panel-units-rule: every panel and numeric column has a known unit': (dashboard) =>
    panelsOf(dashboard)
      .flatMap(unitsOf)
      .filter((unit) => !knownUnit.test(unit)),
  'panel-no-targets-rule: every panel has a query': (dashboard) =>
    panelsOf(dashboard).filter((panel) => hasQueries(panel) && !panel.targets?.length),
  'target-promql-rule: every query parses': (dashboard) =>
    queriesOf(dashboard).filter(({ expr }) => !analyzeQuery(filledIn(expr)).valid),
  'target-rate-interval-rule: every rate uses $__rate_interval': (dashboard) =>
    queriesOf(dashboard).filter(({ expr }) =>
      [...expr.matchAll(/\bi?rate\(.*?\[([^\]]+)\]/g)].some(([, window]) => window !== '$__rate_interval'),
    ),
  'target-job-rule: every selector matches the job variable': (dashboard) =>
    queriesOf(dashboard).filter(({ expr }) =>
      analyzeQuery(expr.replaceAll('$__rate_interval', '1h').replaceAll('$__range', '7d')).selectors.some(
        ({ text }) => !text.includes('job=~"$job"'),
      ),
    ),
  'target-counter-agg-rule: counters are only used in rate, irate or increase': (dashboard) =>
    queriesOf(dashboard).filter(({ expr }) => {
      const counters = expr.match(/\w+_total\{/g)?.length ?? 0;
      return counters !== (expr.match(/\b(?:rate|irate|increase)\(\w+_total\{/g)?.length ?? 0);
    }),
  'every panel has a text for missing data': (dashboard) =>
    panelsOf(dashboard).filter((panel) => hasQueries(panel) && !panel.fieldConfig?.defaults.noValue),
  'tables sort by existing columns': (dashboard) =>
    panelsOf(dashboard)
      .filter(({ type }) => type === 'table')
      .flatMap((panel) => sortedBy(panel).filter((title) => !columnsOf(panel).includes(title))),
  'only colours of the colour-blind safe palette are used': ({ panels }) =>
    [...JSON.stringify(panels).matchAll(/"(?:color|fixedColor)":"([^"]*)"/g)].filter(
      ([, colour = '']) => !palette.test(colour),
    ),
};

describe.each(allDashboards().map((dashboard) => [dashboard.uid ?? '', dashboard] as const))('%s', (uid, dashboard) => {
  const variables = dashboard.templating?.list ?? [];
  const isRussian = uid.endsWith('-ru');

  test.each(Object.entries(rules))('%s', (_, offenders) => {
    expect(offenders(dashboard).map(nameOf)).toEqual([]);
  });

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
    expect(variableQueries(dashboard).length).toBeGreaterThan(0);
  });
});

/** How a failure names a panel, a query or a text. */
function nameOf(part: unknown): unknown {
  if (typeof part === 'object' && part !== null && 'expr' in part)
    return whereIs(part as ReturnType<typeof queriesOf>[0]);
  return typeof part === 'object' && part !== null && 'title' in part ? part.title : part;
}

function variableQueries({ templating }: Dashboard): readonly string[] {
  return (templating?.list ?? [])
    .filter(({ type }) => type === 'query')
    .map(({ query }) => (typeof query === 'object' ? String(query['query']) : ''));
}

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
