import { writeFileSync } from 'node:fs';
import { contentOf, dashboardFiles } from './files.ts';

for (const file of dashboardFiles()) {
  writeFileSync(new URL(`../${file.name}`, import.meta.url), contentOf(file));
}
