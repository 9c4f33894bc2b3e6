import * as yaml from 'yaml';
import * as z from 'zod';
import { formatKeyPath, type KeyPath, type Problem } from '../values/config-error.ts';
import type { ReadFailure, TextFile } from '../values/text-file.ts';
import type { expand } from './environment.ts';
import { knownPath } from './schema-problem.ts';

/** A YAML file as plain values, with the position of each value in the file. Also used for environment variables. */
export interface ConfigDocument {
  /** Path of the file; undefined for the environment. */
  readonly path: string | undefined;
  readonly worldReadable: boolean;
  /** Undefined if the file is not readable as YAML; `problems` then contains the reasons. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** Returns a problem that has the position of the value or, with `part`, of its key. Returns none if `problems` already has one here. */
  problemAt(path: KeyPath, message: string, part?: 'key'): readonly Problem[];
  /** The text of a scalar as written on one line, before variables are expanded; undefined for an alias and for other values. */
  writtenAt(path: KeyPath): string | undefined;
  /** Why YAML cuts an unquoted value: it reads a part of the line as a comment or as an unused anchor. Undefined if nothing is cut. */
  cutAt(path: KeyPath): string | undefined;
}

export type RawMapping = Readonly<Record<string, unknown>>;

/** Whether a YAML value is a mapping. The keys of the mapping need not be valid. */
export function isMapping(value: unknown): value is RawMapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const notMapping = { error: 'is not a mapping; write lines of "key: value"' };

/** The schema of a mapping. All keys are optional. */
export function mapping<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, notMapping).partial();
}

/** Expands variables in a string value. The result is never parsed as YAML. */
type Expand = (text: string) => ReturnType<typeof expand>;

/** Reads YAML 1.2. With `failsafe`, each scalar is text. Problems do not name unknown keys, because these may be misplaced secrets. */
export function readDocument(
  path: string,
  content: TextFile | ReadFailure,
  schema: z.ZodType,
  { expand, scalars = 'core' }: { readonly expand?: Expand; readonly scalars?: 'core' | 'failsafe' } = {},
): ConfigDocument {
  if ('failure' in content) return brokenDocument(path, content.failure);
  const { text, worldReadable } = content;
  const lineCounter = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    schema: scalars,
    resolveKnownTags: false,
    stringKeys: true,
  });
  const problemFor = (offset: number, message: string, keys: KeyPath = []): Problem => {
    const { line, col } = lineCounter.linePos(offset);
    const place = { line: Math.max(line, 1), column: Math.max(col, 1) };
    return { source: path, place, key: formatKeyPath(knownPath(schema, keys)), message };
  };
  const problems = syntaxErrors(document, lineCounter).map((error) => problemFor(error.pos[0], adviceFor(error, text)));
  /** The paths of the values that are replaced by null, because they have a problem. */
  const replaced = new Set<string>();
  let value: unknown;
  if (problems.length === 0) {
    replaceValues(document, expand, (node, keys, message) => {
      replaced.add(formatKeyPath(keys));
      problems.push(problemFor(offsetOf(node), message, keys));
    });
    try {
      value = document.toJS({ maxAliasCount: 10_000 });
    } catch {
      problems.push(problemFor(0, 'contains aliases that repeat too many values; use fewer aliases'));
    }
  }
  return {
    path,
    worldReadable,
    value,
    problems,
    problemAt: (keys, message, part) => {
      if (part === 'key') return [problemFor(keyOffsetAt(document, keys) ?? offsetAt(document, keys), message, keys)];
      const isReported = keys.some((_, index) => replaced.has(formatKeyPath(keys.slice(0, index + 1))));
      return isReported || value === undefined ? [] : [problemFor(offsetAt(document, keys), message, keys)];
    },
    writtenAt: (keys) => {
      const node = document.getIn(keys, true);
      if (!yaml.isScalar(node)) return undefined;
      const [start = 0, end = 0] = node.range ?? [];
      return /[\r\n]/.test(text.slice(start, end)) ? undefined : node.source;
    },
    cutAt: (keys) => {
      const node = document.getIn(keys, true);
      if (!yaml.isScalar(node) || node.type !== 'PLAIN' || !node.range) return undefined;
      if (/^[ \t]+#/.test(text.slice(node.range[1]))) return 'ends before " #", which starts a comment';
      const isUsed = node.anchor === undefined || text.includes(`*${node.anchor}`);
      return isUsed ? undefined : 'starts with &, which names an unused anchor';
    },
  };
}

export function brokenDocument(path: string, message: string): ConfigDocument {
  const problems = [{ source: path, message }];
  const nothing = () => undefined;
  const state = { path, worldReadable: false, value: undefined, problems };
  return { ...state, problemAt: () => [], writtenAt: nothing, cutAt: nothing };
}

export function formatValue(value: unknown): string {
  return yaml.stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
}

