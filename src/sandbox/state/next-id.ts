import type { AccountState } from './records.ts';

/** Returns an unused id of the account. */
export function takeId(state: AccountState): number {
  const id = state.nextId;
  state.nextId += 1;
  return id;
}
