import { randomBytes, scrypt } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import PQueue from 'p-queue';
import type { Shard } from '../config/values/config.ts';
import type { Log } from '../log.ts';
import { FolderInUseError, type Lock, takeLock } from './lock.ts';
import { fileNameOf, type ReadState, readStateFile, type SavedAccount, writeStateFile } from './state-file.ts';

/** Milliseconds from the first unsaved change of an account until it is saved. */
const saveDelay = 30_000;

/** Milliseconds that the last saves may take when the process stops. */
const closeTime = 5000;

const minute = 60_000;
const week = 7 * 86_400_000;

/** Files of accounts, and files that a killed process has not renamed. */
const removable = /^(?:[0-9a-f]{32}\.jsonl?\.gz|(?:[0-9a-f]{32}\.json\.gz|lock[-\w]*)\.[0-9a-f]{12}(\.tmp))$/;

/** What the process knows of an account. Contains the rejected secret itself, while the file contains only its hash. */
export interface AccountState extends Omit<SavedAccount, 'rejection'> {
  readonly rejection?: Rejection | undefined;
}

type Rejection = Omit<NonNullable<SavedAccount['rejection']>, 'salt' | 'hash'> & { readonly secret: string };

export interface StateAccount {
  readonly name: string;
  /** Called at the moment of the save. */
  saved(): AccountState;
}

export interface StateOptions {
  readonly directory: string;
  readonly shard?: Shard | undefined;
  readonly log: Log;
}

/** Keeps one file per account. Saves one account at a time, in the background. Retries failed saves, and logs only the first failure. */
export class StateDirectory {
  /** The accounts that are saved again after the directory was deleted. */
  everything: () => readonly StateAccount[] = () => [];
  readonly #options: StateOptions;
  /** Accounts with unsaved changes by name. `due`: milliseconds of the monotonic clock; infinite if the save waits in the queue. */
  readonly #unsaved = new Map<string, { readonly account: StateAccount; readonly due: number }>();
  readonly #saves = new PQueue({ concurrency: 1 });
  #onSave: (time: number | undefined) => void = () => {};
  #lock: Lock | undefined;
  #hasFailed = false;
  #isClosing = false;

  private constructor(options: StateOptions) {
    this.#options = options;
  }

  /** Creates and locks the directory. Rejects with FolderInUseError. If the directory is not writable, each save tries again. */
  static async open(options: StateOptions): Promise<StateDirectory> {
    const state = new StateDirectory(options);
    try {
      await state.#own();
    } catch (error) {
      if (error instanceof FolderInUseError) throw error;
      state.#failed(error, 'state directory is not writable, figures will not survive a restart');
    }
    return state;
  }

