import type { AccountState } from '../state/records.ts';

/** A legacy server prints ids as strings, a current one as numbers. */
export function printId(id: number, account: AccountState): string | number {
  return account.server.legacy ? String(id) : id;
}

/** A legacy server prints flags as "0" and "1", a current one as booleans. */
export function printFlag(flag: boolean, account: AccountState): string | boolean {
  return account.server.legacy ? String(Number(flag)) : flag;
}
