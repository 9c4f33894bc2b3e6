import * as yaml from 'yaml';
import type * as z from 'zod';
import type { Problem } from '../values/config-error.ts';
import { formatKeyPath, type KeyPath } from '../values/key-path.ts';
import type { ReadFailure, TextFile } from '../values/text-file.ts';
import type { Expansion } from './expansion.ts';
import { knownPath } from './known-keys.ts';
import { syntaxProblems } from './syntax-problem.ts';

/** YAML as plain values, with the position of each value in its file. */
export interface ConfigDocument {
  /** Undefined if the file is not readable as YAML; `problems` then contains the reasons. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** A problem with the value at the path, or with its key. Empty if `problems` already contains a problem with the value. */
  problemAt(path: KeyPath, message: string, part?: 'key'): readonly Problem[];
  /** A scalar as written in the file, with unexpanded variables; undefined for an alias and for other values. */
  writtenAt(path: KeyPath): { readonly text: string; readonly isOnOneLine: boolean } | undefined;
  /** The file to which the value at the path belongs, even if the value is missing; undefined for the environment. */
  fileAt(path: KeyPath): { readonly path: string; readonly worldReadable: boolean } | undefined;
}

/** Maximum number of aliases, to prevent exponential expansion. A thousand accounts with shared settings need fewer aliases. */
const maxAliasCount = 10_000;

interface ReadOptions {
  /** Expands variables in each string value. The result is never parsed as YAML. */
  readonly expand?: Expand;
  /** With `failsafe`, every scalar is read as text, as it is written in the file. */
  readonly scalars?: 'core' | 'failsafe';
}

/** Reads YAML 1.2. Problems name only keys of the schema, because other text may be a secret in the wrong place. */
export function readDocument(
  source: string,
  content: TextFile | ReadFailure,
  schema: z.ZodType,
  { expand = (written) => ({ text: written, variables: [], problems: [] }), scalars = 'core' }: ReadOptions = {},
): ConfigDocument {
  if ('failure' in content) return brokenDocument(source, content.failure);
  const { text, worldReadable } = content;
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    schema: scalars,
    lineCounter: lines,
    prettyErrors: false,
    resolveKnownTags: false,
    stringKeys: true,
    logLevel: 'error',
  });
  const problemFor: ProblemFor = (offset, message, path = []) => {
    const { line, col } = lines.linePos(offset);
    return {
      source,
      place: { line: Math.max(line, 1), column: Math.max(col, 1) },
      key: formatKeyPath(knownPath(schema, path)),
      message,
    };
  };
  const problems = syntaxProblems(document, text, lines).map(({ offset, message }) => problemFor(offset, message));
  const value = problems.length === 0 ? readValue(document, expand, problemFor, problems) : undefined;
  return {
    value,
    problems,
    problemAt: (path, message, part) => {
      if (part !== 'key' && (value === undefined || isUnreadable(value, path))) return [];
      const keyOffset = part === 'key' ? keyOffsetAt(document, path) : undefined;
      return [problemFor(keyOffset ?? offsetAt(document, path), message, path)];
    },
    writtenAt: (path) => {
      const node = document.getIn(path, true);
      if (!yaml.isScalar(node) || node.source === undefined) return undefined;
      const [start = 0, end = 0] = node.range ?? [];
      return { text: node.source, isOnOneLine: !/[\r\n]/.test(text.slice(start, end)) };
    },
    fileAt: () => ({ path: source, worldReadable }),
  };
}

export function brokenDocument(path: string, message: string): ConfigDocument {
  return {
    value: undefined,
    problems: [{ source: path, message }],
    problemAt: () => [],
    writtenAt: () => undefined,
    fileAt: () => ({ path, worldReadable: false }),
  };
}

/** Formats a value in YAML's flow style, on one line. */
export function formatValue(value: unknown): string {
  return yaml.stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
}

type Expand = (text: string) => Expansion;
type ProblemFor = (offset: number, message: string, path?: KeyPath) => Problem;

/** Replaces a value that already has a problem, so that no second problem is reported for it. */
const unreadable = Symbol('unreadable');

/** Converts a document to plain values and expands variables. Adds problems to `problems`. */
function readValue(document: yaml.Document, expand: Expand, problemFor: ProblemFor, problems: Problem[]): unknown {
  const anchors = new Map<string, yaml.Node>();
  const report = (node: yaml.Node, ancestors: Ancestors, message: string) =>
    problems.push(problemFor(offsetOf(node), message, pathOf([...ancestors, node])));
  yaml.visit(document, {
    Collection: (_, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
    Pair: (_, { key, value }, ancestors) => {
      if (!yaml.isScalar(key)) return undefined;
      if (key.value === '<<' && key.type === 'PLAIN') {
        report(key, ancestors, mergeKeyMessage);
        return yaml.visit.REMOVE;
      }
      if (value !== null) return undefined;
      // In `{password: a, b}`, the text b is part of the password. The message must not repeat b.
      report(key, ancestors, 'contains a word without a value; quote text that contains a comma');
      return yaml.visit.REMOVE;
    },
    Alias: (_, alias, ancestors) => {
      const target = anchors.get(alias.source);
      if (target !== undefined && !ancestors.includes(target)) return undefined;
      report(alias, ancestors, target === undefined ? missingAnchor : recursiveAlias);
      const scalar = new yaml.Scalar<unknown>(unreadable);
      scalar.range = alias.range ?? null;
      return scalar;
    },
    Scalar: (role, scalar, ancestors) => {
      if (scalar.anchor !== undefined) anchors.set(scalar.anchor, scalar);
      if (role === 'key' || typeof scalar.value !== 'string') return;
      const expansion = expand(scalar.value);
      for (const message of expansion.problems) report(scalar, ancestors, message);
      scalar.value = expansion.problems.length === 0 ? expansion.text : unreadable;
    },
  });
  try {
    return document.toJS({ maxAliasCount });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    problems.push(problemFor(0, 'contains aliases that repeat too many values; use fewer aliases'));
    return undefined;
  }
}

const missingAnchor = 'is an alias without an anchor before it; quote the value if it is text';
const recursiveAlias = 'is an alias of a value that contains it; write out the value';
const mergeKeyMessage = 'contains a merge key (<<), which is not supported; write out the keys, or use an alias';

type Ancestors = readonly (yaml.Document | yaml.Node | yaml.Pair)[];

function isUnreadable(value: unknown, path: KeyPath): boolean {
  if (value === unreadable) return true;
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) return false;
  return isUnreadable(Reflect.get(value, key), rest);
}

/** The key path of the last node. `nodes`: from the outermost to the innermost node. */
function pathOf(nodes: readonly unknown[]): KeyPath {
  return nodes.flatMap((node, depth): KeyPath => {
    if (yaml.isPair(node) && yaml.isScalar(node.key)) return [String(node.key.value)];
    return yaml.isSeq(node) && depth + 1 < nodes.length ? [node.items.indexOf(nodes[depth + 1])] : [];
  });
}

/** The offset of the value at a path; for a missing value, the offset of the nearest value around it. */
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
