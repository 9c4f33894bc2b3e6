import { writeFileSync } from 'node:fs';
import { dashboards, fileContent } from './dashboards.ts';

for (const dashboard of dashboards()) {
  writeFileSync(new URL(`../${dashboard.uid}.json`, import.meta.url), fileContent(dashboard));
}
