import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { sizesOf, wayNumbers } from '../../size/numbers.ts';
import { linesOf, readSources, statesWhyLong } from '../../size/sources.ts';

/** A text with this number of lines. */
function lines(count: number): string {
  return 'line\n'.repeat(count);
}

it('reads the TypeScript files of a folder', () => {
  const folder = temporaryFolder();
  for (const path of ['main.ts', 'notes.md', 'web/server.ts', 'web/config/keys.ts']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), path);
  }

  expect(readSources(folder)).toEqual([
    { path: 'main.ts', text: 'main.ts' },
    { path: 'web/config/keys.ts', text: 'web/config/keys.ts' },
    { path: 'web/server.ts', text: 'web/server.ts' },
  ]);
});

it.each([
  ['\n', 1],
  ['a\n\n// b\n', 3],
  ['a\nb', 2],
])('counts the lines of %j', (text, count) => {
  expect(linesOf([{ path: 'a.ts', text }])).toBe(count);
});

it('counts lines, folders and files', () => {
  const sources = [
    { path: 'main.ts', text: lines(14) },
    { path: 'app.ts', text: lines(15) },
    { path: 'web/server.ts', text: lines(350) },
    { path: 'web/config/keys.ts', text: lines(351) },
    {
      path: 'rules/texts.ts',
      text: `/** All texts in one file, because they are translated together. */\n${lines(351)}`,
    },
    { path: 'rules-of-access/list.ts', text: lines(20) },
    { path: 'sandbox/server.ts', text: lines(100) },
  ];

  const numbers = sizesOf(sources).map(({ name, measured, list }) => [name, measured, list]);

  expect(numbers).toEqual([
    ['lines of src without rules and sandbox', 14 + 15 + 350 + 351 + 20, undefined],
    ['lines of src', 14 + 15 + 350 + 351 + 352 + 20 + 100, undefined],
    ['folders directly in src', 4, ['web', 'rules', 'rules-of-access', 'sandbox']],
    ['files directly in src', 2, ['main.ts', 'app.ts']],
    ['files of more than 350 lines without a reason', 1, ['src/web/config/keys.ts: 351 lines']],
    ['files of fewer than 15 lines', 1, ['src/main.ts: 14 lines']],
  ]);
});

it.each([
  [true, '/** All texts in one file, because they are translated together. */'],
  [true, "import { a } from './a.ts';\n\n// All texts in one\n// file because they are translated together.\n"],
  [true, '/**\n * All texts are in one file,\n * because they are translated together.\n */'],
  [false, '/** All texts. */\n\n/** In one file, because they are translated together. */'],
  [false, '// All texts.\n\n// They are in one file, because they are translated together.'],
  [false, '/** All texts in one file. */'],
  [false, "export const text = 'in one file, because';"],
])('recognizes a reason for a long file: %s for %j', (expected, text) => {
  expect(statesWhyLong({ path: 'a.ts', text })).toBe(expected);
});

it('counts the functions that ran, and those that the figure passes', () => {
  const code = (file: string, carries: boolean) => ({ file, line: 1, name: 'read', carries });
  const poll = [
    code('src/api/client.ts', false),
    code('src/payloads/scalars.ts', true),
    code('src/payloads/scalars.ts', false),
    code('src/results/store.ts', true),
  ];
  const scrape = [code('src/web/routes.ts', false), code('src/results/store.ts', true)];
  const sources = [{ path: 'payloads/scalars.ts', text: 'export function payloadSchema<Payload>() {}' }];

  expect(wayNumbers({ poll, scrape }, sources).map(({ measured }) => measured)).toEqual([4, 2, 1, 1]);
  expect(() => wayNumbers({ poll, scrape }, [])).toThrow('payloadSchema');
});
