import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dashboardFiles, fileContent } from '../../../dashboards/src/dashboard-files.ts';

const folder = new URL('../../../dashboards/', import.meta.url);

test('the committed files are what the source writes: run node dashboards/src/main.ts', () => {
  const stale = dashboardFiles()
    .filter((file) => readFileSync(new URL(file.name, folder), 'utf8') !== fileContent(file))
    .map(({ name }) => name);

  expect(stale).toEqual([]);
});

test('no dashboard is left behind that the source does not write', () => {
  const committed = readdirSync(folder).filter((name) => name.endsWith('.json'));

  const written = dashboardFiles().map(({ name }) => name);

  expect(committed.toSorted()).toEqual(written.toSorted());
});
