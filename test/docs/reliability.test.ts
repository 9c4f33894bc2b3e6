import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reasons } from '../../src/api/error.ts';
import { readText, repository } from '../fixtures/repository.ts';

const page = readText('docs/project/reliability.md');

/** The cells of all rows of the fault matrix. */
const rows = [...page.matchAll(/^\| (?!---|Fault )(.+) \|$/gm)].map(([, row = '']) => row.split(' | '));

test('every fault has a test file that exists', () => {
  const files = rows.map((cells) => [...(cells.at(-1) ?? '').matchAll(/\]\((?:\.\.\/)+(test\/[\w/.-]+)\)/g)]);
  const missing = files.flatMap((links, index) => {
    const unknown = links.filter(([, file = '']) => !existsSync(join(repository, file)));
    return links.length > 0 && unknown.length === 0 ? [] : [rows[index]?.[0]];
  });

  expect(rows.length).toBeGreaterThan(40);
  expect(missing).toEqual([]);
  expect(rows.filter((cells) => cells.length !== 5)).toEqual([]);
});

test('every reason is in the matrix', () => {
  const [matrix = ''] = page.split('## What the page means').slice(-1);

  expect(reasons.filter((reason) => !matrix.includes(`\`${reason}\``))).toEqual([]);
});
