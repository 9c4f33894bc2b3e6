import { thresholds } from '../../../src/rules/thresholds.ts';
import { ruleNumbers } from '../problems.ts';
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
  /** The newest backup of each kind, in Unix seconds. */
  readonly backups: Readonly<Record<string, (ago: number) => number | undefined>>;
}

/** The recorded series of an account that the dashboards query. They equal the records of the rules. */
export function recordedSeries({ job, now, days, profile, isUp, backups }: Recorded): readonly Series[] {
  const { name: account, quotaBytes, usage } = profile;
  const one = (
    name: string,
    labels: Readonly<Record<string, string>>,
    value: (ago: number) => number | undefined,
  ): Series => ({ name, labels: { job, account, ...labels }, value: (time) => value(now - time) });
  const known = (value: (ago: number) => number | undefined) => (ago: number) => (isUp(ago) ? value(ago) : undefined);
  const growth = (ago: number): number | undefined => (ago > (days - 7) * day ? undefined : growthPerDay(usage, ago));
  const free = (ago: number): number => Math.max(0, (quotaBytes ?? 0) - usage(ago));
  const inventory = {
    sites: profile.sites.length,
    domains: profile.domains.length,
    databases: profile.databases.length,
    cron_tasks: 2 * profile.sites.length,
  };

  return [
    one('account:hosting_account_seen_timestamp_seconds:max', {}, (ago) => now - ago),
    one('account:hosting_up:max', {}, (ago) => (isUp(ago) ? 1 : 0)),
    one('account:hosting_account_disk_growth_bytes_per_day:slower', {}, growth),
    one('account:hosting_account_disk_usage_bytes:delta1d', {}, (ago) => usage(ago) - usage(ago + day)),
    ...(quotaBytes === undefined
      ? []
      : [
          one(
            'account:hosting_account_disk_days_to_full:slow',
            {},
            known((ago) => {
              const perDay = growth(ago);
              return perDay === undefined || usage(ago) <= usage(ago + day) || perDay <= 0
                ? undefined
                : free(ago) / perDay;
            }),
          ),
          one(
            'account:hosting_disk_urgent:reason',
            { reason: 'little_free' },
            known((ago) =>
              usage(ago) / quotaBytes >= thresholds.HostingDiskAlmostFull.levels.critical.value &&
              free(ago) < ruleNumbers.freeMegabytes * 1e6
                ? usage(ago) / quotaBytes
                : undefined,
            ),
          ),
        ]),
    ...profile.domains.flatMap(({ name: domain, daysLeft }) => {
      const left = (ago: number): number => Math.floor(daysLeft + ago / day);
      return one('account_domain:hosting_domain_days_left:max', { domain }, left);
    }),
    ...Object.entries(inventory).map(([kind, count]) =>
      one('account_kind:hosting_inventory:count', { kind }, () => count),
    ),
    ...Object.entries(backups).map(([kind, newest]) =>
      one(
        'account_kind:hosting_backup_age_days:min',
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
