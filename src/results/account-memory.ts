import * as z from 'zod';
import type { MetricName } from '../collectors/collector.ts';
import { memoryName } from '../collectors/list.ts';
import type { TimeSlice } from '../runtime/time-slice.ts';
import { type FigureAccount, Figures, readResults } from './figures.ts';
import { KeptPayload } from './kept-payload.ts';
import type { CollectorSnapshot } from './snapshot.ts';

const day = 86_400_000;

/** Maximum number of days with figures, of days with lists, and of bytes of JSON. */
const limits = { days: 2 * 366, lists: 8, size: 65_536 };

/** For each list: its metric, the labels with the name and the value of an element, and the metric that counts the elements. */
const listMetrics = {
  disk: ['hosting_account_disk_usage_bytes', 'account', ''],
  sites: ['hosting_site_info', 'site', '', 'hosting_sites'],
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
const schema = z.object({
  /** Disk usage and limit in bytes, balance, and mean load of all sites; null if unknown. */
  days: z.record(z.iso.date(), z.tuple([figure, figure, figure, figure])),
  /** Sizes in bytes, expiry of domains in Unix seconds, numbers of forwarding mailboxes. Incomplete lists are omitted. */
  lists: z.record(z.iso.date(), z.partialRecord(z.enum(listKinds), list)),
});

type DailyMemory = z.infer<typeof schema>;

/** Figures and lists of each day of an account. This memory is stored as compressed JSON, because it is seldom read. */
export class AccountMemory {
  kept: KeptPayload | undefined;

  /** Empty if the state file contains no valid memory. */
  get content(): DailyMemory {
    return schema.safeParse(this.kept?.decode()).data ?? { days: {}, lists: {} };
  }

  /** The memory as an entry of a snapshot. */
  get collectors(): readonly (readonly [string, CollectorSnapshot])[] {
    if (this.kept === undefined) return [];
    return [[memoryName, { payloads: new Map([['', this.kept]]), runStarted: 0, poll: undefined }]];
  }

  /** Stores the first figures of each day. Returns whether it stored figures. */
  async update(account: FigureAccount, slice: TimeSlice): Promise<boolean> {
    const now = Date.now();
    const date = dateOf(now, account.timeZone);
    // Read the usage now. Otherwise, the first list of a day would decode the memories of all accounts.
    this.usage(date);
    const isOfToday = ({ answered } = { answered: 0 }) =>
      // A damaged file may contain any time.
      Math.abs(now - answered) < 2 * day && dateOf(answered, account.timeZone) === date;
    if (isOfToday(this.kept) || !isOfToday(account.store.payloads('account').get(''))) return false;
    const results = await readResults(account, slice);
    const figures = new Figures(results.flatMap(({ families }) => families));
    const memory = remember(this.content, date, figures);
    this.kept = new KeptPayload(memory, { answered: now, providerTime: now, complete: true });
    await this.kept.compress(slice);
    this.usage(date);
    return true;
  }

  /** The disk usage in bytes on the 15 days up to `date`. Cached for the day, because each list of accounts shows the usage. */
  usage(date: string): readonly (number | null)[] {
    const cached = this.kept && usages.get(this.kept);
    if (cached?.date === date) return cached.disk;
    // Validating all days would take longer than decoding them.
    const { days } = Object(this.kept?.decode()) as Partial<DailyMemory>;
    const disk = lastDates(date, 15).map((other) => figure.safeParse(days?.[other]?.[0]).data ?? null);
    if (this.kept !== undefined) usages.set(this.kept, { date, disk });
    return disk;
  }
}

/** The newest usage that was read from each memory. */
const usages = new WeakMap<KeptPayload, { readonly date: string; readonly disk: readonly (number | null)[] }>();

/** Adds a day. If the memory is too large, first drops old lists but keeps two, then drops figures older than a year, then all lists. */
function remember(memory: DailyMemory, date: string, figures: Figures): DailyMemory {
  const account = ['disk_usage_bytes', 'disk_limit_bytes', 'balance'] as const;
  const values = account.map((name) => figures.value(`hosting_account_${name}`));
  const today = [...values, figures.sum('site_id', 'hosting_site_load_average')].map((value) =>
    value === undefined ? null : Math.round(value * 100) / 100,
  );
  // If the clock was set back, a stored day must not be overwritten.
  const allDays = Object.entries({ [date]: today, ...memory.days }).sort();
  const days = allDays.slice(-limits.days);
  const allLists = Object.entries({ [date]: readLists(figures), ...memory.lists }).sort();
  const lists = allLists.slice(-limits.lists);
  for (;;) {
    const kept = { days: Object.fromEntries(days), lists: Object.fromEntries(lists) };
    if (Buffer.byteLength(JSON.stringify(kept)) <= limits.size) return kept as DailyMemory;
    if (lists.length > 2 || days.length <= 400) lists.shift();
    else days.splice(0, 30);
  }
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
