import type { AccountState } from '../state/records.ts';

/** An old server prints ids as strings, a new one as numbers. */
export function printId(id: number, account: AccountState): string | number {
  return account.server.old ? String(id) : id;
}

/** Flags likewise: "0" and "1", or false and true. */
export function printFlag(flag: boolean, account: AccountState): string | boolean {
  return account.server.old ? String(Number(flag)) : flag;
}
