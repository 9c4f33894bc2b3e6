import { execFileSync } from 'node:child_process';
import { globSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readText, repository } from '../fixtures/repository.ts';

const page = readText('CONTRIBUTING.md');
const folders = (path: string) =>
  readdirSync(join(repository, path), { withFileTypes: true }).filter((entry) => entry.isDirectory());

test('the samples of CONTRIBUTING.md are the files of a collector', () => {
  const samples = [...page.matchAll(/<!-- file: (\S+) -->\n {3}```ts\n(.*?) {3}```/gs)];

  const written = samples.map(([, path = '', code = '']) => [path, code.replace(/^ {3}/gm, '')]);

  expect(written).toEqual(
    ['src/payloads/ftp-account-list.ts', 'src/collectors/ftp-accounts.ts'].map((path) => [path, readText(path)]),
  );
});

const [, rooms = '', topLevel = ''] = page.split(/^## (?=Rooms$|The top level$|Change an alert$)/m);
const rows = [...rooms.matchAll(/^\| `([a-z/]+)` \| (.+) \|$/gm)];
const described = rows.map(([, room = '']) => room);

test('CONTRIBUTING.md says in one sentence what belongs into each room', () => {
  const existing = folders('src').flatMap(({ name }) =>
    // Its two halves are used by different rooms.
    name === 'config' ? folders('src/config').map((inner) => `config/${inner.name}`) : [name],
  );
  expect(described.toSorted()).toEqual(existing.toSorted());
  for (const [, room, sentence = ''] of rows) expect(sentence.endsWith('.'), room).toBe(true);
});

test('CONTRIBUTING.md names each entry of the top level', () => {
  const named = [...topLevel.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, cell = '']) =>
    cell.replaceAll('`', '').split(', '),
  );
  const tracked = execFileSync('git', ['ls-files'], { cwd: repository, encoding: 'utf8' }).trim().split('\n');

  expect(named.toSorted()).toEqual([...new Set(tracked.map((path) => path.split('/')[0]))].toSorted());
});

test('a room imports only rooms above it in the table of CONTRIBUTING.md, and only cli imports the sandbox, which imports no room', () => {
  const roomOf = (path: string) =>
    described.filter((room) => path.startsWith(`src/${room}/`)).sort((a, b) => b.length - a.length)[0];
  const imports = globSync('{src,sandbox}/**/*.ts', { cwd: repository }).flatMap((file) =>
    [...readText(file).matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(
      ([, to = '']) => [file, join(dirname(file), to)] as const,
    ),
  );

  const upward = imports.filter(([from, to]) => {
    if (from.startsWith('sandbox/')) return to.startsWith('src/');
    const [source, target] = [roomOf(from), to.startsWith('sandbox/') ? 'cli' : roomOf(to)];
    return source !== undefined && target !== undefined && described.indexOf(target) > described.indexOf(source);
  });

  expect(imports.length).toBeGreaterThan(500);
  expect(upward).toEqual([]);
});
