import type * as z from 'zod';

type Path = readonly PropertyKey[];

/** Issues that are described. A payload may have one for each of its fields. */
const maxIssues = 100;

/** A result as its schema has read it. */
export interface ReadPayload<T> {
  readonly payload: T;
  /** One sentence for each field that did not fit the schema and was left out; the first hundred. */
  readonly issues: readonly string[];
  /** Number of list elements dropped because of issues. A count of the remaining ones would be too low. */
  readonly droppedElements: number;
  /** Number of list elements removed because a later element of the list has the same key. */
  readonly duplicates: number;
}

/**
 * Reads a result by its schema. Removes fields that do not fit and reads the rest again, so that an invalid field loses
 * only itself, or its list element if the field is required. The payload is undefined if nothing remains: a list that
 * lost all its elements must not look like an empty one.
 *
 * Refuses a result with a list or object of more than `maxItems` entries before validation, which would block the event
 * loop for a minute with millions of elements.
 */
export function readPayload<T>(schema: z.ZodType<T>, result: unknown, maxItems: number): ReadPayload<T | undefined> {
  const excess = findExcess(result, maxItems);
  if (excess !== undefined) {
    const issue = describeIssue(excess.path, `has ${excess.length} entries, more than max_items (${maxItems})`);
    return { payload: undefined, issues: [issue], droppedElements: 0, duplicates: 0 };
  }
  const options = { error: describeMismatch };
  const first = schema.safeParse(result, options);
  if (first.success) return { payload: first.data, issues: [], droppedElements: 0, duplicates: 0 };
  const rest = structuredClone(result);
  const issues: string[] = [];
  let droppedElements = 0;
  let duplicates = 0;
  let open = first.error.issues;
  while (open.length > 0) {
    for (const issue of open) {
      if (issues.length === maxIssues) break;
      if (isDuplicate(issue)) continue;
      const isNew = open === first.error.issues || exists(rest, issue.path);
      if (isNew) issues.push(describeIssue(issue.path, issue.message));
    }
    const paths = open.map((issue) => existingPath(rest, issue.path));
    if (paths.some((path) => path.length === 0)) break;
    const newDuplicates = open.filter(isDuplicate).length;
    duplicates += newDuplicates;
    droppedElements += remove(rest, paths) - newDuplicates;
    if (Array.isArray(rest) && rest.length === 0) break;
    const parsed = schema.safeParse(rest, options);
    if (parsed.success) return { payload: parsed.data, issues, droppedElements, duplicates };
    open = parsed.error.issues;
  }
  return { payload: undefined, issues, droppedElements, duplicates };
}

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  string: 'text',
  number: 'a number',
};

/** Replaces messages of the library, which are for developers. Does not repeat the value. */
function describeMismatch({ code, input, expected }: { code: string; input?: unknown; expected?: unknown }) {
  if (code === 'invalid_union' || code === 'invalid_value') return 'has an unexpected value';
  if (code !== 'invalid_type') return undefined;
  if (input === undefined) return 'is missing';
  const kind = input === null ? 'null' : Array.isArray(input) ? 'array' : typeof input;
  return `is ${kinds[kind] ?? kind} instead of ${kinds[String(expected)] ?? String(expected)}`;
}

/** Whether an issue of the scalar `list` marks an element that a later one replaces. */
function isDuplicate(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.['duplicate'] === true;
}

/** Joins the first three issues and counts the others, so that the text stays short. */
export function describeIssues(issues: readonly string[]): string {
  const shown = issues.slice(0, 3).join('; ');
  const others = `${issues.length < maxIssues ? '' : 'at least '}${issues.length - 3}`;
  return issues.length > 3 ? `${shown}; and ${others} more` : shown;
}

interface Excess {
  readonly path: Path;
  readonly length: number;
}

/** Finds a list or object with more than `maxItems` entries. */
function findExcess(value: unknown, maxItems: number): Excess | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  // The length of a list first, because visiting millions of elements takes long.
  const length = Array.isArray(value) ? value.length : Object.keys(value).length;
  if (length > maxItems) return { path: [], length };
  const entries: Iterable<[PropertyKey, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, inner] of entries) {
    const excess = findExcess(inner, maxItems);
    if (excess !== undefined) return { path: [key, ...excess.path], length: excess.length };
  }
  return undefined;
}

/** The path, or its nearest ancestor that has a value. */
function existingPath(root: unknown, path: Path): Path {
  return path.length === 0 || exists(root, path) ? path : existingPath(root, path.slice(0, -1));
}

function exists(root: unknown, path: Path): boolean {
  return valueAt(root, path) !== undefined;
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    root,
  );
}

/**
 * Sets fields to undefined, which a schema can tell from absent ones, and removes list elements. Returns the number of
 * removed elements.
 */
function remove(root: unknown, paths: readonly Path[]): number {
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

/** `[3].size: is missing`, or `the result is text instead of a list`. */
function describeIssue(path: Path, problem: string): string {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return place === '' ? `the result ${problem}` : `${place.replace(/^\./, '')}: ${problem}`;
}
