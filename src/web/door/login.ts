import { bcryptCost } from '../config/scalars.ts';
import { BcryptThread } from './bcrypt-thread.ts';
import type { Comparison } from './bcrypt-worker.ts';
import { type BasicAuth, clientNetwork } from './client.ts';
import { FairQueue } from './fair-queue.ts';
import { OutcomeCache } from './outcome-cache.ts';

/** `busy`: the login was not checked, because too many other logins wait. */
type LoginOutcome = 'accepted' | 'refused' | 'busy';

/** Maximum number of waiting logins. With bcrypt's default cost, this number of logins takes a few seconds. */
const queueCapacity = 50;

interface PendingLogin extends PromiseWithResolvers<LoginOutcome> {
  readonly key: string;
  readonly comparison: Comparison;
  /** False if even a matching password must be refused. */
  readonly acceptable: boolean;
  /** Number of requests that wait for the outcome. */
  waiting: number;
}

/**
 * Checks logins. Equal logins share a comparison. The password of an unknown user is compared with the cheapest hash. This comparison
 * prevents user enumeration by timing. A more expensive hash would let strangers without a user name occupy the thread.
 */
export class Login {
  readonly #thread: Pick<BcryptThread, 'compare' | 'stop'>;
  readonly #cache = new OutcomeCache();
  readonly #queue = new FairQueue<PendingLogin>(queueCapacity);
  readonly #pending = new Map<string, PendingLogin>();
  #running = false;

  constructor(thread: Pick<BcryptThread, 'compare' | 'stop'> = new BcryptThread()) {
    this.#thread = thread;
  }

  /** Serves clients alternately. Skips a comparison if every request that waits for it is aborted. At least one user must be configured. */
  async check(given: BasicAuth, users: ReadonlyMap<string, string>, address: string, signal: AbortSignal) {
    const { user, password, exact } = given;
    const hash = users.get(user) ?? cheapestHash(users);
    const acceptable = users.has(user) && exact;
    const key = this.#cache.keyOf([user, hash, password, String(acceptable)]);
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const client = clientNetwork(address);
    const login = this.#pending.get(key) ?? this.#enqueue(key, { password, hash }, acceptable, client);
    login.waiting += 1;
    signal.addEventListener('abort', () => {
      login.waiting -= 1;
      if (login.waiting === 0 && this.#queue.remove(client, login)) this.#settle(login, 'busy');
    });
    return login.promise;
  }

  async stop(): Promise<void> {
    for (let login = this.#queue.next(); login !== undefined; login = this.#queue.next()) this.#settle(login, 'busy');
    await this.#thread.stop();
  }

  #enqueue(key: string, comparison: Comparison, acceptable: boolean, client: string): PendingLogin {
    const login = { key, comparison, acceptable, waiting: 0, ...Promise.withResolvers<LoginOutcome>() };
    this.#pending.set(key, login);
    const dropped = this.#queue.add(client, login);
    if (dropped !== undefined) this.#settle(dropped, 'busy');
    void this.#run();
    return login;
  }

  #settle(login: PendingLogin, outcome: LoginOutcome): void {
    this.#pending.delete(login.key);
    login.resolve(outcome);
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (let login = this.#queue.next(); login !== undefined; login = this.#queue.next()) {
      this.#settle(login, await this.#compare(login));
    }
    this.#running = false;
  }

  async #compare({ key, comparison, acceptable }: PendingLogin): Promise<LoginOutcome> {
    try {
      const outcome = (await this.#thread.compare(comparison)) && acceptable ? 'accepted' : 'refused';
      this.#cache.set(key, outcome);
      return outcome;
    } catch {
      return 'busy';
    }
  }
}

function cheapestHash(users: ReadonlyMap<string, string>): string {
  return [...users.values()].reduce((one, other) => (bcryptCost(other) < bcryptCost(one) ? other : one));
}
