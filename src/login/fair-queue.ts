/** A waiting job. */
interface Job<Value> {
  readonly value: Value;
  /** Called instead of running the job if it has to make room. */
  readonly onDropped: () => void;
}

/**
 * A bounded queue that serves its owners in turn. If it is full, the newest job of the owner with the most jobs is dropped,
 * so that one owner with thousands of jobs does not keep others out.
 */
export class FairQueue<Value> {
  readonly #capacity: number;
  /** The first owner is served next. */
  readonly #jobs = new Map<string, Job<Value>[]>();
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(owner: string, value: Value, onDropped: () => void): void {
    const jobs = this.#jobs.get(owner) ?? [];
    this.#jobs.set(owner, jobs);
    jobs.push({ value, onDropped });
    this.#size += 1;
    if (this.#size > this.#capacity) this.#dropFromLongest();
  }

  /** Removes and returns the next job; undefined if none is waiting. */
  take(): Value | undefined {
    const [next] = this.#jobs;
    if (next === undefined) return undefined;
    const [owner, jobs] = next;
    const job = jobs.shift();
    this.#jobs.delete(owner);
    if (jobs.length > 0) this.#jobs.set(owner, jobs);
    this.#size -= 1;
    return job?.value;
  }

  /** Removes a waiting job. Returns false if it was already taken or dropped. */
  remove(owner: string, value: Value): boolean {
    const jobs = this.#jobs.get(owner) ?? [];
    const index = jobs.findIndex((job) => job.value === value);
    if (index < 0) return false;
    jobs.splice(index, 1);
    if (jobs.length === 0) this.#jobs.delete(owner);
    this.#size -= 1;
    return true;
  }

  #dropFromLongest(): void {
    let longest: readonly [string, Job<Value>[]] | undefined;
    for (const entry of this.#jobs) if (entry[1].length > (longest?.[1].length ?? 0)) longest = entry;
    if (longest === undefined) return;
    const [owner, jobs] = longest;
    const dropped = jobs.pop();
    if (jobs.length === 0) this.#jobs.delete(owner);
    this.#size -= 1;
    dropped?.onDropped();
  }
}
