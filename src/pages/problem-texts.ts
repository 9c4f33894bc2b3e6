import { oneLine } from '../config/values/wording.ts';
import { dayOf } from './components.ts';
import type { TextContext } from './context.ts';
import type { FleetReport } from './report.ts';
import {
  type AccountProblem,
  type AccountState,
  type Cause,
  daysInDebt,
  defaultDays,
  isOverdue,
  paymentFor,
} from './view/problems.ts';
import { type Change, type Changes, growthOf } from './view/trends.ts';

/** Maximum number of names in a sentence. Further names are only counted. */
export const maxNames = 3;

/** Maximum number of changes of one account in a list. */
export const maxChanges = 15;

/**
 * Describes a problem on one line. `context` has the time zone of the account. `isGroup`: describes what several problems with the same
 * cause have in common, without the figures of one account.
 */
export function describeProblem(context: TextContext, problem: AccountProblem, isGroup = false): string {
  return oneLine(textOf(context, problem, isGroup));
}

function textOf(context: TextContext, problem: AccountProblem, isGroup: boolean): string {
  const { texts, format, now } = context;
  const unlessGroup = (words: string) => (isGroup ? '' : words);
  const pay = paymentOf(context, isGroup ? 0 : 'balance' in problem ? paymentFor(problem) : 0);
  if ('balance' in problem && isOverdue(problem)) {
    const age = problem.charge ? format.duration(daysInDebt(problem) * 86_400_000) : '';
    return texts.overdue(unlessGroup(age), unlessGroup(` (${format.money(problem.balance ?? 0)})`)) + pay;
  }
  const time = 'time' in problem ? problem.time : now;
  const isPast = format.daysUntil(time, now) < 0;
  switch (problem.kind) {
    case 'disk':
      return texts.diskFull(unlessGroup(format.percent(problem.ratio)));
    case 'disk filling':
      return texts.diskFilling(dayOf(context, time));
    case 'plan load':
      return texts.planLoadHigh(unlessGroup(format.percent(problem.ratio)));
    case 'recent load':
      return texts.recentLoadHigh(unlessGroup(format.percent(problem.ratio)));
    case 'balance':
      return texts.lowBalance(unlessGroup(format.money(problem.balance ?? 0))) + pay;
    case 'suspension':
      return isPast
        ? texts.suspensionWasDue(dayOf(context, time))
        : texts.suspension(dayOf(context, time), isGroup) + pay;
    case 'domain':
      return (isPast ? texts.domainExpired : texts.domainExpires)(unlessGroup(problem.domain), dayOf(context, time));
    case 'renewal':
      return texts.renewalFailed(unlessGroup(problem.domain));
    case 'old backup':
      return texts.oldBackup(problem.backups, unlessGroup(texts.ago(format.duration(problem.days * 86_400_000))));
    case 'no backup':
      return texts.missingBackup(problem.backups);
    case 'unreachable':
      return texts.cause(problem.cause);
    case 'failing polls': {
      const { cause, collectors, since } = problem;
      const names = collectors.join(', ');
      if (since === undefined || isGroup) return `${texts.cause(cause)}: ${names}`;
      return texts.stale(texts.cause(cause), names, texts.ago(format.duration(now - since)));
    }
    case 'unknown disk':
      return texts.unknownDisk;
    default:
      return texts.withoutFigures[problem.kind](problem.collectors.join(', '));
  }
}

/** Says how much to pay so that the balance lasts for 30 days. Empty if the amount is 0 or unknown. */
export function paymentOf({ texts, format }: TextContext, amount = 0): string {
  return amount > 0 ? `. ${texts.pay(format.money(amount), defaultDays)}` : '';
}

/** Returns a line for each change. If `page` (URL of the account's page) is set, one line with this URL replaces changes after the 15th. */
export function changeLines({ texts }: TextContext, list: readonly { readonly text: string }[] = [], page?: string) {
  const lines = list.map(({ text }) => text);
  return page === undefined ? lines : firstOf(lines, maxChanges, (more) => `${texts.andMore(more)}: ${page}`);
}

export function describeChanges(context: TextContext, { isRemembered, list }: Changes): readonly string[] {
  const { texts } = context;
  if (list.length === 0) return [isRemembered ? texts.noChanges : texts.notRemembered];
  const all = list.map((change) => describeChange(context, change));
  return isRemembered ? all : [...all, texts.onlyDatabases];
}

/** Describes a change on one line. */
export function describeChange({ texts, format }: TextContext, change: Change): string {
  const { kind, name, before, after } = { ...change, name: oneLine(change.name) };
  const title = `${kind === 'php' ? 'PHP' : texts[kind]}:`;
  if (before === undefined && after === undefined) return `${title} ${texts.notCompared}`;
  if (before === undefined || after === undefined) return `${title} ${after === undefined ? '−' : '+'} ${name}`;
  const growth = growthOf(change);
  if (kind === 'disk') return `${title} ${growth < 0 ? '−' : '+'}${format.bytes(Math.abs(growth))}`;
  const show = { databases: format.bytes, expires: (seconds: number) => format.date(seconds * 1000) };
  const values = [before, after].map((value) => (kind in show ? show[kind as 'expires'](Number(value)) : value));
  const difference = oneLine(values.join(' → '));
  return `${title} ${name} ${kind === 'mailboxes' ? texts.forwarding(difference) : difference}`;
}

export function adviceOn({ texts }: TextContext, { reason, status = 0 }: Cause): string {
  // If the server fails with status 500 or higher, do not advise the reader to check `base_url`.
  return texts.advice[reason === 'http' && status >= 500 ? 'method' : reason];
}

export function namesOf({ texts }: TextContext, names: readonly string[], max = maxNames): string {
  const shown = names.slice(0, max).join(', ');
  return names.length > max ? `${shown} ${texts.andMore(names.length - max)}` : shown;
}

/** Returns the first `max` elements. If there are more, adds one element that `more` returns for the number of omitted elements. */
export function firstOf<Element>(all: readonly Element[], max: number, more: (count: number) => Element) {
  return all.length > max ? [...all.slice(0, max), more(all.length - max)] : all;
}

/** The domains whose PHP version gets no more security fixes, on one line; undefined if there is none. */
export function oldPhpOf({ domains = [] }: Pick<FleetReport['accounts'][number], 'domains'>) {
  const names = domains.flatMap(({ domain, php, phpUnsupported }) => (phpUnsupported ? `${domain} (${php})` : []));
  return names.length === 0 ? undefined : oneLine(names.join(', '));
}

export function describeCounts({ texts }: TextContext, counts: Readonly<Record<AccountState, number>>): string {
  const { critical, warning, failing, partly, waiting, ok } = counts;
  const urgent = critical + warning + failing + partly;
  if (urgent > 0) return texts.attention(urgent, urgent + waiting + ok);
  return waiting > 0 ? texts.waitingForFirstPoll : texts.allFine(ok);
}
