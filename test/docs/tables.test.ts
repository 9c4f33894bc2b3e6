import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configurationJsonSchema } from '../../docs/src/configuration.ts';
import { helmValuesSchema } from '../../docs/src/helm-values.ts';
import { readDependencies, thirdPartyMarkdown } from '../../docs/src/third-party.ts';
import { reasonAdvice, reasons } from '../../src/api/error.ts';
import { readText, repository } from '../fixtures/repository.ts';

const dependencies = readDependencies(repository);

test('THIRD-PARTY.md is up to date: run npx vitest run test/docs -u', async () => {
  await expect(thirdPartyMarkdown(dependencies)).toMatchFileSnapshot(join(repository, 'THIRD-PARTY.md'));
});

test('every package has a licence that permits distribution with the exporter', () => {
  const permitted = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

  expect(dependencies.length).toBeGreaterThan(10);
  expect(dependencies.filter(({ licence }) => !permitted.includes(licence))).toEqual([]);
});

test('deploy/helm/values.schema.json is up to date: run npx vitest run test/docs -u', async () => {
  const schema = helmValuesSchema(readText('deploy/helm/values.yaml'), configurationJsonSchema());

  await expect(schema).toMatchFileSnapshot(join(repository, 'deploy/helm/values.schema.json'));
});

test('the table of reasons in docs/metrics.md has the advice that check and the pages show', () => {
  const known: ReadonlySet<string> = new Set(reasons);
  const rows = [...readText('docs/metrics.md').matchAll(/^\| `(\w+)` \| .+ \| (.+) \|$/gm)]
    .map(([, reason = '', advice = '']) => [reason, advice.replaceAll('`', '')] as const)
    .filter(([reason]) => known.has(reason));

  expect(rows).toEqual(reasons.map((reason) => [reason, reasonAdvice[reason]]));
});
