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
    remedy: alert && stepsOf(alert, language)[0]?.text,
    collectors: [view.problemKinds[one.kind].source ?? concerned].flat(),
  };
}

/**
 * Problems with the same cause and deadline as one line each, those that are due first at the top. `customers`: the first accounts of
 * each customer. `more`: the number of further accounts. Reports of older exporters name no causes.
 */
export function causesOf(context: TextContext, problems: readonly Problem[]) {
  const groups = Map.groupBy(problems, ({ account, kind, item, cause, causeText, change }) =>
    // The same day may be today in one time zone, and tomorrow in another.
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
          : `${causeText}${items.length > 1 ? `: ${namesOf(context, items)}` : paymentOf(context, toPay)}`,
      count: accounts.length,
      customers: [...Map.groupBy(accounts.slice(0, maxNames), ({ customer = '' }) => customer)],
      more: Math.max(0, accounts.length - maxNames),
    };
  });
  const rankOf = ({ period = 'later' }: Pick<Problem, 'period'>) => view.periods.indexOf(period);
  return lines.sort((a, b) => rankOf(a) - rankOf(b));
}

/** The line as text: with one account, its name is first; with several, their number and the first names by customer are last. */
export function lineOf({ texts }: TextContext, line: ReturnType<typeof causesOf>[number]): string {
  const { account, change, text, count, customers, more } = line;
  const prefix = change === undefined ? '' : `${texts.changes[change]}: `;
  // A report that failed is a problem of no account.
  if (count === 1) return oneLine(prefix + (line.kind === 'no report' ? '' : `${account}: `) + text);
  const names = customers.map(
    ([customer, list]) => `${customer && `${customer}: `}${list.map((one) => one.account).join(', ')}`,
  );
  const rest = more > 0 ? ` ${texts.andMore(more)}` : '';
  return oneLine(`${prefix}${text} — ${texts.accountCount(count)}: ${names.join('; ')}${rest}`);
}

/** The URL of the list of the accounts with a problem; empty if the report has no URLs. */
export function listLink({ accounts }: FleetReport, cause = ''): string {
  const [list] = accounts.flatMap(({ page = '' }) => /^.+\/(?=accounts\/)/.exec(page) ?? []);
  return list === undefined ? '' : `${list}?${new URLSearchParams({ cause })}`;
}
