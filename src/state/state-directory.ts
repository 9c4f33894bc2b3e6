import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import PQueue from 'p-queue';
import type { Shard } from '../config/values/config.ts';
import type { Log } from '../log.ts';
import { FolderInUseError, takeLock } from './lock.ts';
import { fileNameOf, readStateFile, type SavedAccount, writeStateFile } from './state-file.ts';

/** Milliseconds from the first unsaved change of an account until the account is saved. */
const saveDelay = 30_000;

/** Milliseconds that the last saves may take when the process stops. */
const closeTime = 5000;

export interface StateAccount {
  readonly name: string;
  /** Time of the first unsaved change, in milliseconds of the monotonic clock; infinite without an unsaved change. */
  unsavedSince: number;
  /** Returns the current state. Called immediately before the state is written. */
  saved(): SavedAccount;
}

type StateOptions = Readonly<{ directory: string; shard?: Shard | undefined; log: Log }>;

/** Keeps one file per account. Saves one account at a time, in the background. Retries failed saves, but logs only the first failure. */
export class StateDirectory {
  /** Called after each save with its time in Unix milliseconds, or with undefined if the save failed. */
  onSave: (time: number | undefined) => void = () => {};
  /** Whether the newest save failed, or the directory is not writable. */
  hasFailed = false;
  readonly #options: StateOptions;
  /** Runs one save at a time. */
  readonly #queue = new PQueue({ concurrency: 1 });
  #lock: Awaited<ReturnType<typeof takeLock>> | undefined;

  private constructor(options: StateOptions) {
    this.#options = options;
  }

  /** Creates and locks the directory. Rejects with FolderInUseError if it is in use. If it is not writable, each save tries to lock it. */
  static async open(options: StateOptions): Promise<StateDirectory> {
    const state = new StateDirectory(options);
    await state.#own().catch((error: unknown) => {
      if (error instanceof FolderInUseError) throw error;
      state.#failed(error, 'state directory is not writable, figures will not survive a restart');
    });
    return state;
  }

  /** Reads the saved state of an account. Waits for saves in progress, which may include this account if a reload has just removed it. */
  async load(account: { readonly name: string; readonly identity: string; secret(): string | undefined }) {
    await this.#queue.onIdle();
    return readStateFile(this.#options.directory, account, account.secret());
  }

  /** Starts the saves that are due, unless earlier saves are still in progress. */
  save(accounts: readonly StateAccount[]): void {
    if (this.#queue.pending > 0) return;
    const latest = performance.now() - saveDelay;
    for (const account of accounts) if (account.unsavedSince <= latest) this.saveNow(account);
  }

  /** Requests an immediate save, for example because a reload removes the account. Does not wait for the save. */
  saveNow(account: StateAccount): void {
    account.unsavedSince = Number.NEGATIVE_INFINITY;
    void this.#queue.add(() => this.#save(account));
  }

  /** Deletes files older than seven days: the state of accounts that are not configured, and temporary files of killed processes. */
  async removeOld(accountNames: readonly string[]): Promise<void> {
    const { directory, log } = this.#options;
    const weekAgo = Date.now() - 7 * 86_400_000;
    const used = new Set(accountNames.map(fileNameOf));
    for (const name of await readdir(directory).catch(() => [])) {
      if (used.has(name) || !/^[0-9a-f]{32}\.json\.gz(?:\.[0-9a-f]{12}\.tmp)?$/.test(name)) continue;
      const file = join(directory, name);
      const { mtimeMs = Number.POSITIVE_INFINITY } = (await stat(file).catch(() => undefined)) ?? {};
      if (mtimeMs > weekAgo) continue;
      await rm(file, { force: true }).catch(() => {});
      log.info({ file }, 'deleted the state of a removed account');
    }
  }

  /** Saves all unsaved changes, which may take at most 5 s, and releases the lock. */
  async close(accounts: readonly StateAccount[] = []): Promise<void> {
    const unsaved = () => accounts.filter(({ unsavedSince }) => unsavedSince !== Number.POSITIVE_INFINITY);
    for (const account of unsaved()) this.saveNow(account);
    const released = this.#queue.onIdle().then(() => this.#lock?.release());
    await Promise.race([released.catch(() => {}), new Promise((resolve) => setTimeout(resolve, closeTime).unref())]);
    this.#queue.clear();
    const { length } = unsaved();
    if (length > 0) this.#options.log.warn({ accounts: length }, 'stopped before the state of all accounts was saved');
  }

  async #save(account: StateAccount): Promise<void> {
    const { directory, log } = this.#options;
    // An earlier save in the queue contained the change.
    if (account.unsavedSince > performance.now()) return;
    try {
      await this.#own();
      // A change during this save sets `unsavedSince` again, and is saved half a minute later.
      account.unsavedSince = Number.POSITIVE_INFINITY;
      await writeStateFile(directory, account.saved());
      if (this.hasFailed) log.info({ directory }, 'state can be saved again');
      this.hasFailed = false;
      this.onSave(Date.now());
    } catch (error) {
      account.unsavedSince = performance.now();
      this.#failed(error, 'saving the state failed, trying again');
    }
  }

  #failed(error: unknown, message: string): void {
    const { directory, log } = this.#options;
    if (!this.hasFailed) log.warn({ directory, error: error instanceof Error ? error.message : `${error}` }, message);
    this.hasFailed = true;
    this.onSave(undefined);
  }

  /** Creates the directory if it is missing, and locks it if this process has not locked it yet. */
  async #own(): Promise<void> {
    const { directory, shard, log } = this.#options;
    await createDirectory(directory);
    this.#lock ??= await takeLock(directory, shard, log);
  }
}

/** Creates a directory and its parents. Node.js' recursive mkdir would never return if a mounted folder was deleted. */
async function createDirectory(directory: string): Promise<void> {
  if (await stat(directory).catch(() => undefined)) return;
  await createDirectory(dirname(directory));
  await mkdir(directory, { mode: 0o700 });
}
