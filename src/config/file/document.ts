import * as yaml from 'yaml';
import type * as z from 'zod';
import { TimeSlice } from '../../runtime/time-slice.ts';
import type { Problem } from '../values/config-error.ts';
import { formatKeyPath, type KeyPath } from '../values/key-path.ts';
import type { ReadFailure, TextFile } from '../values/text-file.ts';
import type { Expansion } from './expansion.ts';
import { knownPath } from './known-keys.ts';

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
  /** The result of `splitInSlices` for the text. If undefined, the text is split in one step. */
  readonly tokens?: Iterable<yaml.CST.Token> | undefined;
}

/** Splits YAML into tokens, with pauses, because the text of a thousand accounts takes 50 ms. */
export async function splitInSlices(text: string): Promise<readonly yaml.CST.Token[]> {
  const parser = new yaml.Parser();
  const slice = new TimeSlice();
  const tokens: yaml.CST.Token[] = [];
  for (const lexeme of new yaml.Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    await slice.pause();
  }
  return [...tokens, ...parser.end()];
}

/** Reads YAML 1.2. Problems name only keys of the schema, because other text may be a secret in the wrong place. */
export function readDocument(
  source: string,
  content: TextFile | ReadFailure,
  schema: z.ZodType,
  {
    expand = (written) => ({ text: written, variables: [], problems: [] }),
    scalars = 'core',
    tokens,
  }: ReadOptions = {},
): ConfigDocument {
  if ('failure' in content) return brokenDocument(source, content.failure);
  const { text, worldReadable } = content;
  const composer = new yaml.Composer({ schema: scalars, resolveKnownTags: false, stringKeys: true, logLevel: 'error' });
  const documents = composer.compose(tokens ?? new yaml.Parser().parse(text), true, text.length);
  const [document = new yaml.Document(), second] = documents;
  if (second !== undefined) document.errors.push(new yaml.YAMLParseError([second.range[0], 0], 'MULTIPLE_DOCS', ''));
  const lines = new yaml.LineCounter();
  lines.addNewLine(0);
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1);
  const problemFor: ProblemFor = (offset, message, path = []) => {
    const { line, col } = lines.linePos(offset);
    return {
      source,
      place: { line: Math.max(line, 1), column: Math.max(col, 1) },
      key: formatKeyPath(knownPath(schema, path)),
      message,
    };
  };
  // The parser's warnings, such as unknown tags, count as errors.
  const errors = independent([...document.errors, ...document.warnings], lines);
  const problems = errors.map((error) => problemFor(error.pos[0], messageFor(error, text)));
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
  const report = (node: yaml.Node, ancestors: readonly unknown[], message: string) =>
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

/** The exporter's own messages, because the parser's messages quote the file, which may contain a password. */
const messages: Readonly<Record<yaml.YAMLError['code'], string>> = {
  ALIAS_PROPS: 'an alias cannot have an anchor or a tag; remove it, or quote the value if it is text',
  BAD_ALIAS: 'invalid alias; quote the value if it is text',
  BAD_COLLECTION_TYPE: 'this tag does not fit the value; remove it, or quote the value if it is text',
  BAD_DIRECTIVE: 'unknown directive; remove the line that starts with %',
  BAD_DQ_ESCAPE: 'unknown escape after \\ in double quotes; write \\\\ for one \\, or use single quotes',
  BAD_INDENT: 'wrong indentation, or an unclosed bracket; indent with spaces, like the neighboring lines',
  BAD_PROP_ORDER: 'anchor or tag in the wrong place; quote the value if it is text',
  BAD_SCALAR_START: 'plain text cannot start with this character; quote the text',
  BLOCK_AS_IMPLICIT_KEY: 'a second ": " in one value; quote the value, or correct the indentation of the next line',
  BLOCK_IN_FLOW: 'a block is not allowed inside { } or [ ]; write it on one line, or without the brackets',
  DUPLICATE_KEY: 'duplicate key; keep one of them',
  IMPOSSIBLE: 'invalid YAML; check the lines above',
  KEY_OVER_1024_CHARS: 'a key without an end; add the missing ":" or quote before it',
  MISSING_CHAR: 'a quote, bracket, comma or ":" is missing here or before; add it, or correct the indentation',
  MULTILINE_IMPLICIT_KEY:
    'a key that continues on the next line; correct its indentation, or add the missing ":" or quote',
  MULTIPLE_ANCHORS: 'two anchors on one value; keep one, or quote the value if it is text',
  MULTIPLE_DOCS: 'a second document starts here; a file contains one document, so remove the line --- or ...',
  MULTIPLE_TAGS: 'two tags on one value; keep one, or quote the value if it is text',
  NON_STRING_KEY: 'a key must be plain text; quote it',
  RESOURCE_EXHAUSTION: 'nested too deeply; no setting is nested that deeply',
  TAB_AS_INDENT: 'a tab as indentation; use spaces',
  TAG_RESOLVE_FAILED: 'unknown tag after !; quote the value if it is text',
  UNEXPECTED_TOKEN: 'unexpected text; check indentation, quotes and brackets of this line and the previous line',
};

function messageFor({ code, pos: [offset] }: yaml.YAMLError, text: string): string {
  if (text[offset] === '\t') return messages.TAB_AS_INDENT;
  if (text.slice(offset - 1, offset + 1) === '$' + '{') return `inside { } or [ ], write "\${NAME}" with quotes`;
  return messages[code] ?? messages.IMPOSSIBLE;
}

/** The first error of each line. Omits errors after an unexpected token, because the token causes them. */
function independent(errors: readonly yaml.YAMLError[], lines: yaml.LineCounter): readonly yaml.YAMLError[] {
  const sorted = errors.toSorted((one, other) => one.pos[0] - other.pos[0]);
  const unexpected = sorted.findIndex(({ code }) => code === 'UNEXPECTED_TOKEN');
  const independent = unexpected === -1 ? sorted : sorted.slice(0, unexpected + 1);
  const byLine = Map.groupBy(independent, ({ pos }) => lines.linePos(pos[0]).line);
  return [...byLine.values()].flatMap(([first]) => first ?? []);
}
