import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/config/values/config-error.ts';
import { loadWebConfig } from '../../../src/web/config/load.ts';
import { writtenFile } from '../../fixtures/written-file.ts';

const folder = join(import.meta.dirname, '../../fixtures/web-config');
const files = readdirSync(folder).filter((name) => name.endsWith('.yml'));

function problemsOf(file: string): readonly string[] {
  try {
    loadWebConfig(join(folder, file));
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').map((line) => line.replace(`${join(folder, file)}:`, ''));
  }
}

describe('a web configuration file', () => {
  it.each(files.filter((name) => name.endsWith('.good.yml')))('%s is accepted', (name) => {
    expect(problemsOf(name)).toEqual([]);
  });

  it.each(files.filter((name) => name.endsWith('.bad.yml')))('%s is refused with the errors of its .txt', (name) => {
    const expected = readFileSync(join(folder, name.replace(/yml$/, 'txt')), 'utf8');

    expect(`${problemsOf(name).join('\n')}\n`).toBe(expected);
  });

  it('has the warnings of warnings.txt, if nobody else can read it and its key', async () => {
    const warnings = files
      .filter((name) => name.endsWith('.good.yml'))
      .flatMap((name) => {
        const path = writtenFile(readFileSync(join(folder, name), 'utf8'));
        return loadWebConfig(path).warnings.map((warning) => `${warning.replace(path, name)}\n`);
      });

    await expect(warnings.join('')).toMatchFileSnapshot(join(folder, 'warnings.txt'));
  });

  it('that does not exist is refused', () => {
    expect(problemsOf('missing.yml')).toEqual([' does not exist; create it, or correct the path']);
  });

  it('shows neither hashes nor passwords nor keys in errors', () => {
    const messages = files.flatMap(problemsOf).join('\n');

    expect(messages).not.toMatch(/\$2|dave123|long password|short"|PRIVATE KEY-----\S/);
  });
});

/** Where the exporter differs from Debian's promtool (2.42) on purpose. */
const differences: Readonly<Record<string, string>> = {
  'client-ca-inline.good.yml': 'promtool is older than the key client_ca',
  'client-ca-not-pem.bad.yml': 'stricter: such a file would refuse every client',
  'header-injection.bad.yml': 'stricter: Go replaces the line break',
  'merge-key.bad.yml': 'stricter: the merged users would be lost',
  'rate-limit-burst.good.yml': 'promtool is older than the key rate_limit',
  'rate-limit-burst-1.good.yml': 'promtool is older than the key rate_limit',
  'rate-limit-off.good.yml': 'promtool is older than the key rate_limit',
  'rate-limit-one-second.good.yml': 'promtool is older than the key rate_limit',
  'rate-limit-without-burst.good.yml': 'promtool is older than the key rate_limit',
  'san-other.good.yml': 'promtool is older than the key client_allowed_sans',
  'san-without-certificate.good.yml': 'promtool is older than the key client_allowed_sans',
  'san.good.yml': 'promtool is older than the key client_allowed_sans',
  'tls-inline.good.yml': 'promtool is older than the keys cert and key',
  'user-reserved-name.bad.yml': 'stricter: JavaScript cannot keep this name',
  'user-with-colon.bad.yml': 'stricter: no client could log in',
  'versions-reversed.bad.yml': 'stricter: every handshake would fail',
};

it('promtool check web-config agrees on every file, except on purpose', () => {
  const { stderr } = spawnSync('promtool', ['check', 'web-config', ...files], { cwd: folder, encoding: 'utf8' });
  const accepted = new Set([...stderr.matchAll(/^(\S+) SUCCESS$/gm)].map(([, name]) => name));

  const disagreed = files.filter((name) => accepted.has(name) !== (problemsOf(name).length === 0));

  expect(disagreed).toEqual(Object.keys(differences).toSorted());
});
