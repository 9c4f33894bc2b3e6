import { expect, test } from 'vitest';
import type { PublicInterface } from '../../docs/src/compatibility.ts';
import { readText } from '../fixtures/repository.ts';

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
