import { oneLine } from '../config/values/wording.ts';
import type { TextContext } from './context.ts';
import { describeProblem, maxNames, namesOf, paymentOf } from './problem-texts.ts';
import type { FleetReport, Problem } from './report.ts';
import { stepsOf } from './runbook.ts';
import type { AccountSummary } from './view/account-summary.ts';
import { groupOf } from './view/overview.ts';
import * as view from './view/problems.ts';

/** `context` has the time zone of the account. `label`: the label whose value is the customer. */
export function problemRow(
  context: TextContext,
  account: AccountSummary,
  one: view.AccountProblem,
  label?: string,
): Problem {
  const { format, now, language } = context;
  const reason = 'cause' in one ? one.cause.reason : undefined;
  const concerned = 'collectors' in one ? one.collectors : account.pollers.map(({ collector }) => collector.name);
  const alert = view.alertOf(one);
  const days = format.daysUntil(view.dueOf(one, now), now);
  return {
    account: account.name,
    customer: groupOf(account, label) || undefined,
    state: one.state,
    kind: one.kind,
    item: 'domain' in one ? one.domain : 'backups' in one ? one.backups : reason,
    cause: view.causeKeyOf(one, account.timeZone),
    causeText: describeProblem(context, one, true),
    period: view.isOverdue(one) ? 'overdue' : days <= 0 ? 'today' : days <= 7 ? 'week' : 'later',
    text: describeProblem(context, one),
    pay: 'balance' in one ? view.paymentFor(one) : undefined,
    alert,
    remedy: alert && stepsOf(alert, language)[0]?.text,
    collectors: [view.problemKinds[one.kind].source ?? concerned].flat(),
  };
}

/**
 * Joins problems with the same cause and deadline into one line. The line that is due first is at the top. `customers`: the first `max`
 * accounts, grouped by customer. `more`: the number of omitted accounts or items. Problems from older exporters have no `cause`.
 */
export function causesOf(context: TextContext, problems: readonly Problem[], max = maxNames) {
  const groups = Map.groupBy(problems, ({ account, kind, item, cause, causeText, change }) =>
    // `causeText` can differ: the same day may be today in one time zone, and tomorrow in another.
    JSON.stringify([cause ?? [account, kind, item], causeText, change]),
  );
  const lines = [...groups.values()].map(([first, ...others]) => {
    const rows = [first as Problem, ...others];
    const accounts = [...new Map(rows.map((row) => [row.account, row])).values()];
    const items = accounts.length > 1 ? [] : rows.flatMap(({ item }) => item ?? []);
    const toPay = rows.reduce((sum, { pay = 0 }) => sum + pay, 0);
    const { text, causeText, ...line } = first as Problem;
    return {
      ...line,
      text:
        others.length === 0
          ? text
          : `${causeText}${items.length > 1 ? `: ${namesOf(context, items, max)}` : paymentOf(context, toPay)}`,
      count: accounts.length,
      customers: [...Map.groupBy(accounts.slice(0, max), ({ customer = '' }) => customer)],
      more: Math.max(0, accounts.length - max, items.length - max),
    };
  });
  const rankOf = ({ period = 'later' }: Pick<Problem, 'period'>) => view.periods.indexOf(period);
  return lines.sort((a, b) => rankOf(a) - rankOf(b));
}

/**
 * Returns one line for each cause. A line about one account starts with its name. A line about several accounts ends with their
 * number and names. `link`: the page with the omitted names. Without a page, a line has all names or, if `isShort`, says how to list them.
 */
export function causeLines(context: TextContext, report: FleetReport, isShort = false) {
  const { texts } = context;
  const pages = new Map(report.accounts.map(({ account, page }) => [account, page]));
  const list = [...pages.values()].flatMap((page = '') => /^.+\/(?=accounts\/)/.exec(page) ?? [])[0];
  const causes = causesOf(context, report.problems, list || isShort ? maxNames : Number.POSITIVE_INFINITY);
  return causes.map(({ account, change, kind, cause = '', count, customers, more, remedy, ...line }) => {
    const names = customers.map(
      ([customer, list]) => `${customer && `${customer}: `}${list.map((one) => one.account).join(', ')}`,
    );
    const rest = more === 0 ? '' : ` ${texts.andMore(more)}${list ? '' : ' (report --format=csv)'}`;
    // The kind `no report` means that there is no report, so there is no account to name.
    const text =
      count === 1
        ? (kind === 'no report' ? '' : `${account}: `) + line.text
        : `${line.text} — ${texts.accountCount(count)}: ${names.join('; ')}${rest}`;
    const link = count > 1 ? list && `${list}?${new URLSearchParams({ cause })}` : more > 0 ? pages.get(account) : '';
    const prefix = change === undefined ? '' : `${texts.changes[change]}: `;
    return { text: oneLine(prefix + text), link: link ?? '', remedy: change === 'ended' ? undefined : remedy };
  });
}
