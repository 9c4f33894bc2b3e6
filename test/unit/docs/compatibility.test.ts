import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  flagsOf,
  interfaceChanges,
  keysOf,
  missingEntries,
  type PublicInterface,
  type ReleasedInterface,
} from '../../../docs/src/compatibility.ts';
import { reasons } from '../../../src/api/error.ts';
import { App } from '../../../src/app.ts';
import { exitCodes } from '../../../src/cli/command.ts';
import { collectors } from '../../../src/collectors/list.ts';
import { environmentVariables } from '../../../src/config/file/environment.ts';
import { configFile } from '../../../src/config/file/schema.ts';
import { fleetReport } from '../../../src/pages/report.ts';
import { accountMetrics } from '../../../src/polling/account-metrics.ts';
import { webConfigFile } from '../../../src/web/config/schema.ts';
import { printedFor } from '../../fixtures/command-line.ts';
import { accountConfig, config } from '../../fixtures/config.ts';
import { readProcessMetrics } from '../../fixtures/process-metrics.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';
import { readText, repository } from '../../fixtures/repository.ts';
import { alertNames } from '../../integration/rules/rule-file.ts';

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
  environment: [...Object.keys(environmentVariables), 'SHARD_INDEX', 'SHARD_COUNT'],
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

test('docs/compatibility.json is up to date: run npx vitest run test/unit/docs -u', async () => {
  const text = `${JSON.stringify(current, null, 2)}\n`;

  await expect(text).toMatchFileSnapshot(join(repository, 'docs/compatibility.json'));
});

test('the list contains every kind of interface', () => {
  expect(current.metrics['hosting_up']).toEqual({ type: 'gauge', labels: ['account'] });
  expect(current.metrics['hosting_exporter_poll_duration_seconds']?.type).toBe('histogram');
  expect(current.configuration).toEqual(
    expect.arrayContaining(['api.timeout', 'accounts[].labels', 'accounts[].api.timeout', 'collectors.dns.every']),
  );
  expect(current.webConfiguration).toEqual(
    expect.arrayContaining(['tls_server_config.cert_file', 'basic_auth_users', 'rate_limit.burst']),
  );
  expect(current.flags['check']).toEqual([
    '--config.file',
    '--account',
    '--json',
    '--record',
    '--record.shift',
    '--help',
  ]);
  expect(Object.keys(current.flags)).toContain('healthy');
  expect(current.httpPaths).toMatchObject({ '/-/reload': ['POST', 'PUT'], '/': ['GET', 'HEAD'] });
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

test('an unchanged interface needs no entry', () => {
  expect(interfaceChanges(released, released)).toEqual([]);
});

test.each<[string, Partial<PublicInterface>, string]>([
  ['a metric', { metrics: { ...released.metrics, hosting_new: { type: 'gauge', labels: [] } } }, 'hosting_new'],
  ['a reason', { reasons: ['auth', 'quota'] }, 'quota'],
  ['a key of a mapping', { configuration: [...released.configuration, 'accounts[].labels'] }, 'labels'],
  ['a mapping with keys', { configuration: [...released.configuration, 'proxy', 'proxy.url'] }, 'proxy'],
  ['a key of a new list', { configuration: [...released.configuration, 'hosts', 'hosts[].port'] }, 'hosts'],
  ['a flag', { flags: { check: ['--json', '--quiet'] } }, '--quiet'],
  ['a command', { flags: { ...released.flags, prune: ['--all'] } }, 'prune'],
  ['an exit code', { exitCodes: [0, 1, 4] }, '4'],
  ['a field of the report', { report: ['accounts', 'accounts[].state', 'time'] }, 'time'],
  ['a path', { httpPaths: { ...released.httpPaths, '/federate': ['GET'] } }, '/federate'],
])('%s that is added needs one entry that names it', (_, changes, name) => {
  const added = interfaceChanges(released, { ...released, ...changes });

  expect(added).toMatchObject([{ kind: 'added', name }]);
  expect(missingEntries(added, `* [FEATURE] Add \`${name}\`.\n`)).toEqual([]);
  expect(missingEntries(added, `* [ENHANCEMENT] Something\n  with ${name}, and more.\n* [BUGFIX] Other`)).toEqual([]);
  expect(missingEntries(added, `* [BUGFIX] Repair \`${name}\`.\n`)).toHaveLength(1);
  expect(missingEntries(added, `* [FEATURE] Add \`${name}x\`.\n`)).toHaveLength(1);
});

test.each<[string, Partial<PublicInterface>, string]>([
  ['a removed metric', { metrics: {} }, 'hosting_up'],
  ['a new label', { metrics: { hosting_up: { type: 'gauge', labels: ['account', 'login'] } } }, 'hosting_up'],
  ['another type', { metrics: { hosting_up: { type: 'counter', labels: ['account'] } } }, 'hosting_up'],
  ['a removed alert', { alerts: [] }, 'HostingDiskAlmostFull'],
  ['a removed key', { configuration: ['api', 'accounts', 'accounts[].name'] }, 'timeout'],
  ['a removed mapping', { configuration: ['accounts', 'accounts[].name'] }, 'api'],
  ['a removed flag', { flags: { check: [] } }, '--json'],
  ['a removed environment variable', { environment: [] }, 'HOSTING_LOGIN'],
  ['a removed field of the report', { report: ['accounts'] }, 'state'],
  ['a removed path', { httpPaths: {} }, '/sd'],
])('%s needs an entry of the kind CHANGE that names it', (_, changes, name) => {
  const broken = interfaceChanges(released, { ...released, ...changes });

  expect(broken).toMatchObject([{ kind: 'broken', name }]);
  expect(missingEntries(broken, `* [CHANGE] Remove \`${name}\`.\n`)).toEqual([]);
  expect(missingEntries(broken, `* [FEATURE] Replace \`${name}\`.\n`)).toHaveLength(1);
});