  /** Receives the Unix milliseconds of each save, and undefined if a save has failed or the directory is not writable. */
  set onSave(onSave: (time: number | undefined) => void) {
    this.#onSave = onSave;
    if (this.#hasFailed) onSave(undefined);
  }

  /** Reads the state to restore. First saves the account if it is unsaved, for example because a reload has just removed it. */
  async load(account: { readonly name: string; readonly identity: string; secret(): string | undefined }): Promise<{
    readonly saved?: AccountState;
    readonly dropped?: ReadState['dropped'];
  }> {
    await this.#enqueue(account.name);
    const { saved, ...read } = await readStateFile(this.#options.directory, account);
    if (saved === undefined) return read;
    const { rejection, ...rest } = saved;
    const secret = account.secret();
    if (rejection === undefined || secret === undefined) return { saved: rest };
    const { salt, hash, ...times } = rejection;
    const isSame = (await hashed({ ...times, secret }, salt)).hash === hash;
    return { saved: isSame ? { ...rest, rejection: { ...times, secret } } : rest };
  }

  /** Saves an account 30 s after its first unsaved change. Replaces an unsaved account with the same name. */
  changed(account: StateAccount): void {
    const due = this.#unsaved.get(account.name)?.due ?? performance.now() + saveDelay;
    if (!this.#isClosing) this.#unsaved.set(account.name, { account, due });
  }

  /** Saves an account before all others, for example because a reload removes it. Returns immediately. */
  saveNow(account: StateAccount): void {
    this.changed(account);
    void this.#enqueue(account.name, 1);
  }

  /** Starts the saves that are due. */
  tick(): void {
    for (const [name, { account, due }] of this.#unsaved) {
      if (performance.now() < due) continue;
      this.#unsaved.set(name, { account, due: Number.POSITIVE_INFINITY });
      void this.#enqueue(name);
    }
  }

  /** Deletes files that no account of the configuration has used for seven days, and unfinished files of killed processes. */
  async removeOld(accountNames: readonly string[]): Promise<void> {
    const { directory, log } = this.#options;
    const used = new Set(accountNames.map(fileNameOf));
    for (const name of await readdir(directory).catch(() => [])) {
      const [isRemovable, isUnfinished] = removable.exec(name) ?? [];
      const path = join(directory, name);
      const file = isRemovable === undefined || used.has(name) ? undefined : await stat(path).catch(() => undefined);
      if (file === undefined || Date.now() - file.mtimeMs < (isUnfinished === undefined ? week : minute)) continue;
      await rm(path, { force: true }).catch(() => {});
      log.info({ file: path }, isUnfinished ? 'deleted an unfinished file' : 'deleted the state of a removed account');
    }
  }

  /** Saves all unsaved changes, for at most 5 s, and releases the lock. Ignores later changes. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const timeout = new Promise((resolve) => setTimeout(resolve, closeTime).unref());
    for (const name of this.#unsaved.keys()) void this.#enqueue(name);
    await Promise.race([this.#saves.onIdle(), timeout]);
    const accounts = this.#unsaved.size + this.#saves.pending;
    if (accounts > 0) this.#options.log.warn({ accounts }, 'stopped before the state of all accounts was saved');
    this.#unsaved.clear();
    await Promise.race([this.#saves.add(() => this.#lock?.release().catch(() => {})), timeout]);
  }

  async #enqueue(name: string, priority = 0): Promise<void> {
    await this.#saves.add(() => this.#save(name), { priority });
  }

  async #save(name: string): Promise<void> {
    const account = this.#unsaved.get(name)?.account;
    if (account === undefined) return;
    this.#unsaved.delete(name);
    const { directory, log } = this.#options;
    try {
      await this.#own();
      const { rejection, ...state } = account.saved();
      await writeStateFile(directory, { ...state, rejection: rejection && (await hashed(rejection)) });
      if (this.#hasFailed) log.info({ directory }, 'state can be saved again');
      this.#hasFailed = false;
      this.#onSave(Date.now());
    } catch (error) {
      if (!this.#unsaved.has(name)) this.#unsaved.set(name, { account, due: performance.now() + saveDelay });
      this.#failed(error, 'saving the state failed, trying again');
    }
  }

  #failed(error: unknown, message: string): void {
    const { directory, log } = this.#options;
    if (!this.#hasFailed) log.warn({ directory, error: error instanceof Error ? error.message : `${error}` }, message);
    this.#hasFailed = true;
    this.#onSave(undefined);
  }

  /** Creates and locks the directory, unless the lock still exists. */
  async #own(): Promise<void> {
    const { directory, shard, log } = this.#options;
    if (this.#lock !== undefined && (await exists(this.#lock.path))) return;
    await this.#lock?.release().catch(() => {});
    this.#lock = undefined;
    await createDirectory(directory);
    this.#lock = await takeLock(directory, shard, log);
    // The files of unchanged accounts may be missing, too.
    for (const account of this.everything()) this.changed(account);
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** Creates a directory and its parents. Node.js' recursive mkdir would never return if a mounted folder was deleted. */
async function createDirectory(directory: string): Promise<void> {
  if (await exists(directory)) return;
  await createDirectory(dirname(directory));
  await mkdir(directory, { mode: 0o700 });
}

const hashSlowly = promisify<string, Buffer, number, Buffer>(scrypt);

/** Replaces the secret of a rejection by a slow hash, which identifies the secret but does not reveal it. Takes 50 ms. */
async function hashed({ secret, ...rest }: Rejection, salt = randomBytes(16).toString('base64')) {
  const hash = await hashSlowly(secret, Buffer.from(salt, 'base64'), 32);
  return { ...rest, salt, hash: hash.toString('base64') };
}
