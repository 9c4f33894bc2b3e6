import { globSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { english as englishTexts } from '../../src/pages/english.ts';
import { russian as russianTexts } from '../../src/pages/russian.ts';
import { linksOf } from '../fixtures/links.ts';
import { readText, repository } from '../fixtures/repository.ts';
import { inRussian, russianPath, sectionsOf, untranslatedParagraphs } from '../fixtures/translation.ts';

/** The pages that exist in English and Russian, without runbooks. */
const pages = [
  'README.md',
  'docs/alerts.md',
  'docs/beyond-the-api.md',
  'docs/getting-started.md',
  'docs/installation.md',
  'docs/pages.md',
  'docs/small-server.md',
  'docs/without-prometheus.md',
];

test('every Russian page is the translation of an English page', () => {
  const russian = ['*.ru.md', 'docs/ru/*'].flatMap((pattern) => globSync(pattern, { cwd: repository }));

  expect(russian.toSorted()).toEqual(pages.map(russianPath).toSorted());
});

describe.each(pages)('the translation of %s', (english) => {
  const russian = russianPath(english);

  it('has the sections, code blocks, tables, lists and numbers of the English page', () => {
    expect(sectionsOf(readText(english)).length).toBeGreaterThan(2);
    expect(sectionsOf(readText(russian))).toEqual(sectionsOf(readText(english)));
  });

  it('has the links of the English page, to Russian pages and pictures where they exist', () => {
    const targets = linksOf(english).filter((link) => link !== russian);
    expect(targets.length).toBeGreaterThan(3);
    const translated = linksOf(russian).filter((link) => link !== english);
    expect(translated.toSorted()).toEqual(targets.map(inRussian).toSorted());
  });

  it('is linked from the English page, and links back', () => {
    const link = (words: string, from: string, to: string) =>
      `\n[${words}](${relative(dirname(from), dirname(to)) === '' ? '' : `${relative(dirname(from), dirname(to))}/`}${basename(to)})\n`;

    expect(readText(english)).toContain(link('На русском', english, russian));
    expect(readText(russian)).toContain(link('In English', russian, english));
  });

  it('is completely translated', () => {
    expect(untranslatedParagraphs(readText(russian))).toEqual([]);
  });
});

test.each([
  ['docs/pages.md', englishTexts],
  ['docs/ru/pages.md', russianTexts],
])(
  '%s uses the words that the pages show',
  (page, { states, missing, notReported, noLimit, notCompared, trendLater, httpsState, noSecurityFixes }) => {
    const text = readText(page).toLowerCase();
    const cells = [...text.matchAll(/^\| ([^|`]+) \|/gm)].flatMap(([, cell = '']) => cell.split(', '));
    const quoted = [...text.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].map(([, words]) => words);

    expect(cells).toEqual(expect.arrayContaining(Object.values(states).map((words) => words.toLowerCase())));
    const words = [...Object.values({ ...missing, ...httpsState }), notReported, noLimit, notCompared, trendLater];
    expect(quoted.toSorted()).toEqual([...words, noSecurityFixes].map((one) => one.toLowerCase()).toSorted());
  },
);
