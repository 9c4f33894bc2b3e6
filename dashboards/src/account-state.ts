import { figures, type Scope, selector, without } from '../../src/rules/figures.ts';
import { type AlertName, alertNames } from '../../src/rules/thresholds.ts';
import { backupAge, diskConditions, domainConditions, staleCollectors } from './expressions.ts';
import { firing, hasSeverity, pastThreshold } from './query.ts';
import { severityConditions } from './severity.ts';
import { colours, valueTexts } from './theme.ts';

/** The reasons for the state of an account, in the order of triage. */
const reasons = [
  'account missing',
  'credentials',
  'API unreachable',
  'permission',
  'stale data',
  'disk',
  'suspension',
  'domain',
  'backup',
  'load',
  'inventory',
  'series dropped',
] as const;

type Reason = (typeof reasons)[number];

/** The reason that each alert shows in the state of an account; undefined for alerts that do not change this state. */
const reasonOf: Readonly<Record<AlertName, Reason | undefined>> = {
  HostingExporterDown: undefined,
  HostingExporterAbsent: undefined,
  HostingExporterRestarting: undefined,
  HostingScrapedTooRarely: undefined,
  HostingProviderUnreachable: undefined,
  HostingExporterCannotPoll: undefined,
  HostingMostLoginsRejected: undefined,
  HostingConfigReloadFailed: undefined,
  HostingStateNotSaved: undefined,
  HostingShardsDisagree: undefined,
  HostingClocksDisagree: undefined,
  HostingAccountMissing: 'account missing',
  HostingCredentialsRejected: 'credentials',
  HostingAccountUnreachable: 'API unreachable',
  HostingPermissionMissing: 'permission',
  HostingPollFailing: 'stale data',
  HostingDiskAlmostFull: 'disk',
  HostingDiskFillingUp: 'disk',
  HostingDiskFillingUpFast: 'disk',
  HostingAccountBlockedToday: 'suspension',
  HostingAccountBlockedSoon: 'suspension',
  HostingDomainExpired: 'domain',
  HostingDomainExpiring: 'domain',
  HostingDomainRenewalOverdue: 'domain',
  HostingDomainRenewalFailed: 'domain',
  HostingBackupTooOld: 'backup',
  HostingBackupMissing: 'backup',
  HostingPlanLoadHigh: 'load',
  HostingInventoryCollapsed: 'inventory',
  HostingSeriesDropped: 'series dropped',
  HostingApiLimitHit: undefined,
  HostingApiBudgetExhausted: undefined,
  HostingMailForwardingStarted: undefined,
  HostingSiteLoadUnusual: undefined,
  HostingDatabaseGrewFast: undefined,
};

/** The states from the most to the least severe. The number of a state and reason is `base` plus the rank of the reason. */
const states = [
  { state: 'critical', base: 300, color: colours.critical },
  { state: 'warning', base: 200, color: colours.warningCell },
  { state: 'failing', base: 100, color: colours.warningCell },
] as const;

function code(base: number, reason: Reason): number {
  return base + reasons.length - reasons.indexOf(reason);
}

/**
 * The state of each account with its first reason, computed from its figures and from firing alerts. The result is a number
 * to sort by; `accountStateMappings` contains the names. 0 is OK.
 */
export function accountState(scope: Scope): string {
  const parts = states.flatMap(({ state, base }) => {
    const conditions = conditionsOf(scope)[state];
    return reasons.flatMap((reason) => {
      const conditionsOfReason = [
        ...(state === 'failing' ? [] : firingOf(scope, reason, state)),
        ...(conditions[reason] ?? []),
      ];
      return conditionsOfReason.map((condition) => `${code(base, reason)} * group by (account) (${condition})`);
    });
  });
  return [...parts, `0 * group by (account) (${figures.accountUp.expression(scope)})`].join(' or ');
}

function alertsOf(reason: Reason, severity: 'critical' | 'warning'): readonly AlertName[] {
  return alertNames.filter((name) => reasonOf[name] === reason && hasSeverity(name, severity));
}

function firingOf(scope: Scope, reason: Reason, severity: 'critical' | 'warning'): readonly string[] {
  const names = alertsOf(reason, severity);
  const matcher = `alertname=~"${names.join('|')}"`;
  return names.length === 0 ? [] : [firing(scope, 'account!=""', matcher, `severity="${severity}"`)];
}

/** The reasons of the state `failing`. */
const failures: readonly Reason[] = ['credentials', 'API unreachable'];

/** The conditions of the alerts, by state and reason. A condition holds some minutes before its alert fires. */
function conditionsOf(
  scope: Scope,
): Readonly<Record<(typeof states)[number]['state'], Readonly<Partial<Record<Reason, readonly string[]>>>>> {
  const up = figures.accountUp.expression(scope);
  const disk = diskConditions(scope);
  const paid = severityConditions(scope, 'HostingAccountBlockedSoon', figures.paidDays.expression(scope));
  const load = severityConditions(scope, 'HostingPlanLoadHigh', figures.planLoadRatio.expression(scope));
  const domain = domainConditions(scope);
  const backup = pastThreshold(scope, 'HostingBackupTooOld', 'warning', backupAge(scope), {
    detail: ['kind'],
    accounts: up,
  });
  const failing = `${up} == 0`;
  const rejected = `max ${without(scope, 'collector', 'reason')} (${selector(scope, 'hosting_exporter_collector_failing', 'collector="account"', 'reason="auth"')})`;
  const some = (...conditions: readonly (string | undefined)[]): readonly string[] =>
    conditions.filter((condition) => condition !== undefined);
  return {
    critical: {
      disk: [disk.usage.critical, disk.forecast.critical],
      suspension: some(paid.critical),
      domain: [domain.critical],
    },
    warning: {
      'stale data': [staleCollectors(scope, 'collector="account"')],
      disk: [disk.usage.warning, disk.forecast.warning],
      suspension: some(paid.warning),
      domain: [domain.warning],
      backup: [backup],
      load: some(load.warning),
    },
    failing: { credentials: [`(${rejected} and ${failing})`], 'API unreachable': [failing] },
  };
}

/** Names of the values of `accountState`. */
export const accountStateMappings = valueTexts({
  ...Object.fromEntries(
    states.flatMap(({ state, base, color }) =>
      reasons
        .filter((reason) => (state === 'failing' ? failures.includes(reason) : alertsOf(reason, state).length > 0))
        .map((reason) => [code(base, reason), { text: `${state}: ${reason}`, color }] as const),
    ),
  ),
  0: { text: 'OK', color: 'transparent' },
});
