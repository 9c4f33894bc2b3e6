import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { labelsIn } from '../../src/pages/labels.ts';
import { textsOf } from '../../src/pages/language.ts';
import messages from '../../src/pages/messages.ru.json' with { type: 'json' };
import { inRussian } from '../../src/pages/translate.ts';

it('translates every error of the configuration in the fixtures', () => {
  const lines = globSync('test/config/file/fixtures/**/*.bad.txt').flatMap((path) =>
    readFileSync(path, 'utf8').split('\n').filter(Boolean),
  );

  expect(lines.length).toBeGreaterThan(200);
  expect(lines.filter((line) => !/[а-яё]{3}/i.test(inRussian(line)))).toEqual([]);
});

it('translates the texts of the pages with the same values, and the advice', () => {
  const { advice, renewalStatus, sectionLabels } = textsOf.ru;
  const russian = [...textsIn(labelsIn(1)), ...textsIn({ advice, renewalStatus: renewalStatus.words, sectionLabels })];
  const valuesOf = (texts: readonly string[]) =>
    texts.map((text) => [...new Set(text.match(/[①-⑤]/g))].sort().join(''));

  expect(russian.filter((text) => !/[а-яё]{2}|[А-ЯЁ]{2}/.test(text.replace(/[①-⑤]/g, '')))).toEqual([
    'In English',
    '«①»',
    '① — ②',
    '① с ②',
    'Cron',
    'DNS',
    'FTP',
    'MySQL',
  ]);
  expect(valuesOf(textsIn(labelsIn(1)))).toEqual(valuesOf(textsIn(labelsIn(0))));
});

/** All texts of an object. A function gets a mark for each value. */
function textsIn(texts: unknown): readonly string[] {
  if (typeof texts === 'function') return [String(texts('①', '②', '③', '④', '⑤'))];
  return typeof texts === 'object' && texts !== null ? Object.values(texts).flatMap(textsIn) : [String(texts)];
}

it.each([
  [
    'c.yml:3:5: api.timeout: "30 sec" is not a duration; write a whole number and s, m, h or d, such as 30s or 1h',
    'c.yml:3:5: api.timeout: "30 sec" — не длительность; напишите целое число и s, m, h или d, например 30s или 1h',
  ],
  ['c.yml:9:1: accounts[0].login: is missing', 'c.yml:9:1: accounts[0].login: не указано'],
  ['c.yml: does not exist; create it, or correct the path', 'c.yml: не существует; создайте его или исправьте путь'],
  ["error: unknown account 'shop'\n(Did you mean shop1?)", "ошибка: нет аккаунта 'shop'\n(Возможно, shop1?)"],
  ['Name of the account in metrics [is missing]: ', 'Имя аккаунта в метриках [is missing]: '],
  ['a text of the provider', 'a text of the provider'],
])('translates %j', (english, russian) => {
  expect(inRussian(english)).toBe(russian);
});

it('knows only words that the program has', () => {
  const source = globSync('src/**/*.ts')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const words =
    Object.keys(messages)
      .join(' ')
      .match(/[a-z]{4,}/gi) ?? [];

  expect([...new Set(words)].filter((word) => !source.includes(word))).toEqual([]);
});
