import type { Family } from './family.ts';
import { type Part, renderPart } from './part.ts';

interface Entry {
  readonly part: Part;
  /** Unix milliseconds. */
  readonly expires: number;
}

/** Told that one part takes the place of another; undefined: there was none, or there is none any more. */
type ChangeListener = (former: Part | undefined, part: Part | undefined) => void;

/** What the newest polls of one collector of one account left: one part for each item, until it expires. */
export class Snapshot {
  readonly #order: number;
  readonly #onChange: ChangeListener;
  readonly #entries = new Map<string, Entry>();
  #series = 0;
  #nextExpiry = Number.POSITIVE_INFINITY;
  #retained: ReadonlySet<string> | undefined;

  /** `order` is the place of the account among the others. */
  constructor(order: number, onChange: ChangeListener) {
    this.#order = order;
    this.#onChange = onChange;
  }

  /**
   * Puts one part's newest families in the place of its former ones. `expires` is in unix milliseconds. A part whose
   * item has gone meanwhile stays out. Gives the number of its series.
   */
  publish(key: string, families: readonly Family[], expires: number): number {
    const part = renderPart(this.#order, families);
    if (this.#retained?.has(key) !== false) this.#replace(key, { part, expires });
    return part.series;
  }

  /** Lets go of the parts whose key is not among these: their items are gone. */
  retain(keys: ReadonlySet<string>): void {
    this.#retained = keys;
    for (const key of this.#entries.keys()) if (!keys.has(key)) this.#replace(key, undefined);
  }

  /** Lets go of what must not be shown any more at `time` (unix milliseconds); true where there was something. */
  expire(time: number): boolean {
    if (time < this.#nextExpiry) return false;
    this.#nextExpiry = Number.POSITIVE_INFINITY;
    for (const [key, { expires }] of this.#entries) {
      if (expires <= time) this.#replace(key, undefined);
      else this.#nextExpiry = Math.min(this.#nextExpiry, expires);
    }
    return true;
  }

  /** The series that it holds, over all metrics. */
  get series(): number {
    return this.#series;
  }

  get parts(): readonly Part[] {
    return [...this.#entries.values()].map(({ part }) => part);
  }

  #replace(key: string, entry: Entry | undefined): void {
    const former = this.#entries.get(key)?.part;
    if (former !== undefined) entry?.part.follow(former);
    if (entry === undefined) this.#entries.delete(key);
    else this.#entries.set(key, entry);
    this.#series += (entry?.part.series ?? 0) - (former?.series ?? 0);
    // It may be earlier than need be, when what would have expired first is gone; then `expire` finds the true one.
    this.#nextExpiry = Math.min(this.#nextExpiry, entry?.expires ?? Number.POSITIVE_INFINITY);
    this.#onChange(former, entry?.part);
  }
}
