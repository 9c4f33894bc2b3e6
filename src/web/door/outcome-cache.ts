import { createHmac, randomBytes } from 'node:crypto';

type Outcome = 'accepted' | 'refused';

/** Maximum number of cached logins for each outcome. */
const capacity = 1000;

/** Caches the outcomes of logins. Its keys are HMACs with a random secret, so that memory contains no password. */
export class OutcomeCache {
  readonly #secret = randomBytes(32);
  /** The keys, least recently used first. Outcomes have separate limits, so wrong passwords do not displace correct passwords. */
  readonly #keys: Readonly<Record<Outcome, Set<string>>> = { accepted: new Set(), refused: new Set() };

  /** JSON separates the fields. Different inputs therefore have different keys (CVE-2022-46146). */
  keyOf(input: readonly string[]): string {
    return createHmac('sha256', this.#secret).update(JSON.stringify(input)).digest('base64');
  }

  get(key: string): Outcome | undefined {
    const outcome = (['accepted', 'refused'] as const).find((each) => this.#keys[each].has(key));
    if (outcome !== undefined) this.set(key, outcome);
    return outcome;
  }

  set(key: string, outcome: Outcome): void {
    const keys = this.#keys[outcome];
    keys.delete(key);
    keys.add(key);
    const [oldest] = keys;
    if (keys.size > capacity && oldest !== undefined) keys.delete(oldest);
  }
}
