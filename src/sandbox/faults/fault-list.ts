import type { Fault } from './fault.ts';

/** The faults that are set. The newest that fits a call spoils it; a new one takes the place of an older one for the same calls. */
export class FaultList {
  #faults: { readonly fault: Fault; left: number }[] = [];

  /** Each with what is left of its `times`. */
  get all(): readonly Fault[] {
    return this.#faults.map(({ fault, left }) => (fault.times === undefined ? fault : { ...fault, times: left }));
  }

  set(fault: Fault): void {
    this.#faults = [
      { fault, left: fault.times ?? Number.POSITIVE_INFINITY },
      ...this.#faults.filter((other) => other.fault.login !== fault.login || other.fault.method !== fault.method),
    ].filter(({ left }) => left > 0);
  }

  clear(): void {
    this.#faults = [];
  }

  /** The fault for this call, used up by one; `method` is section/method. */
  take(login: string | undefined, method: string): Fault | undefined {
    const found = this.#faults.find(({ fault, left }) => left > 0 && fits(fault, login, method));
    if (found === undefined) {
      return undefined;
    }
    found.left -= 1;
    this.#faults = this.#faults.filter(({ left }) => left > 0);
    return found.fault;
  }
}

function fits(fault: Fault, login: string | undefined, method: string): boolean {
  return (
    (fault.login === undefined || fault.login === login) &&
    (fault.method === undefined || fault.method === method || method.startsWith(`${fault.method}/`))
  );
}
