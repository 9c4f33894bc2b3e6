import { selector } from './figures.ts';
import { records } from './records.ts';
import type { RecordingRule, RuleBuilder, RuleGroup } from './rule.ts';
import type { AlertName } from './thresholds.ts';

/** The problems of an account in the order of triage, with the alerts about each problem. */
export const problems = {
  missing: ['HostingAccountMissing'],
  credentials: ['HostingCredentialsRejected'],
  unreachable: ['HostingAccountUnreachable'],
  permission: ['HostingPermissionMissing'],
  stale: ['HostingPollFailing'],
  disk: ['HostingDiskAlmostFull'],
  forecast: ['HostingDiskFillingUpFast', 'HostingDiskFillingUp'],
  suspension: ['HostingAccountBlockedToday', 'HostingAccountBlockedSoon'],
  domain: [
    'HostingDomainExpired',
    'HostingDomainExpiring',
    'HostingDomainRenewalOverdue',
    'HostingDomainRenewalFailed',
  ],
  backup: ['HostingBackupTooOld', 'HostingBackupMissing'],
  load: ['HostingPlanLoadHigh'],
  inventory: ['HostingInventoryCollapsed'],
  dropped: ['HostingSeriesDropped'],
} as const satisfies Readonly<Record<string, readonly AlertName[]>>;

export type Problem = keyof typeof problems;

export const problemNames = Object.keys(problems) as readonly Problem[];

/** The lowest rank of each state. A rank is this number plus the position of the problem in the order of triage. */
export const lowestRanks = { critical: 300, warning: 200, failing: 100 } as const;

/** The rank of a problem. The most urgent problem of an account has the highest rank. */
export function problemRank(problem: Problem, state: keyof typeof lowestRanks): number {
  return lowestRanks[state] + problemNames.length - problemNames.indexOf(problem);
}

/**
 * Records the problems of each account for the dashboards: failed polls, and alerts that are pending or firing. Grafana has no series
 * `ALERTS`, so Grafana-managed rules lack these records.
 */
export function problemRules(builder: RuleBuilder): RuleGroup {
  return {
    name: 'hosting-problems',
    rules: builder.stateless
      ? []
      : problemNames.flatMap((problem, index) => problemRule(builder, problem, index === 0)),
  };
}

/** The records that show a failing account before its alert is pending. */
const failures: Readonly<Partial<Record<Problem, string>>> = {
  credentials: records.rejected,
  unreachable: records.unreachable,
};

function problemRule(builder: RuleBuilder, problem: Problem, isFirst: boolean): readonly RecordingRule[] {
  const grouped = (expr: string): string => `group by (${builder.target}, account) (${expr})`;
  const parts = (['critical', 'warning'] as const).flatMap((severity) => {
    const names = problems[problem].filter((alert) => builder.has(alert, severity));
    if (names.length === 0) return [];
    const matchers = [
      names.length === 1 ? `alertname="${names[0]}"` : `alertname=~"${names.join('|')}"`,
      `alertstate=~"pending|firing"`,
      `severity="${builder.severityName(severity)}"`,
    ];
    return [`${problemRank(problem, severity)} * ${grouped(selector(builder.scope, 'ALERTS', ...matchers))}`];
  });
  const failure = failures[problem];
  if (failure !== undefined) parts.push(`${problemRank(problem, 'failing')} * ${grouped(failure)}`);
  return parts.length === 0
    ? []
    : [
        {
          record: records.problem,
          expr: parts.join('\nor\n'),
          labels: { problem },
          ...(isFirst && {
            comment:
              'The problems of each account, for the dashboards: critical from 300, warning from 200, failing poll from 100. The\nmost urgent problem has the highest number. Alerts count as soon as they are pending.',
          }),
        },
      ];
}
