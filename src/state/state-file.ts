import { hash, randomBytes, scrypt } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { sessionSnapshot } from '../api/session.ts';
import { unlessCode } from '../config/values/expected-error.ts';
import { dailyMemory } from '../store/daily-memory.ts';
import { answer, type DropReason, finishedPoll } from '../store/result.ts';

/** Version of the file format. A file of another version is dropped. */
const format = 4;

const collector = z.object({
  version: z.number(),
  /** Start of the newest complete run in Unix milliseconds; 0 before the first run. Items with an older result are due. */
  runStarted: z.number(),
  poll: finishedPoll.extend({ isFromEarlierProcess: z.boolean().transform(() => true) }).optional(),
  results: z.record(z.string(), answer),
});

/** The schema of a file. Writing also applies it, so that a file contains no other fields. The secret of the rejection is hashed. */
const account = z.object({
  account: z.string(),
  identity: z.string(),
  collectors: z.record(z.string(), collector),
  ...sessionSnapshot.shape,
  // If the memory is invalid, the other figures are still restored.
  memory: dailyMemory.optional().catch(undefined),
});

export type SavedCollector = z.infer<typeof collector>;
export type SavedAccount = z.infer<typeof account>;

export function fileNameOf(accountName: string): string {
  return `${hash('sha256', accountName).slice(0, 32)}.json.gz`;
}

/**
 * Reads an account's state file, even while an exporter uses it. Omits the rejection of another secret. The promise never rejects.
 * `dropped`: why the state was not restored: another `identity`, another format, or an unreadable file.
 */
export async function readStateFile(
  directory: string,
  { name, identity }: { readonly name: string; readonly identity: string },
  secret?: string,
): Promise<{ readonly saved?: SavedAccount; readonly dropped?: DropReason }> {
  try {
    const bytes = await unlessCode(['ENOENT', 'ENOTDIR'], readFile(join(directory, fileNameOf(name))));
    if (bytes === undefined) return {};
    const content: unknown = JSON.parse(`${gunzipSync(bytes)}`);
    if (z.object({ format: z.number() }).parse(content).format !== format) return { dropped: 'unknown' };
    const { rejection, ...saved } = account.parse(content);
    if (saved.identity !== identity) return { dropped: 'foreign' };
    if (!rejection || !secret || (await hashOf(secret, rejection.secret)) !== rejection.secret) return { saved };
    return { saved: { ...saved, rejection: { ...rejection, secret } } };
  } catch {
    return { dropped: 'damaged' };
  }
}

/** Replaces an account's state file. After a power loss, readers find either the old or the new content. */
export async function writeStateFile(directory: string, { rejection, ...saved }: SavedAccount): Promise<void> {
  const hashed = rejection && { ...rejection, secret: await hashOf(rejection.secret) };
  const text = JSON.stringify({ format, ...account.parse({ ...saved, rejection: hashed }) });
  const path = join(directory, fileNameOf(saved.account));
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, gzipSync(text, { level: 1 }), { flag: 'wx', mode: 0o600, flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/** Hashes a secret slowly, so that the hash does not reveal it. Uses the salt in `hashed`, or a new salt. Takes 50 ms. */
async function hashOf(secret: string, hashed = `scrypt ${randomBytes(16).toString('base64')}`): Promise<string> {
  const [, salt = ''] = hashed.split(' ');
  return `scrypt ${salt} ${(await hashSlowly(secret, salt, 32)).toString('base64')}`;
}

const hashSlowly = promisify<string, string, number, Buffer>(scrypt);
