import type { Dashboard, Panel } from '@grafana/schema';
import { filledIn } from '../../test/dashboards/dashboard-reading.ts';
import { type Answer, type FilledPrometheus, now } from '../../test/dashboards/filled-prometheus.ts';

/** A published picture of a dashboard. */
export interface Picture {
  readonly file: string;
  readonly uid: string;
  readonly theme: 'dark' | 'light';
  /** The selected account; all accounts by default. */
  readonly account?: string;
  /** Hours before the end of the history. */
  readonly hours: number;
}

const english: readonly Picture[] = [
  { file: 'fleet', uid: 'hosting-fleet', theme: 'dark', hours: 24 },
  { file: 'account', uid: 'hosting-account', theme: 'dark', account: 'shop', hours: 7 * 24 },
  { file: 'workload', uid: 'hosting-workload', theme: 'dark', hours: 7 * 24 },
  { file: 'exporter', uid: 'hosting-exporter', theme: 'dark', hours: 24 },
];

/** The pictures of all dashboards in both languages, and one in the light theme. */
export const pictures: readonly Picture[] = [
  ...english,
  ...english.map((picture) => ({ ...picture, file: `${picture.file}-ru`, uid: `${picture.uid}-ru` })),
  { file: 'fleet-light', uid: 'hosting-fleet', theme: 'light', hours: 24 },
];

/** A query of a drawn panel, as Grafana sends it. */
export interface DrawnQuery {
  readonly refId: string;
  readonly legend: string;
  readonly expr: string;
  readonly format: 'table' | 'time_series';
  /** Seconds between two points of a graph; undefined for the newest values. */
  readonly step?: number;
}

/** The panels of the picture: those in open rows. */
export function drawnPanels(dashboard: Dashboard): readonly Panel[] {
  return (dashboard.panels ?? []).filter((panel): panel is Panel => panel.type !== 'row');
}

/** The queries of a panel in the picture. */
export function drawnQueries({ targets = [], interval = '5m' }: Panel, { account, hours }: Picture): DrawnQuery[] {
  const [, count = '5', unit = 'm'] = /^(\d+)([mh])$/.exec(interval) ?? [];
  const shortest = Number(count) * (unit === 'h' ? 3600 : 60);
  // A graph has about 300 points.
  const step = Math.max(shortest, Math.ceil((hours * 3600) / 300 / shortest) * shortest);
  return targets.map((target) => ({
    refId: String(target['refId']),
    legend: String(target['legendFormat']),
    expr: filledIn(String(target['expr']), account),
    format: target['format'] === 'table' ? 'table' : 'time_series',
    ...(target['range'] === true && { step }),
  }));
}

/** The answer of Prometheus to a query of the picture. */
export function answerTo(
  prometheus: FilledPrometheus,
  query: DrawnQuery,
  picture: Picture,
): Promise<readonly Answer[]> {
  return query.step === undefined
    ? prometheus.instant(query.expr)
    : prometheus.between(query.expr, now - picture.hours * 3600, now, query.step);
}

/** The published pictures of the pages of the demo: file, path, width and height. */
export const pages = [
  ['pages', '', 1200, 860],
  ['pages-account', 'accounts/shop', 1200, 1410],
  ['pages-narrow', '', 375, 812],
] as const;

/** The published pictures of a page in both languages. */
export function filesOf(page: string): readonly { readonly language: string; readonly file: string }[] {
  return ['en', 'ru'].map((language) => ({ language, file: language === 'en' ? page : `${page}-${language}` }));
}
