import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import type { Problem } from './config-error.ts';
import type { Expansion } from './expansion.ts';
import { formatKeyPath, type KeyPath } from './key-path.ts';

/** A YAML file as plain values, which still knows where each of them is written. */
export interface ConfigDocument {
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
  const problems: Problem[] = [...document.errors, ...document.warnings].map((error) => ({
    source,
    place: placeOf(error.pos[0]),
    message: syntaxComplaint(error, text),
  }));
  let aliasedNodes = 0;

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
    const complain = (message: string) => void problems.push(problem(offset, path, message));
    const written = isScalar(node) && aliasOffset === undefined ? (node.source ?? '') : undefined;
    entries.set(formatKeyPath(path), { keyOffset, offset, written });
    if (path.length > deepest) return complain('is nested too deeply; nothing in this file goes so deep');
    if (aliasOffset !== undefined) {
      aliasedNodes += 1;
      if (aliasedNodes === mostAliasedNodes) complain('repeats too much by aliases; write fewer of them');
      if (aliasedNodes >= mostAliasedNodes) return unreadable;
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
    complain: (message: string) => void,
  ): unknown {
    const target = anchors.get(name);
    if (target === undefined) return complain('is an alias without an anchor before it; quote the value if it is text');
    return read(target, path, keyOffset, offset);
  }

  function readScalar(value: unknown, complain: (message: string) => void): unknown {
    if (typeof value !== 'string') return value;
    const expansion = expand(value);
    for (const message of expansion.problems) complain(message);
    return expansion.problems.length === 0 ? expansion.text : unreadable;
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

  const value = problems.length === 0 ? read(document.contents, [], undefined) : undefined;
  return {
    value,
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
  BLOCK_AS_IMPLICIT_KEY: 'a second ": " in one line; put the value in quotes',
  BLOCK_IN_FLOW: 'a block can not stand within { } or [ ]; write it in one line, or without the brackets',
  DUPLICATE_KEY: 'this key is there a second time; keep one of the two',
  IMPOSSIBLE: 'this is not YAML; see the lines above it',
  KEY_OVER_1024_CHARS: 'a key without an end; is a ":" or a quote missing before?',
  MISSING_CHAR: 'a character is missing: a quote, bracket, comma or ":" that should be here',
  MULTILINE_IMPLICIT_KEY: 'a key must be on one line; is a ":" or a quote missing?',
  MULTIPLE_ANCHORS: 'two anchors on one value; keep one, or quote the value if it is text',
  MULTIPLE_DOCS: 'a second document begins here; the file must be one, so remove the line --- or ...',
  MULTIPLE_TAGS: 'two tags on one value; keep one, or quote the value if it is text',
  NON_STRING_KEY: 'a key must be plain text; quote it',
  RESOURCE_EXHAUSTION: 'nested too deeply; nothing in this file goes so deep',
  TAB_AS_INDENT: 'a tab as indentation; use spaces',
  TAG_RESOLVE_FAILED: 'unknown tag after !; quote the value if it is text',
  UNEXPECTED_TOKEN: 'this does not belong here; check indentation, quotes and brackets of this line and the one before',
};

function syntaxComplaint({ code, pos }: YAMLError, text: string): string {
  const tab = text[pos[0]] === '\t' ? syntaxComplaints.TAB_AS_INDENT : undefined;
  return tab ?? syntaxComplaints[code] ?? syntaxComplaints.IMPOSSIBLE;
}
