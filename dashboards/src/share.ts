// Writes the dashboards in the format of grafana.com into a folder: node dashboards/src/share.ts FOLDER.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dashboardFiles } from './dashboard-files.ts';
import { sharedDashboard } from './shared-dashboard.ts';

const [, , folder = 'grafana.com'] = process.argv;
mkdirSync(folder, { recursive: true });
for (const { name, dashboard } of dashboardFiles()) {
  writeFileSync(join(folder, name), `${JSON.stringify(sharedDashboard(dashboard), null, 2)}\n`);
}
