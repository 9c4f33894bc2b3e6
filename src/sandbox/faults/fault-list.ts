import type { Fault } from './fault.ts';

/** The active faults. If several faults match a call, the newest applies. A new fault replaces a fault with equal login and method. */
export class FaultList {
  #faults: { readonly fault: Fault; left: number }[] = [];

  /** All active faults. `times` is the number of remaining calls. */
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

  /** Returns the fault that affects a call, and counts the call for this fault. `method` is section/method. */
  take(login: string | undefined, method: string): Fault | undefined {
    const match = this.#faults.find(({ fault, left }) => left > 0 && matches(fault, login, method));
    if (match === undefined) {
      return undefined;
    }
    match.left -= 1;
    this.#faults = this.#faults.filter(({ left }) => left > 0);
    return match.fault;
  }
}

function matches(fault: Fault, login: string | undefined, method: string): boolean {
  return (
    (fault.login === undefined || fault.login === login) &&
    (fault.method === undefined || fault.method === method || method.startsWith(`${fault.method}/`))
  );
}
