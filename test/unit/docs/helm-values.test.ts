import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configurationJsonSchema } from '../../../docs/src/configuration.ts';
import { helmValuesSchema } from '../../../docs/src/helm-values.ts';
import { readText, repository } from '../../fixtures/repository.ts';

test('deploy/helm/values.schema.json is up to date: run npx vitest run test/unit/docs -u', async () => {
  const schema = helmValuesSchema(readText('deploy/helm/values.yaml'), configurationJsonSchema());

  await expect(schema).toMatchFileSnapshot(join(repository, 'deploy/helm/values.schema.json'));
});
