import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reasons } from '../../../src/api/error.ts';
import { readText, repository } from '../../fixtures/repository.ts';

const page = readText('docs/reliability.md');

/** The cells of all rows of the fault matrix. */
const rows = [...page.matchAll(/^\| (?!---|Fault )(.+) \|$/gm)].map(([, row = '']) => row.split(' | '));

/** A reference such as [fan-out](../test/integration/polling/fan-out.test.ts): `a fan-out > name of the test`. */
const reference = /\[[\w-]+\]\(\.\.\/(test\/[\w/.-]+)\): `([^`]+)`/g;

test('every fault has a test', () => {
  const withoutTest = rows.filter((cells) => (cells.at(-1) ?? '').match(reference) === null);

  expect(rows.length).toBeGreaterThan(40);
  expect(withoutTest).toEqual([]);
  expect(rows.filter((cells) => cells.length !== 5)).toEqual([]);
});

test('every named test exists', () => {
  const missing = rows.flatMap((cells) =>
    [...(cells.at(-1) ?? '').matchAll(reference)].flatMap(([, file = '', name = '']) => {
      if (!existsSync(join(repository, file))) return [file];
      const text = readText(file);
      return name.split(' > ').every((part) => text.includes(part)) ? [] : [`${file}: ${name}`];
    }),
  );

  expect(missing).toEqual([]);
});

test('every reason is in the matrix', () => {
  const [matrix = ''] = page.split('## What the page means').slice(-1);

  expect(reasons.filter((reason) => !matrix.includes(`\`${reason}\``))).toEqual([]);
});
