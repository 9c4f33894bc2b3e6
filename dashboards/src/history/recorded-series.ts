import { problemNames, problemRank, problems } from '../../../src/rules/problems.ts';
import { records } from '../../../src/rules/records.ts';
import { thresholds } from '../../../src/rules/thresholds.ts';
import { type AccountProfile, day, hour } from './account-profiles.ts';
import type { Series } from './series.ts';

/** The input of the recorded series of an account. `ago` is in seconds before the end of the history. */
export interface Recorded {
  readonly job: string;
  /** Unix seconds of the end of the history. */
  readonly now: number;
  readonly days: number;
  readonly profile: AccountProfile;
  readonly isUp: (ago: number) => boolean;
  /** The names of the alerts of a severity that fire. */
  readonly firing: (severity: 'critical' | 'warning', ago: number) => readonly string[];
  /** The newest backup of each kind, in Unix seconds. */
  readonly backups: Readonly<Record<string, (ago: number) => number | undefined>>;
}

/** The recorded series of an account that the dashboards query. They equal the records of the rules. */
export function recordedSeries({ job, now, days, profile, isUp, firing, backups }: Recorded): readonly Series[] {
  const { name: account, quotaBytes, usage } = profile;
  const one = (
    name: string,
    labels: Readonly<Record<string, string>>,
    value: (ago: number) => number | undefined,
  ): Series => ({ name, labels: { job, account, ...labels }, value: (time) => value(now - time) });
  const known = (value: (ago: number) => number | undefined) => (ago: number) => (isUp(ago) ? value(ago) : undefined);
  const growth = (ago: number): number | undefined => (ago > (days - 7) * day ? undefined : growthPerDay(usage, ago));
  const free = (ago: number): number => Math.max(0, (quotaBytes ?? 0) - usage(ago));
  const own = (alert: string): number | undefined =>
    profile.thresholds?.find((threshold) => threshold.alert === alert)?.value;
  const threshold = (alert: 'HostingDiskAlmostFull' | 'HostingPlanLoadHigh' | 'HostingPollFailing'): Series =>
    one(records.fire, { alert, severity: 'warning' }, () => own(alert) ?? thresholds[alert].levels.warning.value);

  const inventory = {
    sites: profile.sites.length,
    domains: profile.domains.length,
    databases: profile.databases.length,
    cron_tasks: 2 * profile.sites.length,
  };

  return [
    one(records.accountUp, {}, (ago) => (isUp(ago) ? 1 : 0)),
    ...problemNames.map((problem) => {
      const isFiring = (severity: 'critical' | 'warning', ago: number): boolean =>
        firing(severity, ago).some((alert) => problems[problem].some((name) => name === alert));
      return one(records.problem, { problem }, (ago) => {
        const severity = (['critical', 'warning'] as const).find((level) => isFiring(level, ago));
        return severity === undefined ? undefined : problemRank(problem, severity);
      });
    }),
    threshold('HostingDiskAlmostFull'),
    threshold('HostingPlanLoadHigh'),
    threshold('HostingPollFailing'),
    one(records.diskGrowth, {}, growth),
    one(records.diskDayGrowth, {}, (ago) => usage(ago) - usage(ago + day)),
    ...(quotaBytes === undefined
      ? []
      : [
          one(
            records.diskDaysToFull,
            {},
            known((ago) => {
              const perDay = growth(ago);
              return perDay === undefined || usage(ago) <= usage(ago + day) || perDay <= 0
                ? undefined
                : free(ago) / perDay;
            }),
          ),
          one(
            records.diskUrgent,
            { reason: 'little_free' },
            known((ago) =>
              usage(ago) / quotaBytes >= thresholds.HostingDiskAlmostFull.levels.critical.value &&
              free(ago) < thresholds.HostingDiskAlmostFull.parameters.free.value
                ? usage(ago) / quotaBytes
                : undefined,
            ),
          ),
        ]),
    ...profile.domains.flatMap(({ name: domain, daysLeft }) => {
      const left = (ago: number): number => Math.floor(daysLeft + ago / day);
      const { forget } = thresholds.HostingDomainExpired.parameters;
      return [
        one(records.domainDays, { domain }, left),
        one(records.domainDaysToEnd, { domain }, (ago) => (left(ago) + 1 > -forget.value ? left(ago) + 1 : undefined)),
      ];
    }),
    ...Object.entries(inventory).map(([kind, count]) => one(records.inventory, { kind }, () => count)),
    ...Object.entries(backups).map(([kind, newest]) =>
      one(
        records.backupAge,
        { kind },
        known((ago) => {
          const time = newest(ago);
          return time === undefined ? undefined : (now - ago - time) / day;
        }),
      ),
    ),
  ];
}

/** The smaller of two values: the median of the daily net growth over three days, and the mean of a week. */
function growthPerDay(usage: (ago: number) => number, ago: number): number {
  const daily = Array.from({ length: 73 }, (_, index) => usage(ago + index * hour) - usage(ago + index * hour + day));
  const median = daily.toSorted((one, other) => one - other)[36] ?? 0;
  return Math.min(median, (usage(ago) - usage(ago + 7 * day)) / 7);
}
