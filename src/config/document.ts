import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  stringify,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import type { Problem } from './config-error.ts';
import type { Expansion } from './expansion.ts';
import { formatKeyPath, type KeyPath } from './key-path.ts';

/** A YAML file as plain values, which still knows where each of them is written. */
export interface ConfigDocument {
  /** Undefined where the file can't be made sense of at all. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /**
   * A problem with what is at the path, or with the nearest thing round it where there is nothing. Undefined where
   * `problems` has one with the same thing already.
   */
  problemAt(path: KeyPath, message: string): Problem | undefined;
  /** A problem with a key itself, or with its being there. */
  problemAtKey(path: KeyPath, message: string): Problem | undefined;
  /** The text of a scalar as it is written, its variables unexpanded; undefined for all else and for an alias. */
  writtenAt(path: KeyPath): string | undefined;
}

interface Entry {
  readonly keyOffset: number | undefined;
  readonly offset: number;
  readonly written: string | undefined;
}

/** Tells a problem, and gives what stands for the value. */
type Complain = (message: string) => unknown;

const deepest = 20;
const mostAliasedNodes = 100_000;

/** Reads a YAML 1.2 file. `expand` is applied to each string value; its result is never read as YAML again. */
export function readDocument(source: string, text: string, expand: (text: string) => Expansion): ConfigDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    resolveKnownTags: false,
    merge: false,
    logLevel: 'error',
  });
  const entries = new Map<string, Entry>();
  const anchors = new Map<string, Node>();
  const ancestors = new Set<Node>();
  const problems: Problem[] = independentErrors([...document.errors, ...document.warnings], lines).map((error) => ({
    source,
    place: placeOf(error.pos[0]),
    message: syntaxComplaint(error, text),
  }));
  let aliasedNodes = 0;
  let hopeless = problems.length > 0;

  function placeOf(offset: number): { line: number; column: number } {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }

  function problem(offset: number, path: KeyPath, message: string): Problem {
    return { source, place: placeOf(offset), key: formatKeyPath(path), message };
  }

  /** The plain value of a node. `aliasOffset` is set within an alias: that is where the reader of a message looks. */
  function read(node: unknown, path: KeyPath, keyOffset: number | undefined, aliasOffset?: number): unknown {
    const offset = aliasOffset ?? offsetOf(node) ?? keyOffset ?? 0;
    const complain = (message: string) => {
      problems.push(problem(offset, path, message));
      return unreadable;
    };
    const giveUp = (message: string) => {
      hopeless = true;
      return complain(message);
    };
    const written = isScalar(node) && aliasOffset === undefined ? (node.source ?? '') : undefined;
    entries.set(formatKeyPath(path), { keyOffset, offset, written });
    if (hopeless) return unreadable;
    if (path.length > deepest) return giveUp('is nested too deeply; nothing in this file goes so deep');
    if (aliasOffset !== undefined) {
      aliasedNodes += 1;
      if (aliasedNodes > mostAliasedNodes) return giveUp('repeats too much by aliases; write fewer of them');
    }
    if (isAlias(node)) return readAlias(node.source, path, keyOffset, offset, complain);
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null;
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isScalar(node)) return readScalar(node.value, complain);
    if (ancestors.has(node)) return complain('is an alias of something that it is part of; write it out');
    ancestors.add(node);
    const value = isMap(node)
      ? readMap(node, path, aliasOffset)
      : node.items.map((item, index) => read(item, [...path, index], undefined, aliasOffset));
    ancestors.delete(node);
    return value;
  }

  function readAlias(
    name: string,
    path: KeyPath,
    keyOffset: number | undefined,
    offset: number,
    complain: Complain,
  ): unknown {
    const target = anchors.get(name);
    if (target === undefined) return complain('is an alias without an anchor before it; quote the value if it is text');
    return read(target, path, keyOffset, offset);
  }

  function readScalar(value: unknown, complain: Complain): unknown {
    if (typeof value !== 'string') return value;
    const expansion = expand(value);
    return expansion.problems.length === 0 ? expansion.text : expansion.problems.map(complain)[0];
  }

  function readMap(map: YAMLMap, path: KeyPath, aliasOffset: number | undefined): Record<string, unknown> {
    const pairs = new Map<string, unknown>();
    for (const { key, value } of map.items) {
      const offset = aliasOffset ?? offsetOf(key) ?? offsetOf(map) ?? 0;
      if (!isScalar(key) || typeof key.value !== 'string') {
        problems.push(problem(offset, path, 'has a key that is not plain text; quote it'));
      } else if (pairs.has(key.value)) {
        const message = 'is there a second time; keep one of the two';
        problems.push(problem(offset, [...path, key.value], message));
      } else if (value === null && map.flow === true) {
        // Of `{password: a, b}` the b belongs to the password, so it is not repeated.
        problems.push(problem(offset, path, 'has a word without a value; quote texts that hold a comma'));
      } else {
        pairs.set(key.value, read(value, [...path, key.value], offset, aliasOffset));
      }
    }
    return Object.fromEntries(pairs);
  }

  function entryAt(path: KeyPath): Entry | undefined {
    for (let length = path.length; length >= 0; length -= 1) {
      const entry = entries.get(formatKeyPath(path.slice(0, length)));
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  const value = read(document.contents, [], undefined);
  return {
    value: hopeless ? undefined : value,
    problems,
    problemAt: (path, message) => {
      const created = problem(entryAt(path)?.offset ?? 0, path, message);
      return problems.some(({ key }) => key === created.key) ? undefined : created;
    },
    problemAtKey: (path, message) => {
      const entry = entryAt(path);
      return problem(entry?.keyOffset ?? entry?.offset ?? 0, path, message);
    },
    writtenAt: (path) => entries.get(formatKeyPath(path))?.written,
  };
}

/** A value as one writes it in one line of YAML. */
export function formatValue(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
}

/** Stands for a value that was already complained of, so that it is not complained of again. */
const unreadable = Symbol('unreadable');

function offsetOf(node: unknown): number | undefined {
  return isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range?.[0] : undefined;
}

type SyntaxErrorCode = YAMLError['code'];

/** In our own words: the library's texts repeat parts of the file, which may be part of a password. */
const syntaxComplaints: Readonly<Record<SyntaxErrorCode, string>> = {
  ALIAS_PROPS: 'an alias can have neither anchor nor tag; remove it, or quote the value if it is text',
  BAD_ALIAS: 'this is no alias; quote the value if it is text',
  BAD_COLLECTION_TYPE: 'this tag is of no use here; remove it, or quote the value if it is text',
  BAD_DIRECTIVE: 'a line that begins with % is a directive, and this one is unknown; remove it',
  BAD_DQ_ESCAPE: 'unknown escape after \\ in double quotes; write \\\\ for one \\, or use single quotes',
  BAD_INDENT: 'wrong indentation, or a bracket that is not closed; line it up with its neighbours, with spaces',
  BAD_PROP_ORDER: 'anchor and tag stand in the wrong place; quote the value if it is text',
  BAD_SCALAR_START: 'a text can not begin with this character; put the text in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a second ": " in one value; put the value in quotes, or correct the indentation of the next line',
  BLOCK_IN_FLOW: 'a block can not stand within { } or [ ]; write it in one line, or without the brackets',
  DUPLICATE_KEY: 'this key is there a second time; keep one of the two',
  IMPOSSIBLE: 'this is not YAML; see the lines above it',
  KEY_OVER_1024_CHARS: 'a key without an end; add the ":" or quote that is missing before',
  MISSING_CHAR: 'a quote, bracket, comma or ":" is missing here or before; add it, or correct the indentation',
  MULTILINE_IMPLICIT_KEY:
    'a key that goes on in the next line; correct its indentation, or add the ":" or quote that is missing',
  MULTIPLE_ANCHORS: 'two anchors on one value; keep one, or quote the value if it is text',
  MULTIPLE_DOCS: 'a second document begins here; the file must be one, so remove the line --- or ...',
  MULTIPLE_TAGS: 'two tags on one value; keep one, or quote the value if it is text',
  NON_STRING_KEY: 'a key must be plain text; quote it',
  RESOURCE_EXHAUSTION: 'nested too deeply; nothing in this file goes so deep',
  TAB_AS_INDENT: 'a tab as indentation; use spaces',
  TAG_RESOLVE_FAILED: 'unknown tag after !; quote the value if it is text',
  UNEXPECTED_TOKEN: 'this does not belong here; check indentation, quotes and brackets of this line and the one before',
};

function syntaxComplaint({ code, pos: [offset] }: YAMLError, text: string): string {
  if (text[offset] === '\t') return syntaxComplaints.TAB_AS_INDENT;
  if (text.slice(offset - 1, offset + 1) === variableStart) return `within { } or [ ], put "\${NAME}" in quotes`;
  return syntaxComplaints[code] ?? syntaxComplaints.IMPOSSIBLE;
}

const variableStart = `\${`;

/** Those that are not mere consequences of the ones before: the first of a line, and none after the place is lost. */
function independentErrors(errors: readonly YAMLError[], lines: LineCounter): readonly YAMLError[] {
  const firsts = new Map<number, YAMLError>();
  for (const error of errors.toSorted((one, other) => one.pos[0] - other.pos[0])) {
    const { line } = lines.linePos(error.pos[0]);
    if (!firsts.has(line)) firsts.set(line, error);
    if (error.code === 'UNEXPECTED_TOKEN') break;
  }
  return [...firsts.values()];
}
