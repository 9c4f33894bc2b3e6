// Writes the dashboards in the format of grafana.com into a folder: node dashboards/src/share.ts FOLDER.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dashboards, fileContent } from './dashboards.ts';
import { sharedDashboard } from './shared-dashboard.ts';

const [, , folder = 'grafana.com'] = process.argv;
mkdirSync(folder, { recursive: true });
for (const dashboard of dashboards()) {
  writeFileSync(join(folder, `${dashboard.uid}.json`), fileContent(sharedDashboard(dashboard)));
}
