import { globSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import { loadConfig } from '../../../src/config/file/load.ts';
import { parseCommandLine } from '../../fixtures/command-line.ts';
import { codeBlocks } from '../../fixtures/markdown.ts';
import { readText, readYaml, repository } from '../../fixtures/repository.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

// npm run test:helm renders the chart with Helm.

const folder = 'deploy/helm';
const templates = globSync(`${folder}/templates/*`, { cwd: repository }).map(readText).join('\n');

interface Values {
  readonly config: unknown;
  readonly [key: string]: unknown;
}

const values = readYaml<Values>(`${folder}/values.yaml`);

describe('the Helm chart', () => {
  it('has the version of the package, which is that of the image', () => {
    const { version, appVersion } = readYaml<Readonly<Record<string, string>>>(`${folder}/Chart.yaml`);

    expect({ version, appVersion }).toEqual({ version: packageJson.version, appVersion: packageJson.version });
  });

  it.each([
    ['an unknown value', { shard: 2 }],
    ['an unknown key in a section', { image: { name: 'x' } }],
    ['an unknown key of the configuration', { config: { api: { timout: '5s' } } }],
    ['no shards', { shards: 0 }],
    ['another language', { dashboards: { languages: ['fr'] } }],
  ])('refuses %s, and accepts its own defaults', (_, change) => {
    const schema = z.fromJSONSchema(JSON.parse(readText(`${folder}/values.schema.json`)));

    expect(schema.safeParse(values).error?.issues).toBeUndefined();
    expect(schema.safeParse(change).success).toBe(false);
  });

  it('uses every value, and no others', () => {
    const used = new Set([...templates.matchAll(/\.Values\.([\w.]*\w)/g)].map(([, path = '']) => path));

    const unknown = [...used].filter((path) => valueAt(values, path) === undefined);
    expect(unknown).toEqual([]);
    const unused = Object.keys(values).filter((key) => ![...used].some((path) => path.split('.')[0] === key));
    expect(unused).toEqual([]);
  });

  it('has a configuration that loads, with the password where the Secret is mounted', async () => {
    const temporary = temporaryFolder();
    mkdirSync(join(temporary, 'secrets'));
    writeFileSync(join(temporary, 'secrets/shop'), 'hunter2', { mode: 0o600 });
    const file = join(temporary, 'config.yml');
    writeFileSync(file, JSON.stringify(values.config).replaceAll('/run/secrets/hosting', join(temporary, 'secrets')));

    const { config } = await loadConfig(file, {});

    expect(config.accounts.map(({ name }) => name)).toEqual(['shop']);
    expect(templates).toContain('mountPath: /run/secrets/hosting');
  });

  it('passes flags that the program has', async () => {
    const [, list = ''] = /^ {10}args:\n(.*?)^ {10}env:/ms.exec(templates) ?? [];
    const flags = [...list.matchAll(/^ +- (--\S+?)(?:=(?:\{\{ \.Values\.log\.(\w+) \}\}|(\S+)))?$/gm)].map(
      ([, flag = '', log, text]) =>
        log !== undefined
          ? `${flag}=${log === 'level' ? 'info' : 'json'}`
          : text === undefined
            ? flag
            : `${flag}=${text}`,
    );

    expect(flags.length).toBeGreaterThan(4);
    expect(await parseCommandLine(['serve', ...flags.filter((flag) => flag !== '--shard=auto')])).toMatchObject({
      'web.healthAddress': ':10382',
      'config.file': '/etc/hosting-account-exporter/config.yml',
      'config.autoReload': true,
    });
    expect(flags).toContain('--shard=auto');
  });

  it('contains all dashboards and rules, as links', () => {
    const linked = (path: string) => readdirSync(join(repository, folder, path)).toSorted();
    const dashboards = globSync('dashboards/*.json', { cwd: repository }).map((path) =>
      path.replace('dashboards/', ''),
    );

    expect(linked('files/dashboards')).toEqual(dashboards.toSorted());
    expect(linked('files/rules')).toEqual(['hosting.rules.ru.yml', 'hosting.rules.yml']);
    for (const path of globSync(`${folder}/files/*/*`, { cwd: repository })) {
      expect(lstatSync(join(repository, path)).isSymbolicLink(), path).toBe(true);
      expect(readText(path).length).toBeGreaterThan(1000);
    }
  });
});

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((parent, key) => (parent as Record<string, unknown> | undefined)?.[key], value);
}

it('the values in docs/installation.md match the schema', () => {
  const schema = z.fromJSONSchema(JSON.parse(readText(`${folder}/values.schema.json`)));
  const [block = ''] = codeBlocks(readText('docs/installation.md'), 'yml');

  expect(parse(block)).toMatchObject({ secret: { existing: 'hosting-accounts' } });
  expect(schema.safeParse(parse(block)).error?.issues).toBeUndefined();
});
