import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PublicInterface } from '../../../docs/src/compatibility.ts';
import { readText, repository } from '../../fixtures/repository.ts';

const page = readText('docs/security.md');

/** Flags and paths of the code; compatibility.test.ts compares this file with them. */
const { flags, httpPaths } = JSON.parse(readText('docs/compatibility.json')) as PublicInterface;

/** The code spans in the first column of the table below a heading. */
function firstCells(heading: string): readonly string[] {
  const [, section = ''] = page.split(`## ${heading}\n`);
  const [table = ''] = /(?:^\|.*\n)+/m.exec(section) ?? [];
  return [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text),
  );
}

test('the page lists exactly the paths of the exporter', () => {
  expect(firstCells('Who can read what').toSorted()).toEqual(Object.keys(httpPaths).toSorted());
});

test('only a reload accepts methods that change something', () => {
  const changing = Object.entries(httpPaths).filter(([, methods]) => String(methods) !== 'GET,HEAD');

  expect(changing).toEqual([['/-/reload', ['POST', 'PUT']]]);
});

test('the page lists exactly the flags that name an output', () => {
  const outputs = Object.entries(flags).flatMap(([command, names]) =>
    names.filter((name) => /output|directory|^--(?:record|new|replay)$/.test(name)).map((name) => `${command} ${name}`),
  );

  expect(firstCells('What the exporter writes').toSorted()).toEqual(['serve', ...outputs].toSorted());
});

/** The functions of Node.js that write files. `open` is one of them, although it can also read. */
const writing =
  /\b(?:appendFile|chmod|chown|copyFile|cp|createWriteStream|link|lutimes|mkdir|mkdtemp|mkdtempDisposable|open|rename|rm|rmdir|symlink|truncate|unlink|utimes|writeFile)(?:Sync)?\b/;

function writesFiles(code: string): boolean {
  const imports = code.match(/^import [^;]* from 'node:fs(?:\/promises)?';$/gm) ?? [];
  // Only a list of names shows what a module uses.
  const uses = imports.some((line) => writing.test(line) || !line.includes('{'));
  return uses || /\b(?:enableCompileCache|writeHeapSnapshot|writeReport)\(|node:(?:child_process|sqlite)/.test(code);
}

test('only the modules behind these commands write files', () => {
  const modules = globSync('src/**/*.ts', { cwd: repository }).filter((name) => writesFiles(readText(name)));

  const places = new Set(modules.map((name) => name.replace(/^src\/state\/.*/, 'src/state')));
  expect([...places].toSorted()).toEqual([
    'src/cli/check/recorder.ts',
    'src/cli/init.ts',
    'src/cli/output-file.ts',
    'src/cli/rules.ts',
    'src/cli/sandbox.ts',
    'src/main.ts',
    'src/state',
  ]);
});
