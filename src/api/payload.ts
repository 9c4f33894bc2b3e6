import type * as z from 'zod';

type Path = readonly PropertyKey[];

/** A result as its schema reads it. Each issue is a sentence about a field that made no sense and was left out. */
export interface ReadPayload<T> {
  readonly payload: T;
  readonly issues: readonly string[];
  /** How many elements of lists had to go. What is counted from those that are left would be too low. */
  readonly droppedElements: number;
}

/**
 * Reads a result by its schema. A field that makes no sense is taken out and the rest is read again, so that it costs
 * nothing but itself; where an element can't be without the field, the element goes. The payload is undefined where
 * nothing is left: a list that dropped its last element is not an empty one.
 */
export function readPayload<T>(schema: z.ZodType<T>, result: unknown): ReadPayload<T | undefined> {
  const first = schema.safeParse(result);
  if (first.success) return { payload: first.data, issues: [], droppedElements: 0 };
  const rest = structuredClone(result);
  const issues: string[] = [];
  let droppedElements = 0;
  let open = first.error.issues;
  while (open.length > 0) {
    for (const issue of open) {
      const isNew = open === first.error.issues || has(rest, issue.path);
      if (isNew) issues.push(`${showPath(issue.path)}: ${issue.message}`);
    }
    const paths = open.map((issue) => presentPath(rest, issue.path));
    if (paths.some((path) => path.length === 0)) return { payload: undefined, issues, droppedElements };
    droppedElements += takeOut(rest, paths);
    if (Array.isArray(rest) && rest.length === 0) return { payload: undefined, issues, droppedElements };
    const parsed = schema.safeParse(rest);
    if (parsed.success) return { payload: parsed.data, issues, droppedElements };
    open = parsed.error.issues;
  }
  return { payload: undefined, issues, droppedElements };
}

/** Issues as one sentence that stays short however many there are. */
export function describeIssues(issues: readonly string[]): string {
  const named = issues.slice(0, 3).join('; ');
  return issues.length > 3 ? `${named}; and ${issues.length - 3} more` : named;
}

/** The path, or the nearest one above it that holds something. */
function presentPath(root: unknown, path: Path): Path {
  return path.length === 0 || has(root, path) ? path : presentPath(root, path.slice(0, -1));
}

function has(root: unknown, path: Path): boolean {
  return valueAt(root, path) !== undefined;
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    root,
  );
}

/** Fields become undefined, which tells them from absent ones; elements of lists are removed, and counted. */
function takeOut(root: unknown, paths: readonly Path[]): number {
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

/** `[3].size` */
function showPath(path: Path): string {
  const shown = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return shown === '' ? 'the result' : shown.replace(/^\./, '');
}
