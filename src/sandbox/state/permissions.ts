import type { AccountState } from './records.ts';

/** Checks one method, as in the specification. `method` is section/method. */
export function isMethodPermitted(state: AccountState, method: string): boolean {
  return !state.forbidden.has(method) && !state.forbidden.has(sectionOf(method));
}

/** Checks the whole section, as at the provider: one denied method denies its section. */
export function isSectionPermitted(state: AccountState, method: string): boolean {
  const section = sectionOf(method);
  return ![...state.forbidden].some((entry) => entry === section || entry.startsWith(`${section}/`));
}

function sectionOf(method: string): string {
  return method.split('/')[0] ?? method;
}
