import { expect, test } from 'vitest';
import { russian } from '../../../dashboards/src/russian.ts';
import { mapTexts, textsOf, translation, translationKey } from '../../../dashboards/src/translate.ts';
import { allDashboards, englishDashboards } from './dashboard-reading.ts';

const english = new Set(englishDashboards().flatMap((dashboard) => [...textsOf(dashboard)]));

test('every text has Russian words', () => {
  const missing = [...english].filter((text) => translation(text, russian) === undefined);

  expect(missing).toEqual([]);
});

test('no Russian words are left for a text that is gone', () => {
  const used = new Set([...english].flatMap((text) => [text, translationKey(text)]));

  const unused = Object.keys(russian).filter((text) => !used.has(text));

  expect(unused).toEqual([]);
});

test('Russian words are Russian, but for names of programs and reasons', () => {
  const names = ['PHP', 'Node.js', 'timeout', 'network', 'limit', 'http', 'permission', 'auth'];

  const latin = Object.values(russian).filter((text) => !/\p{Script=Cyrillic}/u.test(text));

  expect(latin.toSorted()).toEqual(names.toSorted());
});

test('numbers in Russian words are those of the English', () => {
  const text = translation('Over 85 % of 20 GB', { 'Over # % of # GB': 'Больше # % из # ГБ' });

  expect(text).toBe('Больше 85 % из 20 ГБ');
});

test('the sets differ in words and names only', () => {
  const bare = (uid: string): unknown => {
    const dashboard = allDashboards().find((one) => one.uid === uid);
    const wordless = JSON.stringify(dashboard && mapTexts(dashboard, () => 'words')).replaceAll('-ru', '');
    return JSON.parse(wordless.replaceAll(/"fields":"[^"]*"/g, '"fields":""'));
  };

  for (const { uid = '' } of englishDashboards()) {
    expect(bare(`${uid}-ru`)).toEqual(bare(uid));
  }
});
