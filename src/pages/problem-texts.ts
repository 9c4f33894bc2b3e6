import type { PageContext } from './context.ts';
import type { AccountProblem } from './view/problems.ts';

/** Maximum number of names in a sentence. Further names are only counted. */
const maxNames = 3;

export function describeProblem(context: PageContext, problem: AccountProblem): string {
  const { texts, format } = context;
  switch (problem.kind) {
    case 'disk':
      return texts.diskFull(format.percent(problem.ratio));
    case 'plan load':
      return texts.planLoadHigh(format.percent(problem.ratio));
    case 'suspension':
      return problem.days === 0 ? texts.suspensionToday : texts.suspension(format.days(problem.days));
    case 'domain':
      return problem.days < 0
        ? texts.domainExpired(problem.domain, format.days(-problem.days))
        : texts.domainExpires(problem.domain, format.days(problem.days));
    case 'old backup':
      return texts.oldBackup(texts.backupKind(problem.backups), format.days(problem.days));
    case 'no backup':
      return texts.missingBackup(texts.backupKind(problem.backups));
    case 'unreachable':
      return texts.unreachable(problem.reason);
    case 'failing polls':
      return texts.failingPolls(namesOf(context, problem.collectors));
    case 'dropped series':
      return texts.droppedSeries(namesOf(context, problem.collectors));
    case 'stale':
      return texts.stale(namesOf(context, problem.collectors));
  }
}

export function namesOf({ texts }: PageContext, names: readonly string[]): string {
  const more = names.length - maxNames;
  return [...names.slice(0, maxNames), ...(more > 0 ? [texts.andMore(more)] : [])].join(', ');
}
