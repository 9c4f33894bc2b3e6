import type { Dashboard, Panel, RowPanel } from '@grafana/schema';
import { dashboards } from '../../dashboards/src/dashboards.ts';
import { placeholder } from '../../dashboards/src/query.ts';

/** A query with its dashboard and panel. */
export interface PlacedQuery {
  readonly uid: string;
  readonly panel: Panel;
  readonly refId: string;
  readonly expr: string;
  readonly kind: 'instant' | 'range';
}

/** Both sets, generated from the source. */
export function allDashboards(): readonly Dashboard[] {
  return dashboards();
}

/** The English set. */
export function englishDashboards(): readonly Dashboard[] {
  return allDashboards().filter(({ uid }) => !uid?.endsWith('-ru'));
}

/** Every panel that is not a row, including those inside collapsed rows. */
export function panelsOf(dashboard: Dashboard): readonly Panel[] {
  return (dashboard.panels ?? []).flatMap((panel) => (isRow(panel) ? panel.panels : [panel]));
}

/** Every panel and every row. */
export function tilesOf(dashboard: Dashboard): readonly (Panel | RowPanel)[] {
  return (dashboard.panels ?? []).flatMap((panel) => (isRow(panel) ? [panel, ...panel.panels] : [panel]));
}

/** Whether the panel is a row. */
export function isRow(panel: Panel | RowPanel): panel is RowPanel {
  return panel.type === 'row';
}

/** Every query of every panel. */
export function queriesOf(dashboard: Dashboard): readonly PlacedQuery[] {
  return panelsOf(dashboard).flatMap((panel) =>
    (panel.targets ?? []).map((target) => ({
      uid: dashboard.uid ?? '',
      panel,
      refId: String(target['refId']),
      expr: String(target['expr']),
      kind: target['range'] === true ? 'range' : 'instant',
    })),
  );
}

/** The query as Grafana sends it for these variable values. */
export function filledIn(expr: string, account = '.+'): string {
  return expr
    .replaceAll('$__rate_interval', '1h')
    .replaceAll('$__range', '7d')
    .replaceAll('$job', 'hosting')
    .replaceAll('$label', 'customer')
    .replaceAll(placeholder('account:regex'), account);
}

/** The position of a query, for failure messages. */
export function whereIs({ uid, panel, refId }: PlacedQuery): string {
  return `${uid} / ${panel.title} / ${refId}`;
}
