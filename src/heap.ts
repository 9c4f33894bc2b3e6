import { setFlagsFromString } from 'node:v8';

/** Up to this number of accounts, the young generation stays small. */
const fewAccounts = 50;

/**
 * Makes V8 collect garbage earlier, before modules load. By default, the young generation grows to 32 MB while they do,
 * and stays there: here it stays at a megabyte. The old generation may grow by half of what is in use before the next
 * collection, not fourfold. V8 reads these flags whenever a generation would grow.
 */
export function limitHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
}

/** Lets the young generation grow if there are many accounts: their polls produce much garbage. */
export function sizeYoungGeneration(accounts: number): void {
  if (accounts > fewAccounts) setFlagsFromString('--semi-space-growth-factor=2');
}
