import { writeFileSync } from 'node:fs';
import { dashboardFiles, fileContent } from './dashboard-files.ts';

for (const file of dashboardFiles()) {
  writeFileSync(new URL(`../${file.name}`, import.meta.url), fileContent(file));
}
