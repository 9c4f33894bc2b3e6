import type { Dialect } from '../dialect.ts';
import { methodsOf } from '../methods/list.ts';
import type { AccountRecord } from './records.ts';

/** Whether the API password may use a method (section/method). Other credentials may use every method. */
export function isPermitted(state: AccountRecord, dialect: Dialect, method: string): boolean {
  return !state.forbidden.has(dialect === 'provider' ? sectionOf(method) : method);
}

/** Forbids a method or a section for the API password. Throws an Error if the dialect does not have the method or section. */
export function forbid(state: AccountRecord, dialect: Dialect, methodOrSection: string): void {
  for (const unit of unitsOf(dialect, methodOrSection)) state.forbidden.add(unit);
}

/** Permits a method or a section again. Throws an Error if the dialect does not have the method or section. */
export function permit(state: AccountRecord, dialect: Dialect, methodOrSection: string): void {
  for (const unit of unitsOf(dialect, methodOrSection)) state.forbidden.delete(unit);
}

/** The permissions for a method or section. The provider has one permission per section; the specification has one per method. */
function unitsOf(dialect: Dialect, methodOrSection: string): readonly string[] {
  const methods = [...methodsOf(dialect).keys()].filter(
    (method) => method === methodOrSection || sectionOf(method) === methodOrSection,
  );
  if (methods.length === 0) {
    throw new Error(`The ${dialect}'s dialect has no method or section ${methodOrSection}`);
  }
  return dialect === 'provider' ? [sectionOf(methodOrSection)] : methods;
}

function sectionOf(method: string): string {
  return method.split('/', 1)[0] ?? method;
}
