import type { Dashboard } from '@grafana/schema';
import { account } from './account.ts';
import { exporter } from './exporter.ts';
import { fleet } from './fleet.ts';
import { workload } from './workload.ts';

/** The four dashboards in English, in the order in which they are read. */
export function dashboards(): readonly Dashboard[] {
  return [fleet(), account(), workload(), exporter()];
}
