import type { FinishedPoll, PollFailure } from './finished-poll.ts';

/** A finished poll, as the pages show it. Its end is rounded down to a second. */
export interface RecentPoll extends Pick<FinishedPoll, 'ended' | 'seconds' | 'calls'> {
  readonly failure: Pick<PollFailure, 'reason' | 'message'> | undefined;
}

const capacity = 20;

/** Numbers stored per poll: its end in seconds, its duration in milliseconds, and its number of calls. */
const width = 3;

/** The newest polls of one collector. Uses little memory, because a fleet has ten thousand collectors. */
export class PollHistory {
  readonly #numbers = new Uint32Array(capacity * width);
  /** The failure of each slot; undefined until the first failure. */
  #failures: Map<number, RecentPoll['failure']> | undefined;
  #lastFailure: RecentPoll['failure'];
  #added = 0;

  add({ ended, seconds, calls, failures: [failure] }: FinishedPoll): void {
    const slot = this.#added % capacity;
    this.#numbers.set([Math.floor(ended / 1000), Math.round(seconds * 1000), calls], slot * width);
    if (failure === undefined) {
      this.#failures?.delete(slot);
    } else {
      const { reason, message } = failure;
      // Equal failures in a row share one object.
      if (this.#lastFailure?.reason !== reason || this.#lastFailure.message !== message) {
        this.#lastFailure = { reason, message };
      }
      this.#failures ??= new Map();
      this.#failures.set(slot, this.#lastFailure);
    }
    this.#added += 1;
  }

  /** The stored polls, newest first. */
  list(): readonly RecentPoll[] {
    const count = Math.min(this.#added, capacity);
    return Array.from({ length: count }, (_, age) => {
      const slot = (this.#added - 1 - age) % capacity;
      const [ended = 0, milliseconds = 0, calls = 0] = this.#numbers.subarray(slot * width, (slot + 1) * width);
      return { ended: ended * 1000, seconds: milliseconds / 1000, calls, failure: this.#failures?.get(slot) };
    });
  }
}
