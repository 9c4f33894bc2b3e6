import { expect, it } from 'vitest';
import { causesOf } from '../../src/pages/causes.ts';
import { formatOf } from '../../src/pages/format.ts';
import { textsOf } from '../../src/pages/language.ts';
import { reportAccounts } from '../../src/pages/report.ts';
import { reportFormats } from '../../src/pages/report-formats.ts';
import { pageContext } from '../fixtures/page-context.ts';
import { type Figure, viewedAccount } from '../fixtures/viewed-account.ts';

const now = Date.parse('2026-11-27T10:00:00Z');
const languages = {
  en: pageContext({ now }),
  ru: pageContext({ now, language: 'ru', texts: textsOf.ru, format: formatOf('ru', 'UTC') }),
};

/** Accounts that are paid for so many days; a negative number means a debt. */
function unpaid(days: number, count: number, customers: readonly string[] = ['acme', 'beta']) {
  const figures: readonly Figure[] = [
    ['hosting_account_block_timestamp_seconds', now / 1000 + Math.max(days, 0) * 86_400],
    ['hosting_account_balance', days * 10],
    ['hosting_account_daily_charge', 10],
    ['hosting_account_disk_usage_bytes', 10],
  ];
  return Array.from({ length: count }, (_, index) => {
    const customer = customers[index % customers.length];
    return viewedAccount({
      ...{ name: `${days}-${index}`, labels: customer === undefined ? {} : { customer } },
      figures: { account: figures },
    });
  });
}

const reportOf = (
  accounts: ReturnType<typeof unpaid>,
  language: 'en' | 'ru' = 'en',
  pageOf?: (name: string) => string,
) => reportAccounts(languages[language], accounts, false, pageOf);

async function linesOf(accounts: ReturnType<typeof unpaid>, language: 'en' | 'ru' = 'en') {
  const text = reportFormats.text(
    languages[language],
    await reportOf(accounts, language, (name) => `https://h/p/accounts/${name}`),
  );
  return text.replaceAll('\u00a0', ' ').split('\n').slice(1, -1);
}

it.each([
  ['en', 1, '2-0: Without payment, the account will be suspended in 2 days. Pay 280.00 to have 30 days'],
  [
    'en',
    60,
    'Without payment, the accounts will be suspended in 2 days. Pay 16,800.00 to have 30 days — 60 accounts: acme: 2-0, 2-2; beta: 2-1 and 57 more https://h/p/?cause=suspension+2026-11-29',
  ],
  ['ru', 1, '2-0: Без оплаты аккаунт заблокируют послезавтра. Внесите 280,00, чтобы хватило на 30 дней'],
  [
    'ru',
    21,
    'Без оплаты аккаунты заблокируют послезавтра. Внесите 5 880,00, чтобы хватило на 30 дней — 21 аккаунт: acme: 2-0, 2-2; beta: 2-1 и ещё 18 https://h/p/?cause=suspension+2026-11-29',
  ],
] as const)('in %s tells the payment of %d accounts in one line', async (language, count, line) => {
  expect(await linesOf(unpaid(2, count), language)).toEqual([line]);
});

it('tells a cause of a thousand accounts in one line', async () => {
  const [line, ...others] = await linesOf(unpaid(2, 1000, []));

  expect(others).toEqual([]);
  expect(line).toContain('Pay 280,000.00 to have 30 days — 1000 accounts: 2-0, 2-1, 2-2 and 997 more');
});

it('without pages, has all names, or for monitoring systems says how to get them', async () => {
  const report = await reportOf(unpaid(2, 60, []));
  const [text, nagios] = [reportFormats.text, reportFormats.nagios].map((format) => format(languages.en, report));

  expect(text).toContain('60 accounts: 2-0, 2-1, 2-2, 2-3,');
  expect(text).toMatch(/, 2-58, 2-59\n$/);
  expect(nagios).toContain('60 accounts: 2-0, 2-1, 2-2 and 57 more (report --format=csv) ');
});

it('puts debts first, the oldest at the top, and names no day that has passed as today', async () => {
  expect(await linesOf([...unpaid(1, 1), ...unpaid(-3, 1), ...unpaid(-9, 1)])).toEqual([
    'Payment is overdue, possibly suspended already. Pay 720.00 to have 30 days — 2 accounts: acme: -9-0, -3-0 https://h/p/?cause=overdue',
    '1-0: Without payment, the account will be suspended tomorrow. Pay 290.00 to have 30 days',
  ]);
  expect(await linesOf(unpaid(-3, 1))).toEqual([
    '-3-0: Payment is overdue for about 3 days (-30.00), possibly suspended already. Pay 330.00 to have 30 days',
  ]);
});

it('keeps different deadlines and different states apart', async () => {
  const disk = (name: string, used: number) =>
    viewedAccount({
      name,
      figures: {
        account: [
          ['hosting_account_disk_usage_bytes', used],
          ['hosting_account_disk_limit_bytes', 100],
        ],
      },
    });

  const report = await reportOf([...unpaid(1, 2), ...unpaid(2, 2), disk('a', 97), disk('b', 98), disk('c', 91)]);

  expect(causesOf(languages.en, report.problems).map(({ cause, period, count }) => [cause, period, count])).toEqual([
    ['disk critical', 'today', 2],
    ['suspension 2026-11-28', 'week', 2],
    ['suspension 2026-11-29', 'week', 2],
    ['disk warning', 'week', 1],
  ]);
});
