import { html, type SafeHtml } from '@remix-run/html-template';
import { phpSupportEnd } from '../rules/php-support.ts';
import { dateOf } from '../store/daily-memory.ts';
import { type Content, detail, rated } from './components.ts';
import { inZone, linkHere, linkToAccount, type PageContext, type TextContext } from './context.ts';
import { possibleTime } from './format.ts';
import { namesOf } from './problem-texts.ts';
import { datesOf } from './report.ts';
import type { AccountSummary } from './view/account-summary.ts';
import { fewAccounts, groupOf, type Overview } from './view/overview.ts';

const day = 86_400_000;
const horizon = 60 * day;

type ComingDate = ReturnType<typeof comingDates>[number] & { readonly account?: string; readonly customer?: string };

/** The events of an account in the next 60 days: the last paid day, a full disk, expiring domains, and PHP versions that lose support. */
export function comingDates(page: TextContext, summary: AccountSummary) {
  const context = inZone(page, summary.timeZone);
  const { texts, format, now } = context;
  const dayOf = (time: number) => dateOf(possibleTime(time), format.timeZone);
  const { diskFull, siteDomains, balance } = summary;
  const today = dayOf(now);
  const last = dayOf(now + horizon);
  const isOverdue = balance !== undefined && balance.amount < 0;
  const versions = Map.groupBy(siteDomains.keys(), (name) => siteDomains.get(name)?.['php_version'] ?? '');
  const ends = [...versions].map(([version, names]) => {
    const date = new Date(phpSupportEnd(version) - 1).toISOString().slice(0, 10);
    return { kind: 'php' as const, date, text: texts.phpEnds(version, namesOf(context, names)) };
  });
  const disk = diskFull ? [{ kind: 'disk' as const, text: texts.diskIsFull, date: dayOf(diskFull.time) }] : [];
  return [...datesOf(context, summary, now + horizon), ...disk, ...ends]
    .map((one) => ({ renews: undefined, ...one }))
    .filter(({ date, kind }) => date >= today && date <= last && !(kind === 'payment' && isOverdue))
    .sort((a, b) => Date.parse(a.date) - Date.parse(b.date));
}

export function dateList(page: PageContext, dates: readonly ComingDate[]): SafeHtml {
  return html`<ul class="list">${dates.map((date) => dateLine(page, date))}</ul>`;
}

function dateLine(page: PageContext, { date, text, renews, account }: ComingDate): SafeHtml {
  const { texts } = page;
  const link = account && html`<a href="${linkToAccount(page, account)}"><bdi>${account}</bdi></a> `;
  const note = renews ? texts.renewsItself : rated('warning', texts.renewByHand);
  const end = renews === undefined ? undefined : detail(note);
  return html`<li>${[inZone(page, 'UTC').format.date(Date.parse(date)), ': ', link, text, end]}</li>`;
}

/** Renders the dates of all accounts that the filters select. If there are many accounts, groups the dates by week and kind. */
export function comingSection(page: PageContext, { found, usual, page: number }: Overview): Content {
  const dates = found.flatMap((account) =>
    comingDates(page, account).map((one) => ({ ...one, account: account.name, customer: groupOf(account, usual) })),
  );
  if (number > 1 || dates.length === 0) return undefined;
  dates.sort((a, b) => Date.parse(a.date) - Date.parse(b.date));
  const content =
    found.length > fewAccounts
      ? cut(page, 'coming', weeks(dates), 4, (week) => weekPart(page, week))
      : html`<ul class="list">${cut(page, 'coming', dates, 8, (date) => dateLine(page, date))}</ul>`;
  return html`<section class="card" aria-labelledby="coming"><h2 id="coming">${page.texts.comingNext}</h2>${content}</section>`;
}

/** Shows at most `max` elements and a link. After the reader has followed the link, shows all elements. */
function cut<One>(page: PageContext, id: string, all: readonly One[], max: number, show: (one: One) => SafeHtml) {
  const opened = page.query.getAll('all');
  const shown = opened.includes(id) ? all : all.slice(0, max);
  const href = linkHere(page, { all: [...opened, id] });
  const more = html`<li class="more"><a href="${href}">${page.texts.andMore(all.length - shown.length)}</a></li>`;
  return [...shown.map(show), ...(shown.length < all.length ? [more] : [])];
}

function weeks(dates: readonly ComingDate[]) {
  // Weeks start on Monday, and 1 January 1970 was a Thursday.
  return [...Map.groupBy(dates, ({ date }) => Date.parse(date) - ((Date.parse(date) / day + 3) % 7) * day)];
}

function weekPart(page: PageContext, [monday, dates]: ReturnType<typeof weeks>[number]): SafeHtml {
  const causes = Map.groupBy(dates, ({ kind, renews }) => `${kind}${renews ? '-renewed' : ''}`);
  const lines = [...causes].map(([kind, list]) =>
    list.length === 1 ? dateList(page, list) : folded(page, `coming-${monday / day}-${kind}`, list),
  );
  return html`<h3>${inZone(page, 'UTC').format.dates(monday, monday + 6 * day)}</h3>${lines}`;
}

function folded(page: PageContext, id: string, dates: readonly ComingDate[]): SafeHtml {
  const { texts, query } = page;
  const countOf = (read: (date: ComingDate) => string | undefined) => new Set(dates.map(read)).size;
  const { kind, renews } = dates[0] ?? { kind: 'domain' };
  const domain = renews ? texts.domainsRenewing : texts.domainsByHand;
  const title = { payment: texts.paidUntil, disk: texts.diskFullIn, php: texts.oldPhp, domain }[kind];
  const accounts = countOf(({ account }) => account);
  const customers = countOf(({ customer }) => customer);
  const counts = [texts.accountCount(accounts), ...(customers > 1 ? [texts.customerCount(customers)] : [])];
  return html`<details id="${id}"${query.getAll('all').includes(id) ? html` open` : ''}><summary>${title}: ${counts.join(', ')}</summary><ul class="list">${cut(page, id, dates, 20, (date) => dateLine(page, date))}</ul></details>`;
}
