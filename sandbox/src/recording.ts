import * as z from 'zod';

// A recording contains a folder for each account, with a file for each call. `check` writes recordings, and the sandbox replays them.

/** Maximum size of an omitted body in bytes. The exporter reads no larger bodies. */
const maxBytes = 16 * 1024 * 1024;

/** A call with its answer or failure. `omitted` describes a body that was not saved because it was not JSON or contained a secret. */
export const recordedCall = z.strictObject({
  method: z.string(),
  parameters: z.record(z.string(), z.string()),
  status: z.int().min(200).max(599).optional(),
  headers: z.partialRecord(z.enum(['content-type', 'date', 'retry-after']), z.string()).optional(),
  body: z.json().optional(),
  omitted: z
    .object({ kind: z.enum(['html', 'json', 'text', 'binary', 'secret']), bytes: z.int().min(0).max(maxBytes) })
    .optional(),
  failure: z.object({ reason: z.string(), code: z.string().optional() }).optional(),
});

export type RecordedCall = z.infer<typeof recordedCall>;

const datePattern = /^(\d{4}-\d{2}-\d{2})( \d{2}:\d{2}:\d{2})?$/;
export const day = 86_400_000;

/** Moves a date by whole days. A time after the date stays the same. Returns other texts, such as "0000-00-00", unchanged. */
export function shiftDate(text: string, days: number): string {
  const [, date = '', time = ''] = datePattern.exec(text) ?? [];
  const start = Date.parse(date);
  return days === 0 || Number.isNaN(start) ? text : `${new Date(start + days * day).toISOString().slice(0, 10)}${time}`;
}

/** Moves the date of an HTTP header by whole days. */
export function shiftHttpDate(text: string, days: number): string {
  return new Date(Date.parse(text) + days * day).toUTCString();
}
