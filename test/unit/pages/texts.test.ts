import { describe, expect, it } from 'vitest';
import { isLanguage, textsOf } from '../../../src/pages/language.ts';
import { messagePage } from '../../../src/pages/layout.ts';
import { describeProblem, namesOf } from '../../../src/pages/problem-texts.ts';
import type { AccountProblem } from '../../../src/pages/view/problems.ts';
import { pageContext } from '../../fixtures/page-context.ts';

const { en, ru } = textsOf;
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('in Russian', () => {
  it.each([
    [1, '1 аккаунт требует внимания, всего 40', '1 аккаунт с «а» в имени'],
    [2, '2 аккаунта требуют внимания, всего 40', '2 аккаунта с «а» в имени'],
    [5, '5 аккаунтов требуют внимания, всего 40', '5 аккаунтов с «а» в имени'],
    [11, '11 аккаунтов требуют внимания, всего 40', '11 аккаунтов с «а» в имени'],
    [21, '21 аккаунт требует внимания, всего 40', '21 аккаунт с «а» в имени'],
  ])('%i accounts have the right form', (count, attention, found) => {
    expect([ru.attention(count, 40), ru.found(count, 'а')]).toEqual([attention, found]);
  });

  it('a single account is not counted', () => {
    expect([ru.attention(1, 1), ru.allFine(1)]).toEqual(['Аккаунт требует внимания', 'С аккаунтом всё в порядке']);
  });

  it('figures are part of their sentences', () => {
    expect([
      ru.allFine(3),
      ru.stateCount('ok', 3),
      ru.free('1 ГБ', '2 ГБ'),
      ru.pageOf(2, 3),
      ru.andMore(4),
      ru.rowsShown('15', '40'),
      ru.collectorOff('sites, domains'),
      ru.notFound('shop'),
      ru.unreachable('auth'),
      ru.unreachable('timeout'),
    ]).toEqual([
      '3 аккаунта, всё в порядке',
      'в норме: 3',
      'свободно 1 ГБ из 2 ГБ',
      'Страница 2 из 3',
      'и ещё 4',
      'Показаны первые 15 из 40; в метриках есть все.',
      'Данных нет. Эти сборщики отключены или давно не опрашивались успешно: sites, domains',
      'Аккаунта «shop» нет.',
      'API отклоняет логин или пароль',
      'API не отвечает: timeout',
    ]);
  });
});

describe('in English', () => {
  it.each([
    [1, '1 of 40 accounts needs attention'],
    [2, '2 of 40 accounts need attention'],
  ])('%i accounts have the right form', (count, attention) => {
    expect(en.attention(count, 40)).toBe(attention);
  });
});

describe('a problem', () => {
  const cases: readonly (readonly [AccountProblem, string])[] = [
    [{ state: 'critical', kind: 'suspension', days: 0 }, 'Suspended today without payment'],
    [{ state: 'critical', kind: 'suspension', days: 1 }, 'Suspended in 1 d without payment'],
    [{ state: 'warning', kind: 'domain', domain: 'a.example', days: 0 }, 'Domain a.example expires in <1 d'],
    [{ state: 'warning', kind: 'domain', domain: 'a.example', days: -1 }, 'Domain a.example expired 1 d ago'],
    [{ state: 'failing', kind: 'unreachable', reason: 'auth' }, 'The API rejects the credentials'],
    [{ state: 'warning', kind: 'old backup', backups: 'mail', days: 3 }, 'Newest backup of mail is 3 d old'],
  ];

  it.each(cases)('%j is described as "%s"', (problem, text) => {
    expect(plain(describeProblem(pageContext(), problem))).toBe(text);
  });

  it('names the first three collectors', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];

    expect(namesOf(pageContext(), names.slice(0, 3))).toBe('a, b, c');
    expect(namesOf(pageContext(), names)).toBe('a, b, c, and 2 more');
  });
});

it.each([
  ['en', true],
  ['ru', true],
  ['de', false],
  ['', false],
  [null, false],
])('%j names a language of the pages: %j', (text, expected) => {
  expect(isLanguage(text)).toBe(expected);
});

it('a message has a page with a way back', () => {
  const page = messagePage(pageContext({ path: '/accounts/x' }), 'There is no account “x”.');

  expect(page).toContain('<h1>There is no account “x”.</h1>');
  expect(page).toContain('<main');
  expect(page).toMatch(/<p>.*<a href="\/">/);
});
