import { createHmac, randomBytes } from 'node:crypto';

/** What an outcome depends on: user name, hash and password. */
export type OutcomeInput = readonly string[];

/**
 * Remembers outcomes of logins under an HMAC with a random key, so that neither passwords nor anything that can be guessed
 * is kept in memory. Each field is preceded by its length: no two inputs have the same key (CVE-2022-46146).
 */
export class OutcomeCache {
  readonly #key = randomBytes(32);
  readonly #capacity: number;
  /** Accepted and refused logins have separate limits, so that wrong passwords cannot displace right ones. */
  readonly #outcomes = { accepted: new Map<string, true>(), refused: new Map<string, true>() };

  /** `capacity`: maximum number of accepted logins, and of refused ones. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  keyOf(input: OutcomeInput): string {
    const hmac = createHmac('sha256', this.#key);
    for (const field of input) {
      const bytes = Buffer.from(field);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      hmac.update(length).update(bytes);
    }
    return hmac.digest('base64');
  }

  /** Whether the login was accepted; undefined if that is unknown. */
  get(key: string): boolean | undefined {
    const { accepted, refused } = this.#outcomes;
    if (accepted.has(key)) return touch(accepted, key);
    return refused.has(key) ? !touch(refused, key) : undefined;
  }

  set(key: string, isAccepted: boolean): void {
    const outcomes = this.#outcomes[isAccepted ? 'accepted' : 'refused'];
    touch(outcomes, key);
    const [oldest] = outcomes.keys();
    if (outcomes.size > this.#capacity && oldest !== undefined) outcomes.delete(oldest);
  }
}

/** Makes an entry the newest one. */
function touch(entries: Map<string, true>, key: string): true {
  entries.delete(key);
  entries.set(key, true);
  return true;
}
