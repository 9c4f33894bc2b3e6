import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import PQueue from 'p-queue';
import type { RejectionSnapshot } from '../api/credential-gate.ts';
import type { SessionSnapshot } from '../api/session.ts';
import type { Log } from '../log.ts';
import type { AccountSnapshot, DropReason } from '../results/snapshot.ts';
import { createDirectory, syncFolder, writeAtomically } from './atomic-file.ts';
import { FolderLock } from './folder-lock.ts';
import { fileNameOf, readState } from './read-state.ts';
import { formatState, type PayloadVersions, type SecretHash, type StoredAccount } from './state-file.ts';

/** Milliseconds from the first unsaved change of an account until it is saved. */
export const saveDelay = 30_000;

/** Maximum milliseconds that `saveNow` waits for a disk. */
const urgentTime = 5000;

/** Milliseconds that the last saves may take when the process stops. */
const closeTime = 5000;

/** Number of concurrent saves when the process stops. A disk writes several files in about the same time as one file. */
const closeConcurrency = 4;

/** Milliseconds between two checks of the lock. Another process waits much longer before it takes the lock. */
const lockCheckInterval = 500;

const day = 86_400_000;

/** Milliseconds from the last save of a removed account until its file is deleted. */
const keepRemoved = 7 * day;

const hashSlowly = promisify<string, Buffer, number, Buffer>(scrypt);

export interface SavedAccount {
  readonly name: string;
  readonly identity: string;
  /** The current password or token; undefined if it cannot be read. */
  readonly secret: () => string | undefined;
  readonly polls: () => AccountSnapshot;
  readonly session: () => SessionSnapshot;
}

export interface LoadResult {
  readonly loaded: { readonly polls: AccountSnapshot; readonly session: SessionSnapshot } | undefined;
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
}

/** `time`: Unix milliseconds; undefined if the save failed. */
type SaveObserver = (time: number | undefined) => void;

export interface StateOptions {
  readonly directory: string;
  /** Distinguishes the locks of shards, which share the directory but no accounts; empty without shards. */
  readonly shard: string;
  readonly versions: PayloadVersions;
  readonly log: Log;
}

/** Keeps one file per account, and saves it at most every 30 s. Retries failed saves, and logs only the first failure. */
export class StateDirectory {
  readonly #options: StateOptions;
  #lock: FolderLock | undefined;
  readonly #hashes = new Map<string, { readonly secret: string; readonly hash: SecretHash }>();
  /** Accounts with unsaved changes, by name. A change replaces the entry. A save removes only the entry that it has saved. */
  readonly #unsaved = new Map<string, { readonly account: SavedAccount }>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #saves = new PQueue({ concurrency: 1 });
  #onSave: SaveObserver = () => {};
  #cleanup: NodeJS.Timeout | undefined;
  #lockCheck: Promise<void> | undefined;
  /** Time of the next check of the lock, in milliseconds of the monotonic clock. */
  #nextLockCheck = Number.NEGATIVE_INFINITY;
  #accounts: () => readonly SavedAccount[] = () => [];
  #hasFailed = false;
  readonly #closing = new AbortController();
  /** Whether the previous process was killed. The times of the last calls of a killed process are unknown. */
  wasKilled = true;

  private constructor(options: StateOptions) {
    this.#options = options;
  }

  /** Creates and locks the directory. Nothing is saved until the directory is writable. Rejects with FolderInUseError. */
  static async open(options: StateOptions): Promise<StateDirectory> {
    const state = new StateDirectory(options);
    try {
      state.wasKilled = await state.#takeLock();
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      const { directory, log } = options;
      const message = 'state directory is not writable, figures will not survive a restart';
      log.warn({ directory, error: error.message }, message);
      state.#hasFailed = true;
    }
    return state;
  }

