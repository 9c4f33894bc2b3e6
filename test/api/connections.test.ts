import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { Connections, trustedCertificates } from '../../src/api/connections.ts';
import { ConfigError } from '../../src/config/values/config-error.ts';
import { makePrivateAuthority } from '../fixtures/private-authority.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('reports a proxy variable that is not a URL as a configuration error', () => {
  vi.stubEnv('HTTP_PROXY', 'two words');

  expect(() => new Connections(undefined)).toThrow(ConfigError);
  expect(() => new Connections(undefined)).toThrow(/^HTTP_PROXY: is not the URL of a proxy; write one such as /);
});

test('trusts the default authorities, and also the authorities of ca_file', () => {
  const { caFile } = makePrivateAuthority(temporaryFolder());

  const trusted = trustedCertificates(caFile);

  expect(trusted).toEqual([...getCACertificates('default'), readFileSync(caFile, 'utf8')]);
  expect(getCACertificates('default').length).toBeGreaterThan(50);
  expect(trustedCertificates(undefined)).toBeUndefined();
});

function createConnections(caFile: string): Connections {
  const connections = new Connections(caFile);
  onTestFinished(() => connections.destroy());
  return connections;
}

test('opens other connections when the content of ca_file changes, and only then', () => {
  const folder = temporaryFolder();
  const { caFile } = makePrivateAuthority(folder);
  const connections = createConnections(caFile);
  const { version } = connections;
  const first = connections.dispatcher();
  const same = connections.dispatcher();

  writeFileSync(caFile, `${readFileSync(caFile, 'utf8')}# a comment\n`);
  const other = connections.dispatcher();

  expect(same).toBe(first);
  expect(other).not.toBe(first);
  expect(connections.version).not.toBe(version);
});

test('refuses every call while ca_file is damaged or missing, and recovers', () => {
  const folder = temporaryFolder();
  const { caFile } = makePrivateAuthority(folder);
  const good = readFileSync(caFile, 'utf8');
  const connections = createConnections(caFile);

  writeFileSync(caFile, 'nothing');
  expect(() => connections.dispatcher()).toThrow(`${caFile}: ca_file: contains no PEM certificate`);
  expect(() => trustedCertificates(caFile)).toThrow(ConfigError);
  rmSync(caFile);
  expect(() => connections.dispatcher()).toThrow(`${caFile}: ca_file: does not exist`);
  writeFileSync(join(folder, 'ca.pem'), good);

  expect(() => connections.dispatcher()).not.toThrow();
});
