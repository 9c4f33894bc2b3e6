import { Temporal } from 'temporal-polyfill';
import * as z from 'zod';
import { type Period, payloadSchema } from './scalars.ts';

export interface HistoryRow {
  readonly period: Period;
  readonly value?: number | null | undefined;
}

const rows = z.array(
  z.object({ period: z.object({ start: z.number(), end: z.number() }), value: z.number().nullish() }),
);

/** A load history as it is saved. Only databases have daily sizes. */
export const savedHistory = z.object({ hours: rows, days: rows, sizeDays: rows.optional() });

export type LoadHistory = z.infer<typeof savedHistory>;

/** The payload of stat/getSiteLoad. Rows are in any order, and some rows may be missing. The newest value may still grow. */
export const siteLoadHistory = payloadSchema(({ list, object, hour, day, count }) => {
  const rowsOf = (date: typeof hour | typeof day) =>
    list(
      z.object({ date, value: count.nullish() }).transform(({ date, value }): HistoryRow => ({ period: date, value })),
    );
  return object(historyOf({ hours: rowsOf(hour).nullish(), days: rowsOf(day).nullish() })).transform(
    ({ hours, days }) => ({ hours: hours ?? [], days: days ?? [] }),
  );
});

/** The payload of stat/getDbLoad: the fields of stat/getSiteLoad, and the daily size of the database in bytes. */
export const databaseLoadHistory = payloadSchema(({ list, object, hour, day, count, bytes }) => {
  const rowsOf = (date: typeof hour | typeof day) =>
    list(
      z
        .object({ date, cpu_time: count.nullish() })
        .transform((row): HistoryRow => ({ period: row.date, value: row.cpu_time })),
    );
  const sizes = list(
    z
      .object({ date: day, size: bytes.nullish() })
      .transform((row): HistoryRow => ({ period: row.date, value: row.size })),
  );
  return object(
    historyOf({ hours: rowsOf(hour).nullish(), days: rowsOf(day).nullish(), size_days: sizes.nullish() }),
  ).transform(({ hours, days, size_days }) => ({ hours: hours ?? [], days: days ?? [], sizeDays: size_days ?? [] }));
});

function historyOf<Lists extends z.ZodRawShape>(lists: Lists) {
  const names = Object.keys(lists);
  const message = `has none of ${names.join(', ')}`;
  const hasList = (history: Readonly<Record<string, unknown>>) =>
    Object.keys(history).length === 0 || names.some((name) => name in history && history[name] !== null);
  return z.looseObject(lists).refine(hasList, { message });
}

/** The newest row that has a value and ended by `settled` (Unix milliseconds). The returned `start` is in Unix seconds. */
export function newestComplete(rows: readonly HistoryRow[], settled: number) {
  let newest: { readonly value: number; readonly start: number } | undefined;
  for (const { period, value } of rows) {
    if (value === undefined || value === null || period.end > settled) continue;
    const start = period.start / 1000;
    if (newest === undefined || start >= newest.start) newest = { value, start };
  }
  return newest;
}

const hour = 3_600_000;
const day = 24 * hour;

/** The mean of the last three days that ended before `settled`; undefined if no day has a value. A missing day counts as 0. */
export function meanOfDays(rows: readonly HistoryRow[], settled: number): number | undefined {
  const known = rows.flatMap(({ period, value }) => (typeof value === 'number' ? { period, value } : []));
  const complete = known.filter(({ period }) => period.end <= settled);
  if (complete.length === 0) return undefined;
  const recent = complete.filter(({ period }) => period.end > settled - 3 * day);
  const newest = recent.toSorted((a, b) => a.period.end - b.period.end).slice(-3);
  return newest.reduce((sum, { value }) => sum + value, 0) / 3;
}

/** The end of the hour or day that follows the given period, in Unix milliseconds. A day ends at midnight in `timeZone`. */
export function endOfNext({ start, end }: Period, timeZone: string): number {
  if (end - start === hour) return end + hour;
  const next = Temporal.Instant.fromEpochMilliseconds(end).toZonedDateTimeISO(timeZone).toPlainDate();
  return next.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
}
