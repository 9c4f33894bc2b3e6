/** A bounded queue that serves its owners alternately. If it is full, the owner with the most jobs loses its newest job. */
export class FairQueue<Job> {
  readonly #capacity: number;
  /** The jobs by owner. The first owner is served next. */
  readonly #jobs = new Map<string, Job[]>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Adds a job. Returns the dropped job; undefined if no job was dropped. */
  add(owner: string, job: Job): Job | undefined {
    this.#jobs.set(owner, [...(this.#jobs.get(owner) ?? []), job]);
    if ([...this.#jobs.values()].flat().length <= this.#capacity) return undefined;
    const [[longest] = [owner]] = [...this.#jobs].toSorted(([, one], [, other]) => other.length - one.length);
    return this.#removeAt(longest, -1);
  }

  next(): Job | undefined {
    const [owner] = this.#jobs.keys();
    if (owner === undefined) return undefined;
    const job = this.#removeAt(owner, 0);
    const others = this.#jobs.get(owner);
    if (others !== undefined) {
      this.#jobs.delete(owner);
      this.#jobs.set(owner, others);
    }
    return job;
  }

  /** Returns false if the job is no longer waiting. */
  remove(owner: string, job: Job): boolean {
    const index = this.#jobs.get(owner)?.indexOf(job) ?? -1;
    if (index >= 0) this.#removeAt(owner, index);
    return index >= 0;
  }

  #removeAt(owner: string, index: number): Job | undefined {
    const jobs = this.#jobs.get(owner) ?? [];
    const [job] = jobs.splice(index, 1);
    if (jobs.length === 0) this.#jobs.delete(owner);
    return job;
  }
}
