import * as z from 'zod';
import type { MetricName } from '../collectors/collector.ts';
import type { Figures } from './figures.ts';

const day = 86_400_000;

/** Maximum number of days with figures, and of days with lists. */
const limits = { days: 2 * 366, lists: 8 };

/** For each list: metric, label of an entry's name, label of the entry's value (empty: the sample's value), metric of the list's length. */
const listMetrics = {
  disk: ['hosting_account_disk_usage_bytes', 'account', ''],
  sites: ['hosting_site_info', 'site_id', 'site', 'hosting_sites'],
  databases: ['hosting_database_size_bytes', 'database', '', 'hosting_databases'],
  domains: ['hosting_domain_info', 'domain', '', 'hosting_domains'],
  expires: ['hosting_domain_expiry_timestamp_seconds', 'domain', ''],
  php: ['hosting_site_domain_info', 'domain', 'php_version'],
  mailboxes: ['hosting_mailboxes_forwarding', 'domain', ''],
} as const satisfies Readonly<Record<string, readonly [MetricName, string, string, MetricName?]>>;

export type ListKind = keyof typeof listMetrics;

export const listKinds = Object.keys(listMetrics) as readonly ListKind[];

const figure = z.number().nullable();
const list = z.record(z.string(), z.union([z.number().min(0), z.string()]));

/** The first figures and lists of an account on each day, as they are saved. */
export const dailyMemory = z.object({
  /** Disk usage and limit in bytes, balance, and sum of the mean loads of all sites; null if unknown. */
  days: z.record(z.iso.date(), z.tuple([figure, figure, figure, figure])),
  /** Values by name or ID, such as sizes in bytes and expiries in Unix seconds. Incomplete lists are omitted. */
  lists: z.record(z.iso.date(), z.partialRecord(z.enum(listKinds), list)),
});

export type DailyMemory = z.infer<typeof dailyMemory>;

export const emptyMemory: DailyMemory = { days: {}, lists: {} };

/** Adds the figures of `date`, unless the memory already has this day. Drops the oldest days. */
export function rememberDay(memory: DailyMemory, date: string, figures: Figures): DailyMemory {
  const account = ['disk_usage_bytes', 'disk_limit_bytes', 'balance'] as const;
  const values = account.map((name) => figures.value(`hosting_account_${name}`));
  const today = [...values, figures.sum('site_id', 'hosting_site_load_average')].map((value) =>
    value === undefined ? null : Math.round(value * 100) / 100,
  ) as DailyMemory['days'][string];
  // If the clock was set back, keep later days, but drop later lists, because they would displace the lists of `date`.
  const days = Object.entries({ [date]: today, ...memory.days }).sort();
  const allLists = Object.entries({ [date]: readLists(figures), ...memory.lists }).sort();
  const lists = allLists.filter(([other]) => other <= date).slice(-limits.lists);
  return { days: Object.fromEntries(days.slice(-limits.days)), lists: Object.fromEntries(lists) };
}

export function readLists(figures: Figures): DailyMemory['lists'][string] {
  const lists = listKinds.flatMap((kind) => {
    const [metric, name, label, count] = listMetrics[kind];
    const samples = figures.samples(metric);
    const entries = samples.map(({ labels, value }) => [labels[name], labels[label] ?? value]);
    return count !== undefined && figures.value(count) !== samples.length ? [] : [[kind, Object.fromEntries(entries)]];
  });
  return Object.fromEntries(lists);
}

/** The disk usage in bytes on each of the 15 days up to `date`; null if unknown. */
export function diskUsage({ days }: DailyMemory, date: string): readonly (number | null)[] {
  return lastDates(date, 15).map((other) => days[other]?.[0] ?? null);
}

/** The date of a time in Unix milliseconds, such as `2026-11-24`. */
export function dateOf(time: number, timeZone: string): string {
  const calendar = calendars.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone });
  calendars.set(timeZone, calendar);
  return calendar.format(time).padStart(10, '0');
}

const calendars = new Map<string, Intl.DateTimeFormat>();

/** The last `count` days up to `date`, including `date`. */
export function lastDates(date: string, count: number): readonly string[] {
  const first = Date.parse(date) - (count - 1) * day;
  return Array.from({ length: count }, (_, index) => new Date(first + index * day).toISOString().slice(0, 10));
}