  /** Calls `onSave` after each save from now on. Saves all `accounts` if the directory is deleted and created again. */
  observe(onSave: SaveObserver, accounts: () => readonly SavedAccount[] = () => []): void {
    this.#onSave = onSave;
    this.#accounts = accounts;
    if (this.#hasFailed) onSave(undefined);
  }

  /** The state to restore. Unsaved figures take precedence over the file, for example after a reload that replaces the account. */
  async load(account: SavedAccount): Promise<LoadResult> {
    const { directory, versions } = this.#options;
    const unsaved = this.#unsaved.get(account.name)?.account;
    if (unsaved?.identity === account.identity)
      return { loaded: { polls: unsaved.polls(), session: unsaved.session() }, dropped: {} };
    const { state, dropped } = await readState(directory, account, versions);
    if (state === undefined) return { loaded: undefined, dropped };
    const { rejection, ...session } = state.session;
    const matched = await this.#matchRejection(account, rejection);
    return { loaded: { polls: state.polls, session: { ...session, rejection: matched } }, dropped };
  }

  changed(account: SavedAccount): void {
    if (this.#closing.signal.aborted) return;
    this.#unsaved.set(account.name, { account });
    this.#schedule(account.name);
  }

  /** Saves an account before all others. Resolves when the account is saved or, with a slow or broken disk, after 5 s. */
  async saveNow(account: SavedAccount): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.changed(account);
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, urgentTime).unref();
    void this.#enqueue(account.name, 1).then(resolve);
    await promise;
    clearTimeout(timer);
  }

