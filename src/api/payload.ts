import type * as z from 'zod';
import { formatKeyPath, type KeyPath } from '../config/values/config-error.ts';

/**
 * Removes invalid fields and reads the rest again. If a required field of a list element is invalid, removes the element. The payload is
 * undefined if nothing remains, because an empty list would look as if the API had sent no elements. Returns one issue per removed field,
 * and the number of removed list elements.
 */
export function readPayload<T>(schema: z.ZodType<T>, result: unknown) {
  const options = { error: describeMismatch };
  let parsed = schema.safeParse(result, options);
  const issues = (parsed.error?.issues ?? []).map(({ path, message }) => describeIssue(path, message));
  const rest = parsed.success ? result : structuredClone(result);
  let droppedElements = 0;
  while (!parsed.success) {
    const paths = parsed.error.issues.map((issue) =>
      issue.code === 'custom' && issue.params?.['missing'] === true ? issue.path : existingPath(rest, issue.path),
    );
    if (paths.some((path) => path.length === 0)) break;
    droppedElements += remove(rest, paths);
    if (Array.isArray(rest) && rest.length === 0) break;
    parsed = schema.safeParse(rest, options);
  }
  return { payload: parsed.data, issues, droppedElements };
}

const kinds: Record<string, string> = { array: 'a list', object: 'an object', string: 'text', number: 'a number' };

/** Replaces zod's messages, which are for developers. Does not repeat the invalid value. */
function describeMismatch({ code, input, expected }: { code: string; input?: unknown; expected?: unknown }) {
  if (code === 'invalid_union' || code === 'invalid_value') return 'has an unexpected value';
  if (code !== 'invalid_type') return undefined;
  if (input === undefined) return 'is missing';
  const kind = input === null ? 'null' : Array.isArray(input) ? 'array' : typeof input;
  return `is ${kinds[kind] ?? kind} instead of ${kinds[String(expected)] ?? String(expected)}`;
}

export function describeIssues(issues: readonly string[]): string {
  const shown = issues.slice(0, 3).join('; ');
  return issues.length > 3 ? `${shown}; and ${issues.length - 3} more` : shown;
}

function existingPath(root: unknown, path: KeyPath): KeyPath {
  return path.length === 0 || valueAt(root, path) !== undefined ? path : existingPath(root, path.slice(0, -1));
}

function valueAt(root: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    root,
  );
}

/** Sets invalid fields to undefined, so that schemas can tell them from absent ones. Removes invalid elements; returns their number. */
function remove(root: unknown, paths: readonly KeyPath[]): number {
  let removed = 0;
  const shortened = new Set<unknown[]>();
  for (const path of paths) {
    const parent = valueAt(root, path.slice(0, -1));
    if (typeof parent !== 'object' || parent === null) continue;
    Reflect.set(parent, path.at(-1) ?? '', undefined);
    if (Array.isArray(parent)) shortened.add(parent);
  }
  for (const list of shortened) {
    const kept = list.filter((element) => element !== undefined);
    removed += list.length - kept.length;
    list.length = 0;
    for (const element of kept) list.push(element);
  }
  return removed;
}

/** Formats an issue, such as `[3].size: is missing` or `the result is text instead of a list`. */
export function describeIssue(path: KeyPath, problem: string): string {
  return path.length === 0 ? `the result ${problem}` : `${formatKeyPath(path)}: ${problem}`;
}
