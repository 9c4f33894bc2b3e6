import { setFlagsFromString } from 'node:v8';

/** Up to this number of accounts, the young generation stays small. */
const fewAccounts = 50;

/**
 * Keeps V8's young generation at its initial size of a megabyte. By default it grows to 32 MB while modules load, and
 * stays there. V8 reads this flag whenever the generation would grow.
 */
export function limitYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/** Lets the young generation grow if there are many accounts: their polls produce much garbage. */
export function sizeYoungGeneration(accounts: number): void {
  if (accounts > fewAccounts) setFlagsFromString('--semi-space-growth-factor=2');
}