/** Expands variables. If a value has a problem, replaces it by null, so that no second problem is reported for the value. */
function replaceValues(
  document: yaml.Document,
  expand: Expand | undefined,
  report: (node: yaml.Node, path: KeyPath, message: string) => void,
): void {
  const anchors = new Map<string, yaml.Node>();
  yaml.visit(document, (role, node, ancestors) => {
    const reportAt = (place: yaml.Node, message: string) => report(place, pathOf([...ancestors, node]), message);
    if (yaml.isNode(node) && 'anchor' in node && node.anchor !== undefined) anchors.set(node.anchor, node);
    if (yaml.isPair(node) && yaml.isScalar(node.key)) {
      const { key, value } = node;
      if (key.value === '<<' && key.type === 'PLAIN')
        reportAt(key, 'contains a merge key (<<), which is not supported; write out the keys, or use an alias');
      // In `{password: a, b}`, the word b is part of the password, so the message must not repeat it.
      else if (value === null) reportAt(key, 'contains a word without a value; quote text that contains a comma');
      else return undefined;
      return yaml.visit.REMOVE;
    }
    if (yaml.isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined && !ancestors.includes(target)) return undefined;
      reportAt(node, 'is an alias without an anchor before it; quote the value if it is text');
      return Object.assign(new yaml.Scalar(null), { range: node.range ?? null });
    }
    if (role === 'key' || !yaml.isScalar(node) || typeof node.value !== 'string' || expand === undefined) return;
    const { text, problems } = expand(node.value);
    for (const message of problems) reportAt(node, message);
    node.value = problems.length === 0 ? text : null;
    return undefined;
  });
}

/** The key path of the last node. `nodes`: from the outermost to the innermost node. */
function pathOf(nodes: readonly unknown[]): KeyPath {
  return nodes.flatMap((node, depth): KeyPath => {
    if (yaml.isPair(node) && yaml.isScalar(node.key)) return [String(node.key.value)];
    return yaml.isSeq(node) && depth + 1 < nodes.length ? [node.items.indexOf(nodes[depth + 1])] : [];
  });
}

/** The offset of the value at a path. If the value is missing, the offset of the innermost value that would contain it. */
function offsetAt(document: yaml.Document, path: KeyPath): number {
  const node = document.getIn(path, true);
  return node === undefined && path.length > 0 ? offsetAt(document, path.slice(0, -1)) : offsetOf(node);
}

function keyOffsetAt(document: yaml.Document, path: KeyPath): number | undefined {
  const parent = document.getIn(path.slice(0, -1), true);
  const key =
    yaml.isMap(parent) && parent.items.find((pair) => yaml.isScalar(pair.key) && pair.key.value === path.at(-1))?.key;
  return yaml.isScalar(key) ? offsetOf(key) : undefined;
}

function offsetOf(node: unknown): number {
  return (yaml.isNode(node) && node.range?.[0]) || 0;
}

/** Advice for common mistakes. The parser's own messages are not shown, because they quote the file, which may contain a password. */
const advice: Readonly<Partial<Record<yaml.ErrorCode, string>>> = {
  BAD_DQ_ESCAPE: 'unknown escape after \\ in double quotes; write \\\\ for one \\, or use single quotes',
  BAD_INDENT: 'wrong indentation, or an unclosed bracket; indent with spaces, like the neighboring lines',
  BAD_SCALAR_START: 'plain text cannot start with this character; quote the text',
  BLOCK_AS_IMPLICIT_KEY: 'a second ": " in one value; quote the value, or correct the indentation of the next line',
  DUPLICATE_KEY: 'duplicate key; keep one of them',
  MISSING_CHAR: 'a quote, bracket, comma or ":" is missing here or before; add it, or correct the indentation',
  MULTILINE_IMPLICIT_KEY:
    'a key that continues on the next line; correct its indentation, or add the missing ":" or quote',
  MULTIPLE_DOCS: 'a second document starts here; a file contains one document, so remove the line --- or ...',
  NON_STRING_KEY: 'a key must be plain text; quote it',
  TAB_AS_INDENT: 'a tab as indentation; use spaces',
  TAG_RESOLVE_FAILED: 'unknown tag after !; quote the value if it is text',
};

function adviceFor({ code, pos: [offset] }: yaml.YAMLError, text: string): string {
  if (text[offset] === '\t') return 'a tab as indentation; use spaces';
  if (text.slice(offset - 1, offset + 1) === '$' + '{') return `inside { } or [ ], write "\${NAME}" with quotes`;
  return advice[code] ?? 'invalid YAML; check indentation, quotes and brackets of this line and the previous line';
}

/** The parser's first error or warning on each line. Stops after an error that `advice` does not list: it often causes the next errors. */
function syntaxErrors({ errors, warnings }: yaml.Document, lines: yaml.LineCounter): readonly yaml.YAMLError[] {
  const sorted = [...errors, ...warnings].toSorted((one, other) => one.pos[0] - other.pos[0]);
  const end = sorted.findIndex(({ code }) => advice[code] === undefined) + 1;
  const byLine = Map.groupBy(sorted.slice(0, end || undefined), ({ pos }) => lines.linePos(pos[0]).line);
  return [...byLine.values()].flatMap(([first]) => first ?? []);
}
