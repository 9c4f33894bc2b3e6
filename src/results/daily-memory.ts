import * as z from 'zod';
import { type FigureSource, Figures, type Result } from './figures.ts';

const day = 86_400_000;

/** Two years. */
const maxDays = 731;

/** A week, and today. */
const maxLists = 8;

/** Maximum bytes of a memory as JSON. */
const maxSize = 65_536;

/** If the memory is too large, at least the figures of this many days remain. */
const minDays = 60;

const figure = z.number().nullable();
const list = z.record(z.string(), z.union([z.number(), z.string()])).optional();
const schema = z.object({
  days: z.record(z.iso.date(), z.tuple([figure, figure, figure, figure])),
  lists: z.record(z.iso.date(), z.object({ sites: list, databases: list, domains: list, php: list, forwarding: list })),
});

/**
 * The first figures of each day in the account's time zone. `days`: disk usage and disk limit in bytes, balance, and mean load of
 * all sites; null if unknown. `lists`: the last days' sites (name by ID), databases (bytes), domains (expiry in Unix seconds, 0 if
 * unknown), PHP version of each domain, and number of its forwarding mailboxes; without incomplete lists.
 */
export type DailyMemory = z.infer<typeof schema>;

export type DailyLists = DailyMemory['lists'][string];

/** The part of a day that one collector provides. */
interface DayPart {
  readonly figures?: readonly (number | undefined)[];
  readonly lists?: DailyLists;
}

const readers: Readonly<Record<string, (figures: Figures) => DayPart>> = {
  account: (figures) => ({
    figures: [
      figures.value('hosting_account_disk_usage_bytes'),
      figures.value('hosting_account_disk_limit_bytes'),
      figures.value('hosting_account_balance'),
    ],
  }),
  site_load: (figures) => ({
    figures: [undefined, undefined, undefined, figures.sum('site_id', 'hosting_site_load_average')],
  }),
  sites: (figures) => ({
    lists: {
      sites: byLabel(figures.labelsBy('site_id', 'hosting_site_info'), 'site'),
      php: byLabel(figures.labelsBy('domain', 'hosting_site_domain_info'), 'php_version'),
    },
  }),
  databases: (figures) => {
    const sizes = figures.by('database', 'hosting_database_size_bytes');
    // A database of unknown size must not seem to vanish.
    return sizes.size === figures.value('hosting_databases') ? { lists: { databases: Object.fromEntries(sizes) } } : {};
  },
  domains: (figures) => {
    const expiry = figures.by('domain', 'hosting_domain_expiry_timestamp_seconds');
    const names = [...figures.labelsBy('domain', 'hosting_domain_info').keys()];
    return { lists: { domains: Object.fromEntries(names.map((name) => [name, expiry.get(name) ?? 0])) } };
  },
  mailboxes: (figures) => ({
    lists: { forwarding: Object.fromEntries(figures.by('domain', 'hosting_mailboxes_forwarding')) },
  }),
};

export function isRemembered({ collector }: Pick<FigureSource, 'collector'>): boolean {
  return collector.name in readers;
}

/** The day on which a time falls, such as `2026-11-24`. */
export function dateOf(time: number, timeZone: string): string {
  const calendar = calendars.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone });
  calendars.set(timeZone, calendar);
  return calendar.format(time);
}

const calendars = new Map<string, Intl.DateTimeFormat>();

/** Reads what to remember of a collector's results; undefined if a result is incomplete or exceeds the series limit. */
export function readPart({ collector, droppedSeries }: FigureSource, results: readonly Result[]): DayPart | undefined {
  const own = results.filter((result) => result.collector === collector.name);
  if (own.length === 0 || droppedSeries > 0 || own.some(({ kept }) => !kept.complete)) return undefined;
  return readers[collector.name]?.(new Figures(own.flatMap(({ families }) => families)));
}

/** Reads a saved memory. Forgets everything if it is damaged. */
export function parseMemory(value: unknown): DailyMemory {
  return schema.safeParse(value).data ?? { days: {}, lists: {} };
}

/** Adds what is not known of a day yet. */
export function remember({ days, lists }: DailyMemory, date: string, parts: readonly DayPart[]): DailyMemory {
  const known = [days[date], ...parts.map(({ figures = [] }) => figures)];
  const figureAt = (index: number) => rounded(known.map((figures) => figures?.[index]).find((value) => value != null));
  return bounded({
    days: { ...days, [date]: [figureAt(0), figureAt(1), figureAt(2), figureAt(3)] },
    lists: { ...lists, [date]: Object.assign({}, ...parts.map((part) => part.lists), lists[date]) },
  });
}

/** Growth of the disk usage in bytes per day, and the usage on the day before the newest. */
export interface DiskGrowth {
  readonly bytesPerDay: number;
  readonly previous: number;
}

/**
 * The growth that HostingDiskFillingUp estimates: the smaller of the median of three days and the mean of a week. Undefined with
 * less than three days before `date`, or if the usage rose on fewer than half of the last 14 days.
 */
export function diskGrowth({ days }: DailyMemory, date: string): DiskGrowth | undefined {
  const age = (other: string) => (Date.parse(date) - Date.parse(other)) / day;
  const rows = Object.entries(days)
    .map(([other, [disk]]) => ({ age: age(other), disk }))
    .filter((row): row is { age: number; disk: number } => row.disk !== null && row.age >= 0 && row.age <= 14);
  const rates = rows.slice(1).map(({ age, disk }, index) => {
    const previous = rows[index] ?? { age, disk };
    return (disk - previous.disk) / (previous.age - age);
  });
  const newest = rows.at(-1);
  const weekAgo = rows.find((row) => row.age <= 7);
  const median = rates.slice(-3).sort((a, b) => a - b)[1];
  if (rates.length < 3 || newest === undefined || newest.age > 1 || weekAgo === undefined || median === undefined) {
    return undefined;
  }
  const bytesPerDay = Math.min(median, (newest.disk - weekAgo.disk) / (weekAgo.age - newest.age));
  const isRising = bytesPerDay > 0 && rates.filter((rate) => rate > 0).length * 2 > rates.length;
  return isRising ? { bytesPerDay, previous: rows.at(-2)?.disk ?? newest.disk } : undefined;
}

/** Keeps the newest days. If these are too large, drops lists except those of two days, then figures, then all lists. */
function bounded(memory: DailyMemory): DailyMemory {
  const [days, lists] = [newest(memory.days, maxDays), newest(memory.lists, maxLists)];
  for (;;) {
    const kept = { days: Object.fromEntries(days), lists: Object.fromEntries(lists) };
    if (Buffer.byteLength(JSON.stringify(kept)) <= maxSize) return kept;
    if (lists.length > 2 || days.length <= minDays) lists.shift();
    else days.splice(0, Math.min(30, days.length - minDays));
  }
}

function newest<T>(byDate: Readonly<Record<string, T>>, count: number): [string, T][] {
  return Object.entries(byDate)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(-count);
}

function byLabel(labels: ReadonlyMap<string, Readonly<Record<string, string>>>, name: string): Record<string, string> {
  return Object.fromEntries([...labels].map(([key, { [name]: value = '' }]) => [key, value]));
}

function rounded(value: number | null | undefined): number | null {
  return value == null ? null : Math.round(value * 100) / 100;
}
