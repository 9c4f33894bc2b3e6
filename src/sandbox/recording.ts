import * as z from 'zod';

// The files of a recording: one per call, in a folder for each account. `check` writes them, and the sandbox replays them.

/** Maximum size of an omitted body in bytes. The exporter reads no larger bodies. */
const maxBytes = 16 * 1024 * 1024;

/** A call with its answer or failure. `omitted` describes a body that was not saved: it was no JSON or contained a secret. */
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
/** Milliseconds. */
export const day = 86_400_000;

/** Moves a date, with or without a time, by whole days. Returns other texts unchanged, such as "0000-00-00". */
export function shiftDate(text: string, days: number): string {
  const [, date = '', time = ''] = datePattern.exec(text) ?? [];
  const start = Date.parse(date);
  return days === 0 || Number.isNaN(start) ? text : `${new Date(start + days * day).toISOString().slice(0, 10)}${time}`;
}

/** Moves the date of an HTTP header by whole days. */
export function shiftHttpDate(text: string, days: number): string {
  return new Date(Date.parse(text) + days * day).toUTCString();
}
