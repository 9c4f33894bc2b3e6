import type { AccountState } from './records.ts';

/** `method` as section/method. */
export function isMethodPermitted(state: AccountState, method: string): boolean {
  return !state.forbidden.has(method) && !state.forbidden.has(sectionOf(method));
}

/** The provider knows one box per section: a section is refused as soon as any method of it is. */
export function isSectionPermitted(state: AccountState, method: string): boolean {
  const section = sectionOf(method);
  return ![...state.forbidden].some((entry) => entry === section || entry.startsWith(`${section}/`));
}

function sectionOf(method: string): string {
  return method.split('/')[0] ?? method;
}
