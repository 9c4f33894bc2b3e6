import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { RejectionSnapshot } from '../api/credential-gate.ts';
import type { SessionSnapshot } from '../api/session.ts';
import type { Log } from '../log.ts';
import type { AccountSnapshot, DropReason } from '../results/snapshot.ts';
import { TimeSlice } from '../runtime/time-slice.ts';
import { syncFolder, writeAtomically } from './atomic-file.ts';
import { FolderLock } from './folder-lock.ts';
import { fileNameOf, readState } from './read-state.ts';
import { formatState, type PayloadVersions, type SecretHash, type StoredAccount } from './state-file.ts';

/** Milliseconds from the first change of an account until it is saved. */
export const saveDelay = 30_000;

/** Milliseconds that the last saves may take when the process stops. */
const closeTime = 5000;

/** Milliseconds between two checks of the lock; much less than another process waits before it takes the lock. */
const lockCheckInterval = 500;

const day = 86_400_000;

/** Milliseconds from the last save of a removed account until its file is deleted. */
const keepRemoved = 7 * day;

const hashSlowly = promisify<string, Buffer, number, Buffer>(scrypt);

export interface SavedAccount {
  readonly name: string;
  /** A hash of the account's name, server, login and notation. Saved figures with another hash are not used. */
  readonly identity: string;
  /** The current password or token; undefined if it cannot be read. */
  readonly secret: () => string | undefined;
  readonly polls: () => AccountSnapshot;
  readonly session: () => SessionSnapshot;
}

interface SavedState {
  readonly polls: AccountSnapshot;
  readonly session: SessionSnapshot;
}

export interface LoadResult {
  readonly loaded: SavedState | undefined;
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
}

/** `time`: Unix milliseconds; undefined if the save failed. */
type SaveObserver = (time: number | undefined) => void;

export interface StateOptions {
  readonly directory: string;
  /** Distinguishes the locks of exporters that share the directory but no accounts; empty without shards. */
  readonly shard: string;
  readonly versions: PayloadVersions;
  readonly log: Log;
}

/**
 * A directory with one compressed file per account: its newest payloads, its newest polls and its session. Replaces files
 * atomically, one at a time, and saves an account at most every 30 s. Logs a failure to save once, and tries again.
 */
export class StateDirectory {
  readonly #options: StateOptions;
  readonly #lock: FolderLock | undefined;
  readonly #hashes = new Map<string, { readonly secret: string; readonly hash: SecretHash }>();
  readonly #timers = new Map<SavedAccount, NodeJS.Timeout>();
  readonly #waiting = new Set<SavedAccount>();
  #saving: Promise<void> | undefined;
  #onSave: SaveObserver = () => {};
  readonly #taken: { readonly account: SavedAccount; readonly state: SavedState }[] = [];
  #cleanup: NodeJS.Timeout | undefined;
  #lockChecked = Number.NEGATIVE_INFINITY;
  #hasFailed = false;
  #closed = false;
  /** Whether the previous process was killed, so that the times of its last calls are unknown. */
  readonly wasKilled: boolean;

  private constructor(options: StateOptions, lock: FolderLock | undefined, wasKilled: boolean) {
    this.#options = options;
    this.#lock = lock;
    this.wasKilled = wasKilled;
  }

  /** Creates and locks the directory, or only reads it if it cannot be written. Rejects with FolderInUseError. */
  static async open(options: StateOptions): Promise<StateDirectory> {
    const { directory, shard, log } = options;
    try {
      await createDirectory(directory);
      const { lock, wasLeft } = await FolderLock.take(directory, shard === '' ? 'lock' : `lock-${shard}`);
      return new StateDirectory(options, lock, wasLeft);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      log.warn(
        { directory, error: error.message },
        'state directory cannot be written, figures will not survive a restart',
      );
      const state = new StateDirectory(options, undefined, true);
      state.#hasFailed = true;
      return state;
    }
  }

  /** Calls `onSave` after each save from now on. */
  observe(onSave: SaveObserver): void {
    this.#onSave = onSave;
    if (this.#hasFailed) onSave(undefined);
  }

  async load(account: SavedAccount): Promise<LoadResult> {
    const { directory, versions } = this.#options;
    const { state, dropped } = await readState(directory, account, versions);
    if (state === undefined) return { loaded: undefined, dropped };
    const { rejection, ...session } = state.session;
    const matched = await this.#matchRejection(account, rejection);
    return { loaded: { polls: state.polls, session: { ...session, rejection: matched } }, dropped };
  }

  changed(account: SavedAccount): void {
    if (this.#lock === undefined || this.#closed || this.#timers.has(account)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(account);
      this.#waiting.add(account);
      this.#saving ??= this.#saveWaiting();
    }, saveDelay);
    this.#timers.set(account, timer.unref());
  }