  /** Keeps the unsaved figures of an account that a reload removes or replaces, until they are saved. */
  keep(account: SavedAccount): void {
    if (this.#unsaved.get(account.name)?.account !== account) return;
    const polls = account.polls();
    this.changed({ ...account, polls: () => polls });
  }

  removeOldDaily(accountNames: () => readonly string[]): void {
    void this.removeOld(accountNames());
    this.#cleanup = setInterval(() => void this.removeOld(accountNames()), day).unref();
  }

  /** Deletes files that no account of the configuration has used for seven days. */
  async removeOld(accountNames: readonly string[]): Promise<void> {
    const { directory, log } = this.#options;
    const used = new Set(accountNames.map(fileNameOf));
    const owned = this.#own().then(() => readdir(directory));
    for (const name of await owned.catch(() => [])) {
      if (!/^[0-9a-f]{32}\.jsonl\.gz(?:\.tmp)?$/.test(name) || used.has(name.replace(/\.tmp$/, ''))) continue;
      const path = join(directory, name);
      const written = await stat(path).catch(() => undefined);
      if (written === undefined || Date.now() - written.mtimeMs < keepRemoved) continue;
      await rm(path, { force: true }).catch(() => {});
      log.info({ file: path }, 'deleted the state of a removed account');
    }
  }

  /** Saves all unsaved changes, for at most 5 s, and releases the lock. Ignores later changes. */
  async close(): Promise<void> {
    const deadline = performance.now() + closeTime;
    this.#closing.abort();
    clearInterval(this.#cleanup);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    // From now on, queued saves do nothing, because the saves below replace them.
    await this.#saves.onIdle();
    this.#saves.concurrency = closeConcurrency;
    const names = [...this.#unsaved.keys()];
    const save = async (name: string) => {
      if (performance.now() <= deadline) await this.#saveUnsaved(name, false);
    };
    await this.#saves.addAll(names.map((name) => () => save(name)));
    const { directory, log } = this.#options;
    const accounts = this.#unsaved.size;
    if (accounts > 0) log.warn({ accounts }, 'stopped before the state of all accounts was saved');
    if (accounts < names.length) await syncFolder(directory).catch(() => {});
    // A check in progress may take the lock again.
    await this.#lockCheck?.catch(() => {});
    await this.#lock?.release();
  }

  #schedule(name: string): void {
    if (this.#closing.signal.aborted || this.#timers.has(name)) return;
    const save = () => {
      this.#timers.delete(name);
      void this.#enqueue(name, 0);
    };
    this.#timers.set(name, setTimeout(save, saveDelay).unref());
  }

  async #enqueue(name: string, priority: number): Promise<void> {
    await this.#saves.add(async () => this.#closing.signal.aborted || this.#saveUnsaved(name), { priority });
  }

  /** Saves an account, or tries again later. `syncs`: whether the folder is also written to disk. */
  async #saveUnsaved(name: string, syncs = true): Promise<void> {
    const unsaved = this.#unsaved.get(name);
    if (unsaved === undefined) return;
    if (!(await this.#save(unsaved.account, syncs))) this.#schedule(name);
    else if (this.#unsaved.get(name) === unsaved) this.#unsaved.delete(name);
  }

  async #save(account: SavedAccount, syncs: boolean): Promise<boolean> {
    const { directory, versions, log } = this.#options;
    const polls = account.polls();
    const session = account.session();
    try {
      await this.#own();
      const { rejection } = session;
      const { name, identity } = account;
      const hashed = rejection && (await this.#hashed(name, rejection));
      const written = Date.now();
      const state = { account: name, identity, written, session: { ...session, rejection: hashed }, polls };
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

  /** Rejects if this process does not own the directory. Many saves may follow in a row, so not every save checks the lock. */
  async #own(): Promise<void> {
    if (performance.now() >= this.#nextLockCheck) {
      this.#nextLockCheck = Number.POSITIVE_INFINITY;
      this.#lockCheck = this.#checkLock().finally(() => {
        this.#nextLockCheck = performance.now() + lockCheckInterval;
      });
    }
    await this.#lockCheck;
  }

  /** Takes the lock if the directory was not writable before, or was deleted. */
  async #checkLock(): Promise<void> {
    if (await this.#lock?.isHeld()) return;
    await this.#lock?.release();
    this.#lock = undefined;
    await this.#takeLock();
    // The files of unchanged accounts may be missing, too. Save all accounts.
    for (const account of this.#accounts()) if (!this.#unsaved.has(account.name)) this.changed(account);
  }

  /** Returns whether an earlier process was killed and left its lock. */
  async #takeLock(): Promise<boolean> {
    const { directory, shard } = this.#options;
    await createDirectory(directory, 0o700);
    const { signal } = this.#closing;
    const { lock, wasLeft } = await FolderLock.take(directory, shard === '' ? 'lock' : `lock-${shard}`, { signal });
    this.#lock = lock;
    return wasLeft;
  }

  /** Replaces the secret of a rejection by a hash. Hashing takes 50 ms. To start fast, omits the hash of a presumed rejection. */
  async #hashed(name: string, rejection: RejectionSnapshot): Promise<StoredAccount['session']['rejection']> {
    const { secret, isPresumed, ...rest } = rejection;
    if (isPresumed === true) return rest;
    const known = this.#hashes.get(name);
    if (known?.secret === secret) return { secret: known.hash, ...rest };
    const salt = randomBytes(16);
    const hash = { salt: salt.toString('base64'), hash: (await hashSlowly(secret, salt, 32)).toString('base64') };
    this.#hashes.set(name, { secret, hash });
    return { secret: hash, ...rest };
  }

  /** The saved rejection; undefined if the current secret differs from the rejected secret. */
  async #matchRejection({ name, secret: reveal }: SavedAccount, rejection: StoredAccount['session']['rejection']) {
    const secret = reveal();
    if (rejection === undefined || secret === undefined) return undefined;
    if (rejection.secret === undefined) return { ...rejection, secret };
    const expected = Buffer.from(rejection.secret.hash, 'base64');
    const actual = await hashSlowly(secret, Buffer.from(rejection.secret.salt, 'base64'), 32);
    if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined;
    this.#hashes.set(name, { secret, hash: rejection.secret });
    return { ...rejection, secret };
  }
}
