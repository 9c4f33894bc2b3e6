import { oneLine } from '../config/values/wording.ts';
import { dayOf } from './components.ts';
import type { TextContext } from './context.ts';
import type { FleetReport } from './report.ts';
import type { AccountProblem, AccountState, Cause } from './view/problems.ts';
import type { Change, Changes } from './view/trends.ts';

/** Maximum number of names in a sentence, and of changes of one account. Further ones are only counted. */
const [maxNames, maxChanges] = [3, 15];

/** Describes a problem on one line. `context` has the time zone of the account. */
export function describeProblem(context: TextContext, problem: AccountProblem): string {
  return oneLine(textOf(context, problem));
}

function textOf(context: TextContext, problem: AccountProblem): string {
  const { texts, format, now } = context;
  const time = 'time' in problem ? problem.time : now;
  const isPast = format.daysUntil(time, now) < 0;
  switch (problem.kind) {
    case 'disk':
      return texts.diskFull(format.percent(problem.ratio));
    case 'disk filling':
      return texts.diskFilling(dayOf(context, time));
    case 'plan load':
      return texts.planLoadHigh(format.percent(problem.ratio));
    case 'recent load':
      return texts.recentLoadHigh(format.percent(problem.ratio));
    case 'balance':
      return (problem.balance < 0 ? texts.debt : texts.lowBalance)(format.money(problem.balance));
    case 'suspension':
      return (isPast ? texts.suspensionWasDue : texts.suspension)(dayOf(context, time));
    case 'domain':
      return (isPast ? texts.domainExpired : texts.domainExpires)(problem.domain, dayOf(context, time));
    case 'old backup':
      return texts.oldBackup(problem.backups, texts.ago(format.duration(problem.days * 86_400_000)));
    case 'no backup':
      return texts.missingBackup(problem.backups);
    case 'unreachable':
      return texts.cause(problem.cause);
    case 'failing polls': {
      const { cause, collectors, since } = problem;
      const names = namesOf(context, collectors);
      if (since === undefined) return `${texts.cause(cause)}: ${names}`;
      return texts.stale(texts.cause(cause), names, texts.ago(format.duration(now - since)));
    }
    case 'unknown disk':
      return texts.unknownDisk;
    default:
      return texts.withoutFigures[problem.kind](namesOf(context, problem.collectors));
  }
}

export function firstChanges({ texts }: TextContext, lines: readonly string[]): readonly string[] {
  const more = lines.length - maxChanges;
  return more > 0 ? [...lines.slice(0, maxChanges), texts.andMore(more)] : lines;
}

export function describeChanges(context: TextContext, { isRemembered, list }: Changes): readonly string[] {
  const { texts } = context;
  if (list.length === 0) return [isRemembered ? texts.noChanges : texts.notRemembered];
  const all = list.map((change) => describeChange(context, change));
  const lines = firstChanges(context, all);
  return isRemembered ? lines : [...lines, texts.onlyDatabases];
}

/** Describes a change on one line. */
export function describeChange({ texts, format }: TextContext, change: Change): string {
  const { kind, name, before, after } = { ...change, name: oneLine(change.name) };
  const title = `${kind === 'php' ? 'PHP' : texts[kind]}:`;
  if (before === undefined && after === undefined) return `${title} ${texts.notCompared}`;
  if (before === undefined || after === undefined) return `${title} ${after === undefined ? '−' : '+'} ${name}`;
  const growth = Number(after) - Number(before);
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

export function namesOf({ texts }: TextContext, names: readonly string[]): string {
  const more = names.length - maxNames;
  const shown = names.slice(0, maxNames).join(', ');
  return more > 0 ? `${shown} ${texts.andMore(more)}` : shown;
}

/** The domains whose PHP version gets no more security fixes, on one line; undefined if there is none. */
export function oldPhpOf(context: TextContext, domains: FleetReport['accounts'][number]['domains'] = []) {
  const names = domains.flatMap(({ domain, php, phpUnsupported }) => (phpUnsupported ? `${domain} (${php})` : []));
  return names.length === 0 ? undefined : oneLine(namesOf(context, names));
}

export function describeCounts({ texts }: TextContext, counts: Readonly<Record<AccountState, number>>): string {
  const { critical, warning, failing, partly, waiting, ok } = counts;
  const urgent = critical + warning + failing + partly;
  if (urgent > 0) return texts.attention(urgent, urgent + waiting + ok);
  return waiting > 0 ? texts.waitingForFirstPoll : texts.allFine(ok);
}
