import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { russian as dashboards } from '../../dashboards/src/russian.ts';
import { filesOf, pages, pictures } from '../../docs/pictures/pictures.ts';
import { english } from '../../src/pages/english.ts';
import { russian } from '../../src/pages/russian.ts';
import { readText, repository } from '../fixtures/repository.ts';

/** The Russian word of each state in the glossary, by the English word. */
const glossary = new Map(
  readText('docs/glossary.md')
    .split('## States')[1]
    ?.split('\n## ')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => {
      const [, word = '', translation = ''] = line.split('|').map((cell) => cell.trim());
      return [word, translation];
    }),
);

test('the pages use the words of the glossary for states', () => {
  const words = Object.entries(english.states).map(([state, word]) => [
    word,
    russian.states[state as keyof typeof english.states],
  ]);

  expect(words.map(([word = '', translation]) => [word, translation, glossary.get(word)])).toEqual(
    words.map(([word, translation]) => [word, translation, translation]),
  );
});

test('the dashboards use the words of the glossary for states', () => {
  const states = Object.entries(dashboards).filter(([word]) => glossary.has(word.replace(/: .*/, '')));

  expect(states.length).toBeGreaterThan(glossary.size);
  for (const [word, translation] of states) {
    expect(translation.replace(/: .*/, ''), word).toBe(glossary.get(word.replace(/: .*/, '')));
  }
});

test('docs/images has the pictures that the command draws', () => {
  const drawn = [
    ...pictures.map(({ file }) => file),
    ...pages.flatMap(([page]) => filesOf(page).map(({ file }) => file)),
  ];

  const files = readdirSync(join(repository, 'docs/images'));

  expect(files.toSorted()).toEqual(drawn.map((file) => `${file}.png`).toSorted());
});
