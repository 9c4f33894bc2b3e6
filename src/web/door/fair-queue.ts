/** A bounded queue that serves its owners alternately. If the queue is full, the owner with the most jobs loses its newest job. */
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
    const [longest] = [...this.#jobs.values()].toSorted((one, other) => other.length - one.length);
    return longest?.pop();
  }

  next(): Job | undefined {
    for (const [owner, jobs] of this.#jobs) {
      const job = jobs.shift();
      // Move the owner behind the others.
      this.#jobs.delete(owner);
      if (jobs.length > 0) this.#jobs.set(owner, jobs);
      if (job !== undefined) return job;
    }
    return undefined;
  }

  /** Returns false if the job is no longer waiting. */
  remove(owner: string, job: Job): boolean {
    const jobs = this.#jobs.get(owner) ?? [];
    const index = jobs.indexOf(job);
    if (index >= 0) jobs.splice(index, 1);
    return index >= 0;
  }
}
