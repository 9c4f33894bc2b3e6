import * as z from 'zod';
import { type Period, payloadSchema } from './scalars.ts';

/** One figure of an hour or a day. */
export interface HistoryRow {
  readonly period: Period;
  readonly value: number | null | undefined;
}

/** The answer of stat/getSiteLoad: rows in no promised order, some missing, the newest perhaps still growing. */
export const siteLoadHistory = payloadSchema(({ list, hour, day, count }) => {
  const rowsOf = (date: typeof hour | typeof day) =>
    list(z.object({ date, value: count.nullish() }).transform(({ date, value }) => ({ period: date, value })));
  return historyOf({ hours: rowsOf(hour).optional(), days: rowsOf(day).optional() }).transform(
    ({ hours = [], days = [] }) => ({ hours, days }),
  );
});

/** The answer of stat/getDbLoad: as of a site, and the database's size in bytes by days. */
export const databaseLoadHistory = payloadSchema(({ list, hour, day, count, bytes }) => {
  const rowsOf = (date: typeof hour | typeof day) =>
    list(z.object({ date, cpu_time: count.nullish() }).transform((row) => ({ period: row.date, value: row.cpu_time })));
  const sizes = list(
    z.object({ date: day, size: bytes.nullish() }).transform((row) => ({ period: row.date, value: row.size })),
  );
  return historyOf({
    hours: rowsOf(hour).optional(),
    days: rowsOf(day).optional(),
    size_days: sizes.optional(),
  }).transform(({ hours = [], days = [], size_days = [] }) => ({ hours, days, sizeDays: size_days }));
});

/** Lists by name. `[]` is a history without any, as PHP writes an empty object; one with other fields only is none. */
function historyOf<Lists extends z.ZodRawShape>(lists: Lists) {
  const names = Object.keys(lists);
  return z.preprocess(
    (value) => (Array.isArray(value) && value.length === 0 ? {} : value),
    z
      .looseObject(lists)
      .refine((history) => Object.keys(history).length === 0 || names.some((name) => name in history), {
        message: `has none of ${names.join(', ')}`,
      }),
  );
}

/** A figure of a period that has ended, and when that period began, in unix seconds. */
interface CompleteFigure {
  readonly value: number;
  readonly began: number;
}

/** The figure of the newest hour or day that has ended at `time` (unix milliseconds); undefined where none has. */
export function newestComplete(rows: readonly HistoryRow[], time: number): CompleteFigure | undefined {
  let newest: CompleteFigure | undefined;
  for (const { period, value } of rows) {
    if (value === undefined || value === null || period.end > time) continue;
    const began = period.start / 1000;
    if (newest === undefined || began >= newest.began) newest = { value, began };
  }
  return newest;
}
