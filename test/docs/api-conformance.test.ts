import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { methodsOf } from '../../sandbox/src/methods/list.ts';
import { clientVersions } from '../clients/versions.ts';
import { readText, repository } from '../fixtures/repository.ts';

const page = 'docs/project/api-conformance.md';

const rows = readText(page)
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [number = '', requirement = '', tests = '', provider = '', ...rest] = line.slice(2, -2).split(' | ');
    return { number, requirement, tests, provider, rest };
  });

/** The test files to which a cell links. */
const linksIn = (cell: string) => [...cell.matchAll(/\]\(([\w./-]+\.test\.ts)\)/g)].map(([, file = '']) => file);

test('requirements are numbered, and each names test files that exist, for both dialects', () => {
  expect(rows.length).toBeGreaterThan(100);
  for (const [index, { number, requirement, tests, provider, rest }] of rows.entries()) {
    expect(rest, number).toEqual([]);
    expect(number, requirement).toBe(String(index + 1));
    expect(requirement, number).toMatch(/^.{15,}\.$/);
    expect(linksIn(tests), number).not.toEqual([]);
    if (provider !== 'same tests') expect(linksIn(provider), number).not.toEqual([]);
    const missing = [...linksIn(tests), ...linksIn(provider)].filter(
      (file) => !existsSync(join(repository, dirname(page), file)),
    );
    expect(missing, number).toEqual([]);
  }
});

test('the page names each client of others with the version that is tested', () => {
  for (const [client, version] of clientVersions) expect(readText(page)).toContain(`| ${client} | ${version} |`);
  expect(readText('test/clients/lego/go.mod')).toContain(`lego/v4 v${clientVersions.get('lego')}\n`);
});

test('there is one requirement for each method of the specification', () => {
  const methods = rows.flatMap(({ requirement }) => /^`([a-z]+\/\w+)`: [^`]+$/.exec(requirement)?.[1] ?? []);

  expect(methods.toSorted()).toEqual([...methodsOf('specification').keys()].sort());
});
