import { createHmac, randomBytes } from 'node:crypto';
import { BcryptThread } from './bcrypt-thread.ts';
import type { Comparison } from './bcrypt-worker.ts';
import { clientNetwork } from './client-network.ts';
import type { Credentials } from './credentials.ts';
import { FairQueue } from './fair-queue.ts';
import { OutcomeCache } from './outcome-cache.ts';

/** `busy`: too many other logins are waiting. */
export type LoginOutcome = 'accepted' | 'refused' | 'busy';

/** Accepted logins that are remembered, and refused ones. */
const cacheCapacity = 1000;

/** Logins that wait for their comparison. With bcrypt's default cost, they take a few seconds. */
const queueCapacity = 50;

/** A login whose outcome is not known yet. */
interface PendingLogin {
  readonly key: string;
  readonly comparison: Comparison;
  /** False: refused even if the password matches. */
  readonly acceptable: boolean;
  readonly outcome: Promise<LoginOutcome>;
  readonly settle: (outcome: LoginOutcome) => void;
  /** Requests that wait for it. */
  waiting: number;
}

/**
 * Checks passwords. Comparisons run one after the other; equal logins share one. An unknown user costs as much as a known
 * one: the password is compared with a hash of another user, and refused even if it matches.
 */
export class Login {
  readonly #thread: Pick<BcryptThread, 'compare' | 'stop'>;
  readonly #cache = new OutcomeCache(cacheCapacity);
  readonly #queue = new FairQueue<PendingLogin>(queueCapacity);
  readonly #pending = new Map<string, PendingLogin>();
  readonly #decoyKey = randomBytes(32);
  #running = false;

  constructor(thread: Pick<BcryptThread, 'compare' | 'stop'> = new BcryptThread()) {
    this.#thread = thread;
  }

  /**
   * Whether the credentials belong to one of the users, of which there is at least one. Clients with different addresses
   * are served in turn. A comparison is skipped if all requests that wait for it are aborted.
   */
  async check(
    { user, password, exact }: Credentials,
    users: ReadonlyMap<string, string>,
    address: string,
    signal: AbortSignal,
  ): Promise<LoginOutcome> {
    const hash = users.get(user) ?? this.#decoyFor(user, users);
    const acceptable = users.has(user) && exact;
    const key = this.#cache.keyOf([user, hash, password, String(acceptable)]);
    const isAccepted = this.#cache.get(key);
    if (isAccepted !== undefined) return isAccepted ? 'accepted' : 'refused';
    const client = clientNetwork(address);
    const login = this.#pending.get(key) ?? this.#enqueue(key, { password, hash }, acceptable, client);
    login.waiting += 1;
    signal.addEventListener('abort', () => {
      login.waiting -= 1;
      if (login.waiting === 0 && this.#queue.remove(client, login)) this.#settle(login, 'busy');
    });
    return login.outcome;
  }

  /** Ends all logins in progress as busy. */
  async stop(): Promise<void> {
    for (let login = this.#queue.take(); login !== undefined; login = this.#queue.take()) this.#settle(login, 'busy');
    await this.#thread.stop();
  }

  #enqueue(key: string, comparison: Comparison, acceptable: boolean, client: string): PendingLogin {
    const { promise: outcome, resolve: settle } = Promise.withResolvers<LoginOutcome>();
    const login = { key, comparison, acceptable, outcome, settle, waiting: 0 };
    this.#pending.set(key, login);
    this.#queue.add(client, login, () => this.#settle(login, 'busy'));
    void this.#run();
    return login;
  }

  #settle(login: PendingLogin, outcome: LoginOutcome): void {
    this.#pending.delete(login.key);
    login.settle(outcome);
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (let login = this.#queue.take(); login !== undefined; login = this.#queue.take()) {
      this.#settle(login, await this.#compare(login));
    }
    this.#running = false;
  }

  async #compare({ key, comparison, acceptable }: PendingLogin): Promise<LoginOutcome> {
    try {
      const isAccepted = (await this.#thread.compare(comparison)) && acceptable;
      this.#cache.set(key, isAccepted);
      return isAccepted ? 'accepted' : 'refused';
    } catch {
      return 'busy';
    }
  }

  /** A hash of the file that stands in for that of an unknown user: always the same one for the same name. */
  #decoyFor(user: string, users: ReadonlyMap<string, string>): string {
    const hashes = [...users.values()];
    const number = createHmac('sha256', this.#decoyKey).update(user).digest().readUInt32BE();
    return hashes[number % hashes.length] ?? '';
  }
}
