import { type Scope, selector } from './figures.ts';

/** The alerts about accounts, in the order of triage, by the problem that they report and by severity. */
export const problems = {
  missing: { warning: ['HostingAccountMissing'] },
  credentials: { warning: ['HostingCredentialsRejected'] },
  unreachable: { warning: ['HostingAccountUnreachable'] },
  permission: { warning: ['HostingPermissionMissing'] },
  stale: { warning: ['HostingPollFailing'] },
  disk: { critical: ['HostingDiskAlmostFull'], warning: ['HostingDiskAlmostFull'] },
  forecast: { critical: ['HostingDiskFillingUpFast'], warning: ['HostingDiskFillingUp'] },
  suspension: {
    critical: ['HostingAccountBlockedToday', 'HostingAccountBlockedSoon'],
    warning: ['HostingAccountBlockedSoon'],
  },
  domain: {
    critical: ['HostingDomainExpired', 'HostingDomainExpiring'],
    warning: [
      'HostingDomainExpired',
      'HostingDomainExpiring',
      'HostingDomainRenewalOverdue',
      'HostingDomainRenewalFailed',
    ],
  },
  backup: { warning: ['HostingBackupTooOld', 'HostingBackupMissing'] },
  load: { warning: ['HostingPlanLoadHigh'] },
  inventory: { warning: ['HostingInventoryCollapsed'] },
  dropped: { warning: ['HostingSeriesDropped'] },
} as const satisfies Readonly<Record<string, Alerts>>;

type Alerts = Readonly<Partial<Record<'critical' | 'warning', readonly string[]>>>;

export type Problem = keyof typeof problems;

export const problemNames = Object.keys(problems) as readonly Problem[];

/** The lowest rank of each state. A rank is this number plus the position of the problem in the order of triage. */
export const lowestRanks = { critical: 300, warning: 200, failing: 100 } as const;

/** The records that show a failing account before its alert is pending. */
const failures: Readonly<Partial<Record<Problem, string>>> = {
  credentials: 'account:hosting_account_rejected:group',
  unreachable: 'account:hosting_account_unreachable:group',
};

/** The alerts about a problem with this severity. */
export function alertsOf(problem: Problem, severity: 'critical' | 'warning'): readonly string[] {
  const alerts: Alerts = problems[problem];
  return alerts[severity] ?? [];
}

/** The states that a problem can have. */
export function statesOf(problem: Problem): readonly (keyof typeof lowestRanks)[] {
  const severities = (['critical', 'warning'] as const).filter((severity) => alertsOf(problem, severity).length > 0);
  return failures[problem] === undefined ? severities : [...severities, 'failing'];
}

/** The rank of a problem. The most urgent problem of an account has the highest rank. */
export function problemRank(problem: Problem, state: keyof typeof lowestRanks): number {
  return lowestRanks[state] + problemNames.length - problemNames.indexOf(problem);
}

/** The rank of the worst problem of each account. With `chosen`, considers only these problems. Alerts count as soon as they are pending. */
export function problemRanks(scope: Scope, ...chosen: readonly Problem[]): string {
  const ranks = (chosen.length === 0 ? problemNames : chosen).flatMap((problem) =>
    statesOf(problem).map((state) => `${problemRank(problem, state)} * ${seriesOf(problem, state)}`),
  );
  // The accounts are selected once, because their selector in each term would make the query too long to read.
  const accounts = selector(scope, 'account:hosting_account_seen_timestamp_seconds:max');
  return `max by (job, account) ((${ranks.join('\nor ')}) and on (job, account) ${accounts})`;
}

function seriesOf(problem: Problem, state: keyof typeof lowestRanks): string {
  const job = 'job=~"$job"';
  if (state === 'failing') return `${failures[problem]}{${job}}`;
  const names = alertsOf(problem, state).map((name) => name.replace('Hosting', ''));
  const name = names.length === 1 ? `="Hosting${names[0]}"` : `=~"Hosting(${names.join('|')})"`;
  return `ALERTS{${job},alertname${name},severity="${state}"}`;
}

/** Numbers in alerts/hosting.rules.yml that descriptions of panels repeat. Thresholds of accounts are metrics. */
export const ruleNumbers = {
  /** A disk is urgent below this free space, if it is full within these days, or at this usage without history. */
  freeMegabytes: 100,
  daysToFull: 3,
  usageWithoutHistory: 0.98,
  /** Share of accounts from which on a failure is a failure of the provider. */
  failingShare: 0.6,
  /** Days after which an expired domain is ignored. */
  forgottenDays: 30,
} as const;
