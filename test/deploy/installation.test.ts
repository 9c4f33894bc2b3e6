import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { loadConfig } from '../../src/config/file/load.ts';
import { codeBlocks } from '../fixtures/markdown.ts';
import { readText } from '../fixtures/repository.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const page = readText('docs/installation.md');

describe('docs/installation.md', () => {
  it.each(codeBlocks(page, 'yaml'))('shows valid configurations: %#', async (text) => {
    const folder = temporaryFolder();
    for (const name of ['shop', 'shop.password']) writeFileSync(join(folder, name), 'secret\n', { mode: 0o400 });
    writeFileSync(join(folder, 'config.yml'), text);

    const { config, warnings } = await loadConfig(join(folder, 'config.yml'), { CREDENTIALS_DIRECTORY: folder });

    expect(config.accounts.map(({ name }) => name)).toEqual(['shop']);
    expect(warnings).toEqual([]);
  });

  it('documents every variable of the compose file', () => {
    const files = ['deploy/compose.yml', 'deploy/compose.services.yml', 'deploy/compose.demo.yml'];
    const variables = files.flatMap((file) => readText(file).match(/(?<=\$\{)[A-Z_]+/g) ?? []);
    const buildArguments = ['VERSION', 'REVISION'];

    for (const name of new Set(variables)) {
      if (!buildArguments.includes(name)) expect(page, name).toContain(name);
    }
  });

  it('requires the Node.js version of the package', () => {
    expect(page).toContain(`Node.js ${/\d+\.\d+/.exec(packageJson.engines.node)?.[0]} or newer`);
  });
});

it('the image has the Node.js version of the tests', () => {
  expect(readText('Dockerfile')).toContain(`\nARG BASE=node:${packageJson.devDependencies.node}-`);
});
