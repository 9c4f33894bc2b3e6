import { createHash, randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as z from 'zod';
import { reasons } from '../api/error.ts';
import type { Method } from '../api/method.ts';
import { unlessCode } from '../config/values/expected-error.ts';
import { dailyMemory } from '../store/daily-memory.ts';
import type { FinishedPoll } from '../store/result.ts';
import { readRegularFile } from './regular-file.ts';

/** Version of the file format. A file of another version is dropped. */
const format = 2;

/** Maximum number of bytes of a file, also after decompression. The largest account in tests needs a hundredth of this. */
const maxSize = 64 * 1024 * 1024;

const maxFailures = 20;

/** Unix milliseconds. A clock may be wrong by any amount, so every number is valid. */
const time = z.number();
const count = z.int().min(0);

const failure = z.object({
  reason: z.enum([...reasons, 'bug']),
  message: z.string(),
  accepted: z.boolean(),
  forbiddenMethod: z.custom<Method>((value) => /^[a-z]+\/(?:get|is)[A-Za-z]+$/.test(String(value))).optional(),
});

const poll = z
  .object({
    ended: time,
    seconds: z.number(),
    calls: count,
    failures: z.array(failure),
    accepted: z.boolean().optional(),
    failedPolls: count,
    lastSuccess: time.optional(),
    droppedSeries: count,
  })
  .transform(({ failures, accepted, lastSuccess, ...poll }): FinishedPoll => {
    const succeeded = failures.length === 0;
    const known = failures.slice(0, maxFailures);
    return { ...poll, failures: known, accepted, lastSuccess, succeeded, isFromEarlierProcess: true };
  });

const result = z.object({ payload: z.unknown(), answered: time, providerTime: time, complete: z.boolean() });

const collector = z.object({
  version: count,
  /** Start of the newest complete run; 0 if a run is due. Items with an older result are due. */
  runStarted: time,
  poll: poll.optional(),
  /** When a failed poll is retried. */
  retry: time.optional(),
  results: z.record(z.string(), result),
});

/** Also parses what is written, so that a file contains nothing else. */
const account = z.object({
  account: z.string(),
  identity: z.string(),
  written: time,
  collectors: z.record(z.string(), collector),
  pausedUntil: time.optional(),
  rejection: z
    .object({ salt: z.base64(), hash: z.base64(), count: count.min(1), rejected: time, nextAttempt: time })
    .optional(),
  // A memory that cannot be read does not cost the other figures.
  memory: dailyMemory.optional().catch(undefined),
});

export type SavedCollector = z.infer<typeof collector>;
export type SavedAccount = z.infer<typeof account>;

export interface ReadState {
  readonly saved?: SavedAccount;
  /** Why the file is not used: another `name` or `identity`, another format, or unreadable. */
  readonly dropped?: 'foreign' | 'unknown' | 'damaged';
}

const compress = promisify<Buffer, object, Buffer>(gzip);
const decompress = promisify<Buffer, object, Buffer>(gunzip);

export function fileNameOf(accountName: string): string {
  return `${createHash('sha256').update(accountName).digest('hex').slice(0, 32)}.json.gz`;
}

/** Reads an account's state file, even while an exporter uses it. Never rejects. */
export async function readStateFile(
  directory: string,
  { name, identity }: { readonly name: string; readonly identity: string },
): Promise<ReadState> {
  try {
    const file = await unlessCode(['ENOENT'], readRegularFile(join(directory, fileNameOf(name)), maxSize));
    if (file === undefined) return {};
    const content: unknown = JSON.parse(`${await decompress(file.bytes, { maxOutputLength: maxSize })}`);
    if (z.object({ format: z.number() }).parse(content).format !== format) return { dropped: 'unknown' };
    const saved = account.parse(content);
    return saved.account === name && saved.identity === identity ? { saved } : { dropped: 'foreign' };
  } catch {
    return { dropped: 'damaged' };
  }
}

/** Replaces an account's state file. After a power loss, readers find either the old or the new content. */
export async function writeStateFile(directory: string, saved: SavedAccount): Promise<void> {
  const bytes = Buffer.from(JSON.stringify({ format, ...account.parse(saved) }));
  if (bytes.length > maxSize) throw new RangeError(`the state of an account is larger than ${maxSize} bytes`);
  const path = join(directory, fileNameOf(saved.account));
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, await compress(bytes, { level: 1 }), { flag: 'wx', mode: 0o600, flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}
