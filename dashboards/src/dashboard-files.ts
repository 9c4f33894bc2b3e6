import type { Dashboard } from '@grafana/schema';
import { account } from './account.ts';
import { exporter } from './exporter.ts';
import { fleet } from './fleet.ts';
import { russian } from './russian.ts';
import { translateDashboard } from './translate.ts';
import { workload } from './workload.ts';

/** A dashboard and the name of its committed file. */
export interface DashboardFile {
  readonly name: string;
  readonly dashboard: Dashboard;
}

/** Every file in `dashboards/`: the English set, then the Russian set. */
export function dashboardFiles(): readonly DashboardFile[] {
  const english = [fleet(), account(), workload(), exporter()];
  return [...english, ...english.map((one) => translateDashboard(one, russian, 'ru'))].map((dashboard) => ({
    name: `${dashboard.uid}.json`,
    dashboard,
  }));
}

/** The text of the file. Each range of a value mapping is on one line, because a dashboard has many ranges. */
export function fileContent({ dashboard }: DashboardFile): string {
  const text = JSON.stringify(dashboard, null, 2);
  const compact = text.replaceAll(/\{\s+"type": "range",[^{}]*\{[^{}]*\{[^{}]*\}\s+\}\s+\}/g, (mapping) =>
    JSON.stringify(JSON.parse(mapping)),
  );
  return `${compact}\n`;
}
