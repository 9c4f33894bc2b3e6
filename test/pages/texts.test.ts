import { describe, expect, it } from 'vitest';
import { formatOf } from '../../src/pages/format.ts';
import { isLanguage, textsOf } from '../../src/pages/language.ts';
import { adviceOn, describeProblem, namesOf } from '../../src/pages/problem-texts.ts';
import type { AccountProblem } from '../../src/pages/view/problems.ts';
import { pageContext } from '../fixtures/page-context.ts';

const { en, ru } = textsOf;
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('in Russian', () => {
  it.each([
    [1, 'Требует внимания 1 аккаунт из 40', 'По запросу «а» найден 1 аккаунт'],
    [2, 'Требуют внимания 2 аккаунта из 40', 'По запросу «а» найдено 2 аккаунта'],
    [5, 'Требуют внимания 5 аккаунтов из 40', 'По запросу «а» найдено 5 аккаунтов'],
    [11, 'Требуют внимания 11 аккаунтов из 40', 'По запросу «а» найдено 11 аккаунтов'],
    [21, 'Требует внимания 21 аккаунт из 40', 'По запросу «а» найден 21 аккаунт'],
    [40, 'Все 40 аккаунтов требуют внимания', 'По запросу «а» найдено 40 аккаунтов'],
  ])('%i accounts have the right form', (count, attention, found) => {
    expect([ru.attention(count, 40), ru.found(count, '«а»')]).toEqual([attention, found]);
  });

  it.each([
    [ru.customerCount, '1 клиент', '2 клиента', '5 клиентов', '21 клиент'],
    [ru.forDays, '1 день', '2 дня', '5 дней', '21 день'],
    [ru.disabledTasks, 'и ещё 1 отключённое', 'и ещё 2 отключённых', 'и ещё 5 отключённых', 'и ещё 21 отключённое'],
  ])('%s has the right form', (text, ...forms) => {
    expect([1, 2, 5, 21].map((count) => plain(text(count)))).toEqual(forms);
  });

  it('a single account is not counted', () => {
    expect([ru.attention(1, 1), ru.allFine(1)]).toEqual(['Аккаунт требует внимания', 'С аккаунтом всё в порядке']);
  });

  it('two accounts are both', () => {
    expect([ru.attention(2, 2), ru.allFine(2), en.attention(2, 2), en.allFine(2)]).toEqual([
      'Оба аккаунта требуют внимания',
      'Оба аккаунта в порядке',
      'Both accounts need attention',
      'Both accounts are fine',
    ]);
  });

  it('figures are part of their sentences', () => {
    expect([
      ru.found(0, '«acme»'),
      ru.allFine(3),
      ru.free('1 ГБ', '2 ГБ'),
      ru.andMore(4),
      ru.rowsShown('15', '40'),
      ru.notFound('shop'),
      ru.cause({ reason: 'http', status: undefined }),
      ru.disabledTasks(1),
      ru.certificateStatus('wle_set'),
      ru.certificateStatus('other'),
      ru.domainStatus('delegated'),
      ru.domainStatus('other'),
      ru.without('customer'),
      ru.without('team'),
    ]).toEqual([
      'По запросу «acme» ничего не найдено',
      'Все 3 аккаунта в порядке',
      'свободно 1 ГБ из 2 ГБ',
      'и ещё 4',
      'Показаны первые 15 из 40; в метриках есть все.',
      'Аккаунта «shop» нет.',
      'API возвращает ошибку HTTP',
      'и ещё 1 отключённое',
      'Let’s Encrypt',
      'состояние «other»',
      'делегирован',
      'состояние «other»',
      'без клиента',
      'без метки team',
    ]);
  });
});

it.each([
  [1, '1 of 40 accounts needs attention'],
  [2, '2 of 40 accounts need attention'],
  [40, 'All 40 accounts need attention'],
])('%i accounts have the right form in English', (count, attention) => {
  expect(en.attention(count, 40)).toBe(attention);
});

describe('a problem', () => {
  // Noon in UTC on 3 June; the account's day began at 21:00 UTC on 2 June.
  const context = pageContext({ now: Date.parse('2026-06-03T12:00:00Z'), format: formatOf('en', 'Europe/Moscow') });
  const inRussian = { ...context, language: 'ru', texts: ru, format: formatOf('ru', 'Europe/Moscow') } as const;
  const at = (text: string) => Date.parse(text);
  const cases: readonly (readonly [AccountProblem, string, string])[] = [
    [
      { state: 'critical', kind: 'suspension', time: at('2026-06-03T21:00:00Z') },
      'Without payment, the account will be suspended tomorrow',
      'Без оплаты аккаунт заблокируют завтра',
    ],
    [
      { state: 'critical', kind: 'suspension', time: at('2026-06-02T21:00:00Z') },
      'Without payment, the account will be suspended today',
      'Без оплаты аккаунт заблокируют сегодня',
    ],
    [
      { state: 'critical', kind: 'suspension', time: at('2026-06-01T21:00:00Z') },
      'Payment was due yesterday: if it was not made, the account is suspended',
      'Срок оплаты истёк вчера: если оплаты не было, аккаунт заблокирован',
    ],
    [
      { state: 'warning', kind: 'domain', domain: 'a.example', time: at('2026-06-08T12:00:00Z') },
      'Domain a.example expires in 5 days',
      'Регистрация домена a.example истекает через 5 дней',
    ],
    [
      { state: 'warning', kind: 'domain', domain: 'a.example', time: at('2026-06-03T20:00:00Z') },
      'Domain a.example expires today',
      'Регистрация домена a.example истекает сегодня',
    ],
    [
      { state: 'critical', kind: 'domain', domain: 'a.example', time: at('2026-06-03T12:00:00Z') },
      'Domain a.example expires today',
      'Регистрация домена a.example истекает сегодня',
    ],
    [
      { state: 'critical', kind: 'domain', domain: 'a.example', time: at('2026-06-02T20:00:00Z') },
      'Domain a.example expired yesterday',
      'Регистрация домена a.example истекла вчера',
    ],
    [
      { state: 'failing', kind: 'unreachable', cause: { reason: 'auth', status: undefined } },
      'The API rejects the login or password',
      'API отклоняет логин или пароль',
    ],
    [
      { state: 'warning', kind: 'renewal', domain: 'a.example' },
      'The renewal of domain a.example failed',
      'Не удалось продлить домен a.example',
    ],
  ];

  it.each(cases)('%j is described in both languages', (problem, english, russian) => {
    expect([context, inRussian].map((page) => plain(describeProblem(page, problem)))).toEqual([english, russian]);
  });

  it.each([
    [{ reason: 'http', status: 500 }, 'Wait. If the error remains, ask the provider.'],
    [{ reason: 'http', status: 404 }, "Check base_url. A 5xx is the provider's problem."],
    [{ reason: 'timeout', status: undefined }, 'The provider is slow. If many calls time out, raise timeout.'],
  ] as const)('of %j leads to the advice "%s"', (cause, advice) => {
    expect(adviceOn(pageContext(), cause)).toBe(advice);
  });

  it('names the first three collectors', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];

    expect(namesOf(pageContext(), names.slice(0, 3))).toBe('a, b, c');
    expect(namesOf(pageContext(), names)).toBe('a, b, c and 2 more');
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
