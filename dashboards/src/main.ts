import { mkdirSync, writeFileSync } from 'node:fs';
import { dashboardFiles } from './files.ts';

const folder = new URL('../', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const { name, content } of dashboardFiles()) {
  writeFileSync(new URL(name, folder), content);
}
