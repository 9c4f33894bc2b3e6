import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { appendFile, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { readOr, unlessCode } from '../config/values/expected-error.ts';
import { readRegularFile } from '../config/values/regular-file.ts';
import { parseJson } from './state-file.ts';

const owner = z.object({
  /** Random and different for each owner. */
  token: z.string().regex(/^[0-9a-f]{12}$/),
  /** The token of the previous owner, from whom the lock was taken over; empty if the folder had no owner. */
  replaces: z.string(),
  host: z.string(),
  pid: z.int(),
  /** Identifies the running kernel. All containers of a machine share one kernel. Empty if unknown. */
  boot: z.string(),
});

type Owner = z.infer<typeof owner>;
type Claimant = Omit<Owner, 'replaces'>;

interface Patience {
  readonly wait?: number;
  readonly signal?: AbortSignal;
}

/** Another process uses the folder. The message is ready for stderr; the program exits with code 3. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/** Milliseconds between two heartbeats. */
export const beatInterval = 5000;
/** An owner without a reachable socket counts as gone after this many milliseconds without a heartbeat. */
const observation = 3 * beatInterval;
/** Milliseconds between two checks of an observed lock. */
const lookInterval = 100;

/** Maximum bytes of a lock. A lock has one line, and another line for each process that tries to take over an abandoned lock. */
const maxSize = 1024 * 1024;

/**
 * Limits a folder to one process at a time. Node.js has no lock that the system releases when a process ends. Therefore, a lock is a file
 * that names its owner, and the owner listens on a socket beside the file. If the owner is gone, the kernel refuses connections, also from
 * other containers. An owner on another machine updates the modification time of the file as a heartbeat. A process takes a lock by
 * appending a line. If several lines replace the same owner, the first line counts. An owner must stop when `isHeld` resolves with false.
 */
export class FolderLock {
  readonly #path: string;
  readonly #token: string;
  readonly #server: Server;
  readonly #timer: NodeJS.Timeout;
  #beating = Promise.resolve();

  private constructor(path: string, token: string, server: Server) {
    this.#path = path;
    this.#token = token;
    this.#server = server;
    this.#timer = setInterval(() => {
      this.#beating = this.#beat();
    }, beatInterval).unref();
  }

  /**
   * Takes the lock. Rejects with FolderInUseError or a system error. `wait`: milliseconds to observe an owner without a reachable socket.
   * When the signal aborts, the observed owner counts as alive. `wasLeft`: whether the previous owner was killed and left the lock behind.
   */
  static async take(folder: string, name: string, patience: Patience = {}) {
    const path = join(folder, name);
    const self = { token: randomBytes(6).toString('hex'), host: hostname(), pid: process.pid, boot: bootId() };
    const server = await listen(socketOf(path, self));
    try {
      const wasLeft = await claim(path, folder, self, patience);
      // The clean-up is optional, so ignore errors such as a full disk.
      if (wasLeft) await removeRest(folder, name, self).catch(() => rm(`${path}.tmp`, { force: true }).catch(() => {}));
      return { lock: new FolderLock(path, self.token, server), wasLeft };
    } catch (error) {
      server.close();
      throw error;
    }
  }

  /** False after another process has taken the lock. */
  async isHeld(): Promise<boolean> {
    const lock = await readLock(this.#path).catch(() => undefined);
    return lock?.owner?.token === this.#token;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    if (await this.isHeld()) await rm(this.#path, { force: true });
    this.#server.close();
  }

  async #beat(): Promise<void> {
    const now = new Date();
    // A missing lock must not end the process.
    if (await this.isHeld()) await utimes(this.#path, now, now).catch(() => {});
  }
}

/** Appends lines of a new owner until this owner has the lock. Returns whether a killed owner left the lock behind. */
async function claim(path: string, folder: string, self: Claimant, patience: Patience): Promise<boolean> {
  let wasLeft = false;
  for (;;) {
    const lock = await readLock(path);
    const current = lock?.owner;
    if (current?.token === self.token) return wasLeft;
    if (current !== undefined && (await isAlive(path, current, lock?.beat, self, patience))) {
      throw new FolderInUseError(
        `state.directory: ${folder} is in use by process ${current.pid} on ${current.host}; give each exporter its own directory`,
      );
    }
    wasLeft ||= lock !== undefined;
    // The last line may be incomplete, so start a new line.
    await appendFile(path, `\n${JSON.stringify({ ...self, replaces: current?.token ?? '' })}\n`, { mode: 0o600 });
  }
}

/** Removes the sockets of previous owners, and shortens the lock to the line of its owner. */
async function removeRest(folder: string, name: string, self: Claimant): Promise<void> {
  const path = join(folder, name);
  for (const file of await readdir(folder)) {
    const isSocket = file.startsWith(`${name}.`) && /\.[0-9a-f]{12}$/.test(file);
    if (isSocket && join(folder, file) !== socketOf(path, self)) await rm(join(folder, file));
  }
  const temporary = `${path}.tmp`;
  await rm(temporary, { force: true });
  await writeFile(temporary, `${JSON.stringify({ ...self, replaces: '' })}\n`, { flag: 'wx', mode: 0o600 });
  await rename(temporary, path);
}

/**
 * Reads a lock file; undefined if the file does not exist. Ignores damaged lines. `beat`: the newest heartbeat, in Unix milliseconds by
 * the clock of the owner.
 */
async function readLock(path: string) {
  const file = await unlessCode(['ENOENT'], readRegularFile(path, maxSize));
  if (file === undefined) return undefined;
  let current: Owner | undefined;
  for (const line of file.bytes.toString('utf8').split('\n')) {
    const next = owner.safeParse(parseJson(line)).data;
    if (next?.replaces === (current?.token ?? '')) current = next;
  }
  return { owner: current, beat: file.stats.mtimeMs };
}

async function isAlive(
  path: string,
  current: Owner,
  beat: number | undefined,
  { boot }: Pick<Owner, 'boot'>,
  { wait = observation, signal }: Patience,
): Promise<boolean> {
  const answers = boot !== '' && current.boot === boot ? await isListening(socketOf(path, current)) : undefined;
  if (answers !== undefined) return answers;
  // Counts pauses instead of reading a clock: time in which this process is suspended must not count.
  for (let observed = 0; observed < wait; observed += lookInterval) {
    if (signal?.aborted === true) return true;
    await setTimeout(Math.min(wait, lookInterval));
    const later = await readLock(path);
    if (later?.owner === undefined) return false;
    if (later.owner.token !== current.token || later.beat !== beat) return true;
  }
  return false;
}

function socketOf(path: string, { token }: Pick<Owner, 'token'>): string {
  return `${path}.${token}`;
}

/** Listens if the file system has sockets and the path is short enough. Otherwise, other processes see only the heartbeats. */
async function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).on('error', () => {});
  await once(server.unref().listen(path), 'listening').catch(() => {});
  return server;
}

/** Whether a process of this machine listens; undefined if unknown. */
async function isListening(path: string): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? false : undefined));
  });
}

function bootId(): string {
  return readOr('', () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
}
