import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dashboardFiles, fileContent } from '../../../dashboards/src/dashboard-files.ts';

const folder = new URL('../../../dashboards/', import.meta.url);

test('committed files match the source; update them with npm run dashboards', () => {
  const stale = dashboardFiles()
    .filter((file) => readFileSync(new URL(file.name, folder), 'utf8') !== fileContent(file))
    .map(({ name }) => name);

  expect(stale).toEqual([]);
});

test('every committed dashboard is generated', () => {
  const committed = readdirSync(folder).filter((name) => name.endsWith('.json'));

  const written = dashboardFiles().map(({ name }) => name);

  expect(committed.toSorted()).toEqual(written.toSorted());
});
