import type { Dashboard, VariableModel } from '@grafana/schema';

/**
 * A dashboard in the format of Grafana's "Export for sharing externally", which grafana.com requires. During the import, the user
 * enters the value of each input, and Grafana replaces `${NAME}` with this value.
 */
export interface SharedDashboard extends Dashboard {
  readonly __inputs: readonly Readonly<Record<string, string>>[];
  readonly __elements: Readonly<Record<string, never>>;
  /** A minimum version of Grafana, and the plugins of data sources and panels. */
  readonly __requires: readonly Readonly<Record<string, string>>[];
}

const input = 'DS_PROMETHEUS';

/** The dashboard with an input for its data source. The selected data source becomes the value of the variable `datasource`. */
export function sharedDashboard(dashboard: Dashboard): SharedDashboard {
  return {
    __inputs: [
      {
        name: input,
        label: 'Prometheus',
        description: 'The Prometheus that scrapes the exporter',
        type: 'datasource',
        pluginId: 'prometheus',
        pluginName: 'Prometheus',
      },
    ],
    __elements: {},
    __requires: [
      { type: 'grafana', id: 'grafana', name: 'Grafana', version: '10.4.0' },
      { type: 'datasource', id: 'prometheus', name: 'Prometheus', version: '1.0.0' },
      ...panelTypes(dashboard).map((id) => ({ type: 'panel', id, name: id, version: '' })),
    ],
    ...dashboard,
    templating: { ...dashboard.templating, list: (dashboard.templating?.list ?? []).map(withInput) },
  };
}

function panelTypes({ panels = [] }: Dashboard): readonly string[] {
  const types = panels.flatMap((panel) =>
    'panels' in panel && panel.panels !== undefined ? panel.panels.map(({ type }) => type) : [panel.type],
  );
  return [...new Set(types)].filter((type) => type !== 'row').toSorted();
}

function withInput(variable: VariableModel): VariableModel {
  if (variable.type !== 'datasource') return variable;
  return { ...variable, current: { text: `\${${input}}`, value: `\${${input}}` } };
}
