import { html, type SafeHtml } from '@remix-run/html-template';
import { column, detail, groupedTable, known, numeric, quiet, rated } from './components.ts';
import { inZone, labelPrefix, linkHere, linkToAccount, type PageContext } from './context.ts';
import { layout } from './layout.ts';
import { namesOf } from './problem-texts.ts';
import type { FleetReport } from './report.ts';
import { type AlertLevel, defaultDays, paymentFor } from './view/problems.ts';

/** The label that groups accounts by default. If no account has this label, the first label of the first account with labels is used. */
const usualLabel = 'customer';

export function groupingLabel(accounts: readonly { readonly labels: Readonly<Record<string, string>> }[]) {
  const labels = accounts.flatMap((account) => Object.keys(account.labels));
  return labels.includes(usualLabel) ? usualLabel : labels[0];
}

export type MoneyRow = ReturnType<typeof moneyOf>[number];

/**
 * The balance and the charges of each account. The account that runs out of money first is at the top. `toPay`: the payment after which the
 * balance lasts for `days` days; undefined if the balance or the charge is unknown.
 */
export function moneyOf({ accounts, problems }: FleetReport, label: string | undefined, days: number) {
  const rows = accounts.map(({ account, labels, figures, dates = [] }) => {
    const [balance, charge] = [figures['balance'], figures['dailyCharge']].map((value) =>
      typeof value === 'number' ? value : undefined,
    );
    const isKnown = balance !== undefined && charge !== undefined;
    const problem = problems.find((one) => one.account === account && one.kind === 'suspension')?.state;
    const level: AlertLevel = problem === 'critical' || problem === 'warning' ? problem : 'ok';
    return {
      account,
      customer: (label !== undefined && Object.hasOwn(labels, label) && labels[label]) || '',
      balance,
      charge,
      paidUntil: dates.find(({ kind }) => kind === 'payment')?.date,
      toPay: paymentFor({ balance, charge }, days),
      daysLeft: isKnown ? balance / charge : Number.NaN,
      level: balance !== undefined && balance < 0 ? 'critical' : level,
    } as const;
  });
  return rows.sort(
    (a, b) => Number(Number.isNaN(a.daysLeft)) - Number(Number.isNaN(b.daysLeft)) || a.daysLeft - b.daysLeft || 0,
  );
}

/** `sums`: sums over the accounts whose amounts are all known; undefined without such accounts. `unknown`: the omitted accounts. */
export function sumsOf(rows: readonly MoneyRow[]) {
  const complete = rows.filter(({ toPay }) => toPay !== undefined);
  const sum = (amountOf: (row: MoneyRow) => number | undefined) =>
    Math.round(100 * complete.reduce((all, row) => all + (amountOf(row) ?? 0), 0)) / 100;
  const sums = { balance: sum((row) => row.balance), charge: sum((row) => row.charge), toPay: sum((row) => row.toPay) };
  return {
    sums: complete.length === 0 ? undefined : sums,
    unknown: rows.filter(({ toPay }) => toPay === undefined).map(({ account }) => account),
  };
}

export function readDays(written: string | null): number {
  return /^[1-9]\d{0,3}$/.test(written ?? '') ? Number(written) : defaultDays;
}

export function moneyPage(page: PageContext, report: FleetReport, label: string | undefined): string {
  // The dates have no time of day, so they are shown in UTC.
  const context = inZone(page, 'UTC');
  const { texts, format, query } = context;
  const days = readDays(query.get('days'));
  const rows = moneyOf(report, label, days);
  const shown = new Set(query.has('all') ? rows : rows.slice(0, 100));
  const customers = Map.groupBy(rows, ({ customer }) => customer);
  const groups = [...customers].map(([customer, list]) => {
    const name = customer || texts.without(label ?? '');
    const filter = linkHere(context, { [labelPrefix + label]: customer });
    return {
      heading: label && html`<a href="${filter}"><bdi>${name}</bdi></a> ${detail(sumLine(context, list, days))}`,
      rows: list.filter((row) => shown.has(row)),
    };
  });
  const money = (amount: number | undefined) => known(context, amount, format.money, texts.unknown);
  const link = (account: string) => html`<a href="${linkToAccount(context, account)}"><bdi>${account}</bdi></a>`;
  const table = groupedTable(texts.money, groups, [
    column(texts.account, ({ account }) => link(account)),
    numeric(texts.balance, ({ balance, level }) =>
      balance === undefined ? money(balance) : rated(level, money(balance)),
    ),
    numeric(texts.dailyCharge, ({ charge }) => money(charge)),
    numeric(texts.paidUntil, ({ paidUntil, balance = 0, level }) =>
      balance < 0 ? rated(level, texts.inDebt) : known(context, paidUntil, (date) => format.date(Date.parse(date))),
    ),
    numeric(texts.toPay(days), ({ toPay }) => (toPay === 0 ? quiet(format.money(toPay)) : money(toPay))),
  ]);
  const links = [defaultDays, 60, 90, 365].map((choice) => {
    const text = texts.forDays(choice);
    return choice === days
      ? html` <strong>${text}</strong>`
      : html` <a href="${linkHere(context, { days: String(choice) })}">${text}</a>`;
  });
  const content = html`<h1>${texts.money}</h1>
<p>${sumLine(context, rows, days)}</p>
<p class="toggle quiet">${texts.lastsFor}${links}</p>
<p class="quiet">${texts.currencies}</p>
<section class="card">${table}${shown.size < rows.length ? html`<p class="toggle"><a href="${linkHere(context, { all: 'money' })}">${texts.showAllRows(rows.length)}</a></p>` : ''}</section>`;
  return layout(page, texts.money, content);
}

function sumLine(context: PageContext, rows: readonly MoneyRow[], days: number): SafeHtml {
  const { texts, format } = context;
  const { sums, unknown } = sumsOf(rows);
  const missing = unknown.length === 0 ? '' : html` · ${texts.unknown}: <bdi>${namesOf(context, unknown)}</bdi>`;
  if (sums === undefined) return html`${texts.unknown}`;
  const { balance, charge, toPay } = sums;
  return html`${texts.toPay(days)}: <strong>${format.money(toPay)}</strong> · ${texts.balance}: ${format.money(balance)} · ${texts.dailyCharge}: ${format.money(charge)}${missing}`;
}
