import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDependencies, thirdPartyMarkdown } from '../../../docs/src/third-party.ts';
import { repository } from '../../fixtures/repository.ts';

const dependencies = readDependencies(repository);

test('THIRD-PARTY.md is up to date: run npx vitest run test/unit/docs -u', async () => {
  await expect(thirdPartyMarkdown(dependencies)).toMatchFileSnapshot(join(repository, 'THIRD-PARTY.md'));
});

test('every package has a licence that permits distribution with the exporter', () => {
  const permitted = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

  expect(dependencies.length).toBeGreaterThan(10);
  expect(dependencies.filter(({ licence }) => !permitted.includes(licence))).toEqual([]);
});
