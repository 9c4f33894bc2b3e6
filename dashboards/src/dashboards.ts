import type { Dashboard } from '@grafana/schema';
import { account } from './account.ts';
import { exporter } from './exporter.ts';
import { fleet } from './fleet.ts';
import { russian } from './russian.ts';
import { translateDashboard } from './translate.ts';
import { workload } from './workload.ts';

/** The English set, then the Russian set. */
export function dashboards(): readonly Dashboard[] {
  const english = [fleet(), account(), workload(), exporter()];
  return [...english, ...english.map((one) => translateDashboard(one, russian, 'ru'))];
}

/** The text of the file of a dashboard. The file is named after the uid. */
export function fileContent(dashboard: object): string {
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}
