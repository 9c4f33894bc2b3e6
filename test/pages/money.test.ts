import { expect, it } from 'vitest';
import { textsOf } from '../../src/pages/language.ts';
import { moneyOf, moneyPage, readDays, sumsOf } from '../../src/pages/money.ts';
import { reportAccounts } from '../../src/pages/report.ts';
import { reportFormats } from '../../src/pages/report-formats.ts';
import { paymentFor } from '../../src/pages/view/problems.ts';
import { pageContext } from '../fixtures/page-context.ts';
import { viewedAccount } from '../fixtures/viewed-account.ts';

const now = Date.parse('2026-11-27T10:00:00Z');
const context = pageContext({ now, path: '/money' });

function accountOf(name: string, customer: string, balance?: number, charge?: number) {
  const money = (metric: string, value?: number) =>
    value === undefined ? [] : [[`hosting_account_${metric}`, value] as const];
  const days = balance === undefined || charge === undefined ? 99 : Math.max(0, Math.floor(balance / charge));
  const figures = [
    ...money('balance', balance),
    ...money('daily_charge', charge),
    ['hosting_account_block_timestamp_seconds', now / 1000 + days * 86_400] as const,
  ];
  return viewedAccount({ name, labels: customer === '' ? {} : { customer }, figures: { account: figures } });
}

const report = await reportAccounts(
  context,
  [
    accountOf('rich', 'acme', 1000, 10),
    accountOf('poor', 'acme', 21.43, 11.78),
    accountOf('mute', 'acme', undefined, 5),
    accountOf('overdue', 'Café "Lumen"', -134.83, 39.01),
    accountOf('small', '', 50, 0.5),
  ],
  false,
);

it('says what to pay so that the balance lasts, the account that runs out first at the top', () => {
  const rows = moneyOf(report, 'customer', 30);

  expect(rows.map(({ account, toPay, level }) => [account, toPay, level])).toEqual([
    ['overdue', 1305.13, 'critical'],
    ['poor', 331.97, 'critical'],
    ['rich', 0, 'ok'],
    ['small', 0, 'ok'],
    ['mute', undefined, 'ok'],
  ]);
  expect(moneyOf(report, 'customer', 365)[2]).toMatchObject({ account: 'rich', toPay: 2650 });
  // A kopeck too little would not last.
  expect(paymentFor({ balance: 0, charge: 0.3334 }, 30)).toBe(10.01);
});

it('adds only known amounts, and names the unknown ones', () => {
  const rows = moneyOf(report, 'customer', 30).filter(({ customer }) => customer === 'acme');

  expect(sumsOf(rows)).toEqual({ sums: { balance: 1021.43, charge: 21.78, toPay: 331.97 }, unknown: ['mute'] });
});

it('shows customers with their sums in both languages, and a negative balance like its problem', () => {
  const page = moneyPage(context, report, 'customer').replaceAll('\u00a0', ' ');
  const russian = moneyPage(
    pageContext({ language: 'ru', texts: textsOf.ru, now, path: '/money' }),
    report,
    'customer',
  );

  expect(page).toContain('<span class="level critical">-134.83</span>');
  expect(page).toMatch(/acme.*To pay for 30 days: <strong>331\.97<\/strong>.*unknown: <bdi>mute<\/bdi>/);
  expect(page).toMatch(/<p>To pay for 30 days: <strong>1,637\.10<\/strong>/);
  expect(page).toContain('href="/money?days=365"');
  expect(page.match(/A sum assumes/g)).toHaveLength(1);
  expect(russian).toContain('<h1>Деньги</h1>\n<p>Внести, чтобы хватило на 30 дней: ');
  expect(russian).toContain('<bdi>без клиента</bdi>');
});

it('shows the first 100 accounts, with the sums of all, and all on request', async () => {
  const accounts = Array.from({ length: 101 }, (_, index) =>
    accountOf(`a${index}`, index === 100 ? 'last' : 'acme', index, 1),
  );
  const many = await reportAccounts(context, accounts, false);
  const pageOf = (query: string) =>
    moneyPage(pageContext({ now, path: '/money', query: new URLSearchParams(query) }), many, 'customer');
  const rowsOf = (page: string) => page.match(/href="\/accounts\/a/g);

  expect(rowsOf(pageOf(''))).toHaveLength(100);
  expect(pageOf('')).toMatch(/>last<.*Balance: 100\.00/);
  expect(pageOf('days=60')).toContain('<a href="/money?days=60&amp;all=money">Show all 101</a>');
  expect(rowsOf(pageOf('all=money'))).toHaveLength(101);
  expect(pageOf('all=money')).not.toContain('Show all');
});

it('without customers has one list, and without money says that it is unknown', async () => {
  const unknown = await reportAccounts(context, [accountOf('mute', '')], false);

  expect(moneyPage(context, report, undefined)).not.toContain('class="group"');
  expect(moneyPage(context, unknown, undefined)).toContain('<p>unknown</p>');
});

it.each([
  [null, 30],
  ['90', 90],
  ['0', 30],
  ['-5', 30],
  ['1e9', 30],
])('reads the days %j as %i', (written, days) => {
  expect(readDays(written)).toBe(days);
});

it('csv has the sums after the accounts, with negative amounts as numbers', () => {
  const [header = '', ...rows] = reportFormats.csv(context, report, 60).trimEnd().split('\r\n');
  const names = header.split(',');
  const cells = (row: string, ...columns: readonly string[]) =>
    columns.map((name) => row.split(/,(?=")/)[names.indexOf(`"${name}"`)]);
  const money = ['balance', 'dailyCharge', 'customer', 'toPayFor60Days'];

  const overdue = rows.find((row) => row.startsWith('"overdue"')) ?? '';
  expect(cells(overdue, ...money)).toEqual(['"-134.83"', '"39.01"', '"Café ""Lumen"""', '"2475.43"']);
  const russian = reportFormats.csv(pageContext({ now, language: 'ru' }), report, 60);
  expect(russian).toMatch(/^\ufeff"account";"state";/);
  expect(russian).toMatch(/^"overdue";.*;"27\.11\.2026 10:00";.*"-134,83";"39,01";/ms);
  expect(rows.slice(-3).map((row) => cells(row, 'account', 'state', 'problems', ...money))).toEqual([
    ['""', '"total"', '""', '"-134.83"', '"39.01"', '"Café ""Lumen"""', '"2475.43"'],
    ['""', '"total"', '"unknown: mute"', '"1021.43"', '"21.78"', '"acme"', '"685.37"'],
    ['""', '"total"', '"unknown: mute"', '"936.6"', '"61.29"', '""', '"3160.8"'],
  ]);
});
