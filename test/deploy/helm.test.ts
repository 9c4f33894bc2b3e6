import { globSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { loadConfig } from '../../src/config/file/load.ts';
import { parseCommandLine } from '../fixtures/command-line.ts';
import { codeBlocks } from '../fixtures/markdown.ts';
import { readText, readYaml, repository } from '../fixtures/repository.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

// npm run test:helm renders and installs the chart with Helm.

const folder = 'deploy/helm';
const templates = globSync(`${folder}/templates/*`, { cwd: repository }).map(readText).join('\n');
const values = readYaml<Readonly<Record<string, unknown>>>(`${folder}/values.yaml`);

it('the chart has the version of the package, which is that of the image', () => {
  const { version, appVersion } = readYaml<Readonly<Record<string, string>>>(`${folder}/Chart.yaml`);

  expect({ version, appVersion }).toEqual({ version: packageJson.version, appVersion: packageJson.version });
});

it('the schema accepts the defaults and the values in docs/installation.md, and no unknown key', () => {
  const schema = z.fromJSONSchema(JSON.parse(readText(`${folder}/values.schema.json`)));
  const [block = ''] = codeBlocks(readText('docs/installation.md'), 'yml');

  expect(parse(block)).toMatchObject({ secret: { existing: 'hosting-accounts' } });
  for (const valid of [values, parse(block)]) expect(schema.safeParse(valid).error?.issues).toBeUndefined();
  for (const wrong of [{ shard: 2 }, { image: { name: 'x' } }, { dashboards: { languages: ['fr'] } }]) {
    expect(schema.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
  }
});

it('the templates use every value', () => {
  const used = new Set([...templates.matchAll(/\.Values\.(\w+)/g)].map(([, key]) => key));

  expect([...used].toSorted()).toEqual(Object.keys(values).toSorted());
});

it('the default configuration loads, with the password where the Secret is mounted', async () => {
  const temporary = temporaryFolder();
  mkdirSync(join(temporary, 'secrets'));
  writeFileSync(join(temporary, 'secrets/shop'), 'hunter2', { mode: 0o600 });
  const file = join(temporary, 'config.yml');
  const text = JSON.stringify(values['config']);
  writeFileSync(file, text.replaceAll('/run/secrets/hosting', join(temporary, 'secrets')));

  const { config } = await loadConfig(file, {});

  expect(config.accounts.map(({ name }) => name)).toEqual(['shop']);
  expect(templates).toContain('mountPath: /run/secrets/hosting');
});

it('the templates pass flags that the program has', async () => {
  const [, list = ''] = /^ {10}args:\n(.*?)^ {10}env:/ms.exec(templates) ?? [];
  const flags = [...list.matchAll(/^ +- (--\S+?(?:=\S.*)?)$/gm)].map(([, flag = '']) =>
    flag.replace('{{ .Values.log.level }}', 'info').replace('{{ .Values.log.format }}', 'json'),
  );

  expect(flags).toContain('--shard=auto');
  expect(await parseCommandLine(['serve', ...flags.filter((flag) => flag !== '--shard=auto')])).toMatchObject({
    'web.healthAddress': ':10382',
    'config.file': '/etc/hosting-account-exporter/config.yml',
    'config.autoReload': true,
    'log.format': 'json',
  });
});

it('the chart contains all dashboards and rules, as links', () => {
  const linked = (path: string) => readdirSync(join(repository, folder, path)).toSorted();
  const dashboards = readdirSync(join(repository, 'dashboards')).filter((name) => name.endsWith('.json'));

  expect(linked('files/dashboards')).toEqual(dashboards.toSorted());
  expect(linked('files/rules')).toEqual(['hosting.rules.ru.yml', 'hosting.rules.yml']);
  for (const path of globSync(`${folder}/files/*/*`, { cwd: repository })) {
    expect(lstatSync(join(repository, path)).isSymbolicLink(), path).toBe(true);
  }
});

it('the chart refuses a port or a state directory that its Service and volume do not have', () => {
  const schema = z.fromJSONSchema(JSON.parse(readText(`${folder}/values.schema.json`)));
  const { config } = readYaml<{ readonly config: object }>(`${folder}/values.yaml`);
  const accepts = (change: object) => schema.safeParse({ config: { ...config, ...change } }).success;

  expect(accepts({ web: { listen_address: ':9999' } })).toBe(false);
  expect(accepts({ state: { directory: '/x' } })).toBe(false);
  expect(accepts({ web: { listen_address: ['0.0.0.0:10380'] } })).toBe(true);
  expect(accepts({ state: { directory: '/var/lib/hosting-account-exporter' } })).toBe(true);
});
