import { oneLine } from '../config/values/wording.ts';
import type { TextContext } from './context.ts';
import { groupingLabel, moneyOf, sumsOf } from './money.ts';
import { type FleetReport, figureNames } from './report.ts';
import { defaultDays } from './view/problems.ts';

/** One row for each account, then the sums for each customer and for all accounts. `days`: for how many days the balance should last. */
export function csvOf({ language }: TextContext, report: FleetReport, days = defaultDays): string {
  const { accounts, problems } = report;
  const money = moneyOf(report, groupingLabel(accounts), days);
  const toPayName = `toPayFor${days}Days`;
  const columns = [
    'account',
    'state',
    'problems',
    ...figureNames,
    'sinceYesterday',
    'sinceLastWeek',
    'customer',
    toPayName,
  ];
  const linesOf = (list: readonly { readonly text: string }[] = []) => list.map(({ text }) => text).join('\n');
  const rows = accounts.map(({ account, state, figures, changes }) => {
    const { customer = '', toPay } = money.find((one) => one.account === account) ?? {};
    return {
      ...{ ...figures, account, state, customer, [toPayName]: toPay },
      problems: linesOf(problems.filter((one) => one.account === account)),
      sinceYesterday: linesOf(changes?.yesterday),
      sinceLastWeek: linesOf(changes?.lastWeek),
    };
  });
  const customers = [...Map.groupBy(money, ({ customer }) => customer)].filter(([name]) => name !== '');
  const totals = [...customers, ['', money] as const].map(([customer, list]) => {
    const { sums, unknown } = sumsOf(list);
    const missing = unknown.length === 0 ? '' : `unknown: ${unknown.join(', ')}`;
    const { balance, charge: dailyCharge, toPay } = sums ?? {};
    return { state: 'total', problems: missing, balance, dailyCharge, customer, [toPayName]: toPay };
  });
  const cells = [...rows, ...totals].map((row: Readonly<Record<string, string | number | undefined>>) =>
    columns.map((name) => {
      const value = row[name] ?? '';
      return typeof value === 'string' && figureNames.includes(name) ? oneLine(value) : value;
    }),
  );
  // Russian spreadsheets need a byte order mark, semicolons and decimal commas.
  const isRussian = language === 'ru';
  const lines = [columns, ...cells].map((row) => row.map((value) => cellOf(value, isRussian)));
  return (isRussian ? '\ufeff' : '') + lines.map((cells) => `${cells.join(isRussian ? ';' : ',')}\r\n`).join('');
}

/** An apostrophe prevents spreadsheets from reading a text as a formula, even if they split cells at semicolons. */
function cellOf(value: string | number, isRussian: boolean): string {
  if (typeof value === 'number') return `"${isRussian ? `${value}`.replace('.', ',') : value}"`;
  const text = value.replace(/(^|[;,\t\n])(?=[=+@\t-])/g, "$1'").replaceAll('"', '""');
  return `"${isRussian ? text.replace(/^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d).*)?$/, '$3.$2.$1 $4').trimEnd() : text}"`;
}
