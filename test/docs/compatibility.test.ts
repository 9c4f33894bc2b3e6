import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  flagsOf,
  interfaceChanges,
  keysOf,
  missingEntries,
  type PublicInterface,
  type ReleasedInterface,
} from '../../docs/src/compatibility.ts';
import { completionOf, fishCompletionOf } from '../../docs/src/completion.ts';
import { reasons } from '../../src/api/error.ts';
import { App } from '../../src/app.ts';
import { exitCodes } from '../../src/cli/command.ts';
import { collectors } from '../../src/collectors/list.ts';
import { environmentVariables } from '../../src/config/file/environment.ts';
import { configFile } from '../../src/config/file/schema.ts';
import { fleetReport } from '../../src/pages/report.ts';
import { accountMetrics } from '../../src/polling/account-metrics.ts';
import { webConfigFile } from '../../src/web/config/schema.ts';
import { printedFor } from '../fixtures/command-line.ts';
import { accountConfig, config } from '../fixtures/config.ts';
import { readProcessMetrics } from '../fixtures/process-metrics.ts';
import { recordedLog } from '../fixtures/recorded-log.ts';
import { readText, repository } from '../fixtures/repository.ts';
import { alertNames } from '../rules/rule-file.ts';

const app = new App(
  config(accountConfig()),
  { version: '0.1.0', revision: 'abc1234', nodeVersion: 'v24.0.0' },
  recordedLog().log,
);
await app.web.ready();

afterAll(() => app.stop());

const current: PublicInterface = {
  metrics: Object.fromEntries(
    [
      ...collectors.flatMap(({ metrics }) => metrics.map((metric) => ({ ...metric, type: 'gauge' }))),
      ...accountMetrics,
      ...(await readProcessMetrics()),
    ].map(({ name, type, labelNames }) => [name, { type, labels: labelNames }]),
  ),
  reasons,
  alerts: alertNames,
  configuration: keysOf(configFile),
  webConfiguration: keysOf(webConfigFile),
  environment: [...Object.keys(environmentVariables), 'HOSTING_LANGUAGE', 'SHARD_INDEX', 'SHARD_COUNT'],
  flags: Object.fromEntries(
    await Promise.all(
      (await commands()).map(async (name) => [name, flagsOf((await printedFor([name, '--help'])).stdout)] as const),
    ),
  ),
  exitCodes: Object.keys(exitCodes).map(Number),
  httpPaths: httpPaths(),
  report: keysOf(fleetReport),
};

async function commands(): Promise<readonly string[]> {
  const [, list = ''] = /^Commands:\n(.*?)\n\n/ms.exec((await printedFor(['--help'])).stdout) ?? [];
  return [...list.matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
}

/** The paths from fastify's tree of routes, in which each line is indented below its prefix. */
function httpPaths(): Readonly<Record<string, readonly string[]>> {
  const lines = app.web.printRoutes({ commonPrefix: false }).trim().split('\n');
  const prefixes: string[] = [];
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, indent = '', part = '', methods] = /^([│ ]*)[├└]── (\S+)(?: \((.+)\))?$/.exec(line) ?? [];
      const depth = indent.length / 4;
      const path = `${prefixes.slice(0, depth).join('')}${part}`;
      prefixes.splice(depth, prefixes.length, part);
      return methods === undefined ? [] : [[path, methods.split(', ')]];
    }),
  );
}

test('deploy/completion.* are up to date: run npx vitest run test/docs -u', async () => {
  await expect(completionOf(current.flags)).toMatchFileSnapshot(join(repository, 'deploy/completion.sh'));
  await expect(fishCompletionOf(current.flags)).toMatchFileSnapshot(join(repository, 'deploy/completion.fish'));
});

test('docs/compatibility.json is up to date: run npx vitest run test/docs -u', async () => {
  const text = `${JSON.stringify(current, null, 2)}\n`;

  await expect(text).toMatchFileSnapshot(join(repository, 'docs/compatibility.json'));
});

test('CHANGELOG.md has an entry of the right kind for each change since the newest release', () => {
  const { version, ...newest } = JSON.parse(readText('docs/src/released-interface.json')) as ReleasedInterface;
  const [section = ''] = readText('CHANGELOG.md').split(/^(?=## )/m, 1);
  const changes = interfaceChanges(newest, current);

  // A section with a date is the newest release itself.
  if (section.split('\n', 1)[0]?.endsWith('/ unreleased')) expect(missingEntries(changes, section)).toEqual([]);
  else expect({ changes, section }).toEqual({ changes: [], section: expect.stringContaining(`## ${version} / `) });
});

const released: PublicInterface = {
  metrics: { hosting_up: { type: 'gauge', labels: ['account'] } },
  reasons: ['auth'],
  alerts: ['HostingDiskAlmostFull'],
  configuration: ['api', 'api.timeout', 'accounts', 'accounts[].name'],
  webConfiguration: ['basic_auth_users'],
  environment: ['HOSTING_LOGIN'],
  flags: { check: ['--json'] },
  exitCodes: [0, 1],
  httpPaths: { '/sd': ['GET'] },
  report: ['accounts', 'accounts[].state'],
};

test.each<[string, Partial<PublicInterface>, kind: string, name: string]>([
  ['metric', { metrics: { ...released.metrics, hosting_new: { type: 'gauge', labels: [] } } }, 'added', 'hosting_new'],
  ['key', { configuration: [...released.configuration, 'accounts[].labels'] }, 'added', 'labels'],
  ['mapping', { configuration: [...released.configuration, 'proxy', 'proxy.url'] }, 'added', 'proxy'],
  ['list', { configuration: [...released.configuration, 'hosts', 'hosts[].port'] }, 'added', 'hosts'],
  ['flag', { flags: { check: ['--json', '--quiet'] } }, 'added', '--quiet'],
  ['command', { flags: { ...released.flags, prune: ['--all'] } }, 'added', 'prune'],
  ['exit code', { exitCodes: [0, 1, 4] }, 'added', '4'],
  ['path', { httpPaths: { ...released.httpPaths, '/federate': ['GET'] } }, 'added', '/federate'],
  ['metric', { metrics: {} }, 'broken', 'hosting_up'],
  ['label', { metrics: { hosting_up: { type: 'gauge', labels: ['account', 'login'] } } }, 'broken', 'hosting_up'],
  ['type', { metrics: { hosting_up: { type: 'counter', labels: ['account'] } } }, 'broken', 'hosting_up'],
  ['alert', { alerts: [] }, 'broken', 'HostingDiskAlmostFull'],
  ['mapping', { configuration: ['accounts', 'accounts[].name'] }, 'broken', 'api'],
  ['flag', { flags: { check: [] } }, 'broken', '--json'],
  ['variable', { environment: [] }, 'broken', 'HOSTING_LOGIN'],
  ['field of the report', { report: ['accounts'] }, 'broken', 'state'],
  ['path', { httpPaths: {} }, 'broken', '/sd'],
])('a changed %s (%j) is %s, and needs an entry of this kind that names it', (_, change, kind, name) => {
  const changes = interfaceChanges(released, { ...released, ...change });
  const missing = (type: string, text = name) =>
    missingEntries(changes, `* [${type}] Something\n  with \`${text}\`.\n`);

  expect(interfaceChanges(released, released)).toEqual([]);
  expect(changes).toMatchObject([{ kind, name }]);
  expect(missing(kind === 'added' ? 'FEATURE' : 'CHANGE')).toEqual([]);
  expect(missing(kind === 'added' ? 'BUGFIX' : 'FEATURE')).toHaveLength(1);
  expect(missing('CHANGE', `${name}x`)).toHaveLength(1);
});
