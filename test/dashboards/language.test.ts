import { expect, test } from 'vitest';
import { russian } from '../../dashboards/src/russian.ts';
import { mapTexts, textsOf, translation, translationKey } from '../../dashboards/src/translate.ts';
import { allDashboards, englishDashboards } from './dashboard-reading.ts';

const english = new Set(englishDashboards().flatMap((dashboard) => [...textsOf(dashboard)]));

test('every text has a Russian translation', () => {
  const missing = [...english].filter((text) => translation(text, russian) === undefined);

  expect(missing).toEqual([]);
});

test('every translation belongs to an existing text', () => {
  const used = new Set([...english].flatMap((text) => [text, translationKey(text)]));

  const unused = Object.keys(russian).filter((text) => !used.has(text));

  expect(unused).toEqual([]);
});

test('translations are in Cyrillic, except names of programs', () => {
  const names = ['PHP', 'HTTPS', 'Let’s Encrypt', 'Node.js'];

  const latin = Object.values(russian).filter((text) => !/\p{Script=Cyrillic}/u.test(text));

  expect(latin.toSorted()).toEqual(names.toSorted());
});

test('a translation keeps the numbers of the English text, with a decimal comma', () => {
  const text = translation('Over 85 % of 1.5 GB', { 'Over # % of # GB': 'Больше # % из # ГБ' });

  expect(text).toBe('Больше 85 % из 1,5 ГБ');
});

test('the two sets differ only in texts, uids and the language of runbooks', () => {
  const withoutTexts = (uid: string): unknown => {
    const dashboard = allDashboards().find((one) => one.uid === uid);
    const neutral = JSON.stringify(dashboard && mapTexts(dashboard, () => 'text'));
    return JSON.parse(neutral.replaceAll(/-ru|(?<=\/runbooks)\/ru/g, ''));
  };

  for (const { uid = '' } of englishDashboards()) {
    expect(withoutTexts(`${uid}-ru`), uid).toEqual(withoutTexts(uid));
  }
});
