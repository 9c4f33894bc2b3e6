import { describe, expect, test } from 'vitest';
import { sharedDashboard } from '../../dashboards/src/shared-dashboard.ts';
import { allDashboards, panelsOf } from './dashboard-reading.ts';

const dashboards = allDashboards().map((dashboard) => [dashboard.uid ?? '', dashboard] as const);

/** What Grafana's import does: it removes the inputs, and replaces `${NAME}` in every string by the answer. */
function importShared(
  dashboard: unknown,
  answers: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(dashboard, (key, value: unknown) => {
    if (key === '__inputs') return undefined;
    if (typeof value !== 'string') return value;
    return value.replace(/\$\{(.+?)\}/g, (match, name: string) => answers[name] ?? match);
  });
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

describe.each(dashboards)('%s in the format of grafana.com', (_, dashboard) => {
  const shared = sharedDashboard(dashboard);

  test('is the same dashboard after the import, with the chosen data source', () => {
    const { __elements, __requires, ...imported } = importShared(shared, { DS_PROMETHEUS: 'chosen' });

    const [before, after, ...others] = JSON.stringify(imported).split(',"current":{"text":"chosen","value":"chosen"}');
    expect(others).toEqual([]);
    expect(JSON.parse(`${before}${after}`)).toEqual(JSON.parse(JSON.stringify(dashboard)));
  });

  test('asks for a Prometheus, and requires it', () => {
    expect(shared.__inputs).toEqual([
      expect.objectContaining({ name: 'DS_PROMETHEUS', type: 'datasource', pluginId: 'prometheus' }),
    ]);
    expect(shared.__requires).toEqual(
      expect.arrayContaining([
        { type: 'grafana', id: 'grafana', name: 'Grafana', version: '10.4.0' },
        { type: 'datasource', id: 'prometheus', name: 'Prometheus', version: '1.0.0' },
      ]),
    );
  });

  test('requires every type of panel that it uses', () => {
    const required = shared.__requires.filter(({ type }) => type === 'panel').map(({ id }) => id);

    expect(required).toEqual([...new Set(panelsOf(dashboard).map(({ type }) => type))].toSorted());
  });

  test('has no id, which only one Grafana knows', () => {
    expect(shared).not.toHaveProperty('id');
  });
});
