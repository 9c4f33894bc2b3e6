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

/** The text of the file. Short objects and arrays are on one line, because the size of a ConfigMap is limited. */
export function fileContent({ dashboard }: DashboardFile): string {
  return `${printed(JSON.parse(JSON.stringify(dashboard)), '')}\n`;
}

/** Maximum length of a line with an object or array. */
const lineLength = 160;

function printed(value: unknown, indent: string): string {
  const short = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || short.length <= lineLength) return short;
  const inner = `${indent} `;
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${printed(item, inner)}`)
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${printed(item, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}