  /** Cancels the next save of an account. */
  forget(account: SavedAccount): void {
    clearTimeout(this.#timers.get(account));
    this.#timers.delete(account);
    this.#waiting.delete(account);
  }

  /** Runs `removeOld` now and every day, until `take`. */
  removeOldDaily(accountNames: () => readonly string[]): void {
    void this.removeOld(accountNames());
    this.#cleanup = setInterval(() => void this.removeOld(accountNames()), day).unref();
  }

  /** Deletes files that no account of the configuration has used for seven days. */
  async removeOld(accountNames: readonly string[]): Promise<void> {
    if (this.#lock === undefined) return;
    const { directory, log } = this.#options;
    const used = new Set(accountNames.map(fileNameOf));
    for (const name of await readdir(directory).catch(() => [])) {
      if (!/^[0-9a-f]{32}\.jsonl\.gz(?:\.tmp)?$/.test(name) || used.has(name.replace(/\.tmp$/, ''))) continue;
      const path = join(directory, name);
      const age = await stat(path).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      );
      if (age < keepRemoved) continue;
      await rm(path, { force: true }).catch(() => {});
      log.info({ file: path }, 'deleted the state of a removed account');
    }
  }

  /** Copies the states of changed accounts for `close`, while the accounts have results. Does not save later changes. */
  async take(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#cleanup);
    const changed = new Set([...this.#waiting, ...this.#timers.keys()]);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#waiting.clear();
    const slice = new TimeSlice();
    for (const account of changed) {
      this.#taken.push({ account, state: takeState(account) });
      await slice.pause();
    }
  }

  /** Saves the copied states, for at most 5 s, and releases the lock. */
  async close(): Promise<void> {
    const deadline = performance.now() + closeTime;
    await this.#saving;
    const states = this.#taken.splice(0);
    for (const [index, { account, state }] of states.entries()) {
      if (performance.now() > deadline) {
        this.#options.log.warn(
          { accounts: states.length - index },
          'stopped before the state of all accounts was saved',
        );
        break;
      }
      await this.#save(account, state, false);
    }
    if (states.length > 0) await syncFolder(this.#options.directory).catch(() => {});
    await this.#lock?.release();
  }

  async #saveWaiting(): Promise<void> {
    for (const account of this.#waiting) {
      this.#waiting.delete(account);
      if (!(await this.#save(account, takeState(account)))) this.changed(account);
    }
    this.#saving = undefined;
  }

  /** Saves an account; false if that failed. `syncs`: also syncs the folder, so that the new file survives a loss of power. */
  async #save(account: SavedAccount, { polls, session }: SavedState, syncs = true): Promise<boolean> {
    const { directory, versions, log } = this.#options;
    try {
      if (!(await this.#isLocked())) {
        throw new Error('the lock on the directory is gone, or another process has taken it');
      }
      const { rejection } = session;
      const hashed = rejection && { ...rejection, secret: await this.#hashOf(account, rejection.secret) };
      const { name, identity } = account;
      const written = Date.now();
      const state: StoredAccount = {
        account: name,
        identity,
        written,
        session: { ...session, rejection: hashed },
        polls,
      };
      await writeAtomically(directory, fileNameOf(name), formatState(state, versions));
      if (syncs) await syncFolder(directory);
      if (this.#hasFailed) log.info({ directory }, 'state can be saved again');
      this.#hasFailed = false;
      this.#onSave(written);
      return true;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (!this.#hasFailed) log.warn({ directory, error: message }, 'saving the state failed, trying again');
      this.#hasFailed = true;
      this.#onSave(undefined);
      return false;
    }
  }

  /** Whether this process still owns the directory. Reads the lock at most every half second: many saves may follow in a row. */
  async #isLocked(): Promise<boolean> {
    if (this.#lock === undefined) return false;
    if (performance.now() - this.#lockChecked < lockCheckInterval) return true;
    if (!(await this.#lock.isHeld())) return false;
    this.#lockChecked = performance.now();
    return true;
  }

  /** Returns the hash of a secret. Reuses the known hash of the same secret, because hashing takes 50 ms in another thread. */
  async #hashOf({ name }: SavedAccount, secret: string): Promise<SecretHash> {
    const known = this.#hashes.get(name);
    if (known?.secret === secret) return known.hash;
    const salt = randomBytes(16);
    const hash = { salt: salt.toString('base64'), hash: (await hashSlowly(secret, salt, 32)).toString('base64') };
    this.#hashes.set(name, { secret, hash });
    return hash;
  }

  /** The saved rejection; undefined if the API rejected another secret than the current one. */
  async #matchRejection(
    { name, secret: reveal }: SavedAccount,
    rejection: StoredAccount['session']['rejection'],
  ): Promise<RejectionSnapshot | undefined> {
    const secret = reveal();
    if (rejection === undefined || secret === undefined) return undefined;
    const expected = Buffer.from(rejection.secret.hash, 'base64');
    const actual = await hashSlowly(secret, Buffer.from(rejection.secret.salt, 'base64'), 32);
    if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined;
    this.#hashes.set(name, { secret, hash: rejection.secret });
    return { ...rejection, secret };
  }
}

function takeState({ polls, session }: SavedAccount): SavedState {
  return { polls: polls(), session: session() };
}

/** Creates a directory and its parents. Node.js' recursive mkdir never returns where nothing can be created, such as in /proc. */
async function createDirectory(directory: string): Promise<void> {
  if (existsSync(directory)) return;
  await createDirectory(dirname(directory));
  await mkdir(directory, { mode: 0o700 });
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
