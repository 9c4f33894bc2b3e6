import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { methodsOf } from '../../../sandbox/src/methods/list.ts';
import { clientVersions } from '../../clients/versions.ts';
import { readText } from '../../fixtures/repository.ts';

const page = 'docs/api-conformance.md';

/** Files with the tables of tests in other files. */
const tables: Readonly<Record<string, string>> = {
  'sandbox/test/methods.test.ts': 'sandbox/test/api-calls.ts',
};
const root = resolve(import.meta.dirname, '../../..');

const rows = readText(page)
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [number = '', requirement = '', tests = '', provider = '', ...rest] = line.slice(2, -2).split(' | ');
    return { number, requirement, tests, provider, rest };
  });

/** A test as the page names it: `[file](path): name`, possibly `with` a row of its table. */
const reference = /\[[\w-]+\]\(\.\.\/(?<file>[\w./-]+)\): `(?<name>[^`]+)`(?: with `(?<row>[^`]+)`)?/g;

const referencesIn = (cell: string) => [...cell.matchAll(reference)].map(({ groups }) => groups ?? {});
const references = rows.flatMap(({ tests, provider }) => [...referencesIn(tests), ...referencesIn(provider)]);
const files = new Set(references.map(({ file = '' }) => file));

describe(page, () => {
  let names: ReadonlySet<string>;

  beforeAll(() => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const listed: readonly { readonly name: string; readonly file: string }[] = JSON.parse(
      execFileSync(process.execPath, [vitest, 'list', ...files, '--json'], { cwd: root, encoding: 'utf8', env: {} }),
    );
    names = new Set(listed.map(({ name, file }) => `${file.slice(root.length + 1)}: ${name}`));
  });

  it('numbers its requirements, and names a test for each in both dialects', () => {
    expect(rows.length).toBeGreaterThan(100);
    for (const [index, { number, requirement, tests, provider, rest }] of rows.entries()) {
      expect(rest, number).toEqual([]);
      expect(number).toBe(String(index + 1));
      expect(requirement, number).toMatch(/^.{15,}\.$/);
      expect(referencesIn(tests), number).not.toEqual([]);
      if (provider !== 'same tests') expect(referencesIn(provider), number).not.toEqual([]);
    }
  });

  it('names only tests that exist', () => {
    const missing = references.map(({ file, name }) => `${file}: ${name}`).filter((test) => !names.has(test));

    expect(missing).toEqual([]);
  });

  it('names only rows of tables that exist', () => {
    const missing = references.filter(({ file = '', row }) => {
      if (row === undefined || readText(tables[file] ?? file).includes(`'${row}'`)) return false;
      return !existsSync(join(root, dirname(file), 'fixtures', row));
    });

    expect(missing).toEqual([]);
  });

  it('names each client of others with the version that is tested', () => {
    for (const [client, version] of clientVersions) expect(readText(page)).toContain(`| ${client} | ${version} |`);
    expect(readText('test/clients/lego/go.mod')).toContain(`lego/v4 v${clientVersions.get('lego')}\n`);
  });

  it('has one requirement for each method of the specification', () => {
    const methods = rows.flatMap(({ requirement }) => /^`([a-z]+\/\w+)`: [^`]+$/.exec(requirement)?.[1] ?? []);

    expect(methods.toSorted()).toEqual([...methodsOf('specification').keys()].sort());
  });
});
