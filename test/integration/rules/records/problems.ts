import type { RuleCase } from './rule-case.ts';

/** For each problem: its ranks, and the alerts or records with this rank. */
const ranks: Readonly<Record<string, Readonly<Record<number, readonly string[]>>>> = {
  missing: { 213: ['HostingAccountMissing warning'] },
  credentials: { 212: ['HostingCredentialsRejected warning'], 112: ['account:hosting_account_rejected:group'] },
  unreachable: { 211: ['HostingAccountUnreachable warning'], 111: ['account:hosting_account_unreachable:group'] },
  permission: { 210: ['HostingPermissionMissing warning'] },
  stale: { 209: ['HostingPollFailing warning'] },
  disk: { 308: ['HostingDiskAlmostFull critical'], 208: ['HostingDiskAlmostFull warning'] },
  forecast: { 307: ['HostingDiskFillingUpFast critical'], 207: ['HostingDiskFillingUp warning'] },
  suspension: {
    306: ['HostingAccountBlockedToday critical', 'HostingAccountBlockedSoon critical'],
    206: ['HostingAccountBlockedSoon warning'],
  },
  domain: {
    305: ['HostingDomainExpired critical', 'HostingDomainExpiring critical'],
    205: [
      'HostingDomainExpired warning',
      'HostingDomainExpiring warning',
      'HostingDomainRenewalOverdue warning',
      'HostingDomainRenewalFailed warning',
    ],
  },
  backup: { 204: ['HostingBackupTooOld warning', 'HostingBackupMissing warning'] },
  load: { 203: ['HostingPlanLoadHigh warning'] },
  inventory: { 202: ['HostingInventoryCollapsed warning'] },
  dropped: { 201: ['HostingSeriesDropped warning'] },
};

export const problemCases: readonly RuleCase[] = Object.entries(ranks).map(([problem, byRank]) => {
  const sources = Object.entries(byRank).flatMap(([rank, names]) => names.map((name) => [Number(rank), name] as const));
  const series = ([, name]: readonly [number, string], account: string, state: string) => {
    const [alert, severity] = name.split(' ');
    return severity === undefined
      ? `${name}{account="${account}"}`
      : `ALERTS{account="${account}",domain="d",alertname="${alert}",alertstate="${state}",severity="${severity}"}`;
  };
  const [highest] = sources.toSorted(([one], [other]) => other - one);
  if (highest === undefined) throw new Error(problem);
  const alerts = sources.filter(([, name]) => name.includes(' '));
  return {
    rule: `account:hosting_problem:rank{problem="${problem}"}`,
    promise: 'the rank of the worst alert that is pending or fires',
    given: Object.fromEntries([
      ...sources.map((one, index) => [series(one, `firing${index}`, 'firing'), '1']),
      ...sources.map((one, index) => [series(one, `pending${index}`, 'pending'), '1']),
      ...sources.map((one) => [series(one, 'all', 'firing'), '1']),
      ...alerts.map((one) => [series(one, 'inactive', 'inactive'), '1']),
      ['ALERTS{account="other",alertname="HostingSiteLoadUnusual",alertstate="firing",severity="warning"}', '1'],
    ]),
    results: {
      '0m': Object.fromEntries([
        ...sources.map(([rank], index) => [`account="firing${index}"`, rank]),
        ...sources.map(([rank], index) => [`account="pending${index}"`, rank]),
        ['account="all"', highest[0]],
      ]),
    },
  };
});
