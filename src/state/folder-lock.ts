import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { FolderInUseError } from './folder-in-use-error.ts';

const owner = z.object({
  /** Unique for each process. */
  token: z.string(),
  host: z.string(),
  pid: z.int(),
  /** Distinguishes the process from a later one with the same pid. */
  started: z.string(),
  /** Increases with every sign of life. */
  beat: z.int(),
});

type Owner = z.infer<typeof owner>;

/** Milliseconds between two signs of life. */
export const beatInterval = 5000;
/** Milliseconds without a sign of life after which an owner on another machine counts as gone. */
const observation = 3 * beatInterval;

/**
 * Limits a folder to one process at a time. A file names the owner, because Node.js has no lock that the system releases. Whether
 * the owner is alive is checked by its pid, or by its signs of life if it runs on another machine or in another container. If
 * two processes take a lock that was left behind, the first one must stop using the folder when `isHeld` becomes false.
 */
export class FolderLock {
  readonly #path: string;
  readonly #self: Owner;
  readonly #timer: NodeJS.Timeout;
  #beats = 0;
  #beating = Promise.resolve();

  private constructor(path: string, self: Owner) {
    this.#path = path;
    this.#self = self;
    this.#timer = setInterval(() => {
      this.#beating = this.#beat();
    }, beatInterval).unref();
  }

  /**
   * Takes the lock. Rejects with FolderInUseError or a system error. `wait`: milliseconds to observe an owner on another machine.
   * `wasLeft`: whether the previous owner was killed and left the lock behind.
   */
  static async take(folder: string, name: string, wait = observation): Promise<{ lock: FolderLock; wasLeft: boolean }> {
    const path = join(folder, name);
    const self = { token: randomUUID(), host: hostname(), pid: process.pid, started: startOf(process.pid), beat: 0 };
    try {
      await writeFile(path, JSON.stringify(self), { flag: 'wx', mode: 0o600 });
      return { lock: new FolderLock(path, self), wasLeft: false };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const current = await readOwner(path);
    if (current !== undefined && (await isAlive(path, current, self, wait))) {
      throw new FolderInUseError(
        `state.directory: ${folder} is in use by process ${current.pid} on ${current.host}; give each exporter a directory of its own`,
      );
    }
    await replace(path, self);
    return { lock: new FolderLock(path, self), wasLeft: true };
  }

  /** False after another process has taken the lock. */
  async isHeld(): Promise<boolean> {
    return (await readOwner(this.#path))?.token === this.#self.token;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    // Wait for a sign of life in progress, which would write the lock again.
    await this.#beating;
    if (await this.isHeld()) await rm(this.#path, { force: true });
  }

  async #beat(): Promise<void> {
    this.#beats += 1;
    // A full disk must not end the process. The lock stays valid on this machine.
    if (await this.isHeld()) await replace(this.#path, { ...this.#self, beat: this.#beats }).catch(() => {});
  }
}

async function replace(path: string, content: Owner): Promise<void> {
  const temporary = `${path}.${content.token}`;
  try {
    await writeFile(temporary, JSON.stringify(content), { mode: 0o600 });
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** The owner in the file; undefined if the file is damaged or missing. */
async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    return owner.safeParse(JSON.parse(await readFile(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

async function isAlive(path: string, current: Owner, self: Owner, wait: number): Promise<boolean> {
  if (current.host === self.host) {
    // In a container, a restarted process has the same pid as before, so a lock with this pid is an old one.
    return current.pid !== self.pid && isRunning(current.pid) && startOf(current.pid) === current.started;
  }
  await setTimeout(wait);
  const now = await readOwner(path);
  return now !== undefined && (now.token !== current.token || now.beat !== current.beat);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The start time of a process as the kernel counts it; empty if it is unknown. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program may contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
