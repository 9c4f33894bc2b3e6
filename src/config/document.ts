import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Problem } from './config-error.ts';
import type { Expansion } from './expansion.ts';
import { formatKeyPath, type KeyPath } from './key-path.ts';
import { syntaxProblems } from './syntax-problem.ts';

/** YAML as plain values, which still knows where each of them is written. */
export interface ConfigDocument {
  /** Undefined where the file can't be made sense of at all; `problems` says why. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /**
   * The one problem with what is at the path, or with the nearest thing round it where there is nothing. None where
   * `problems` has one with the same thing already.
   */
  problemAt(path: KeyPath, message: string): readonly Problem[];
  /** The one problem with a key itself, or with its being there. */
  problemAtKey(path: KeyPath, message: string): readonly Problem[];
  /** The text of a scalar as it is written, its variables unexpanded; undefined for all else and for an alias. */
  writtenAt(path: KeyPath): string | undefined;
  /** The file in which the path is, or would be; undefined for the environment. */
  fileAt(path: KeyPath): SourceFile | undefined;
}

/** A file of the configuration. */
export interface SourceFile {
  readonly path: string;
  readonly worldReadable: boolean;
}

interface Entry {
  readonly keyOffset: number | undefined;
  readonly offset: number;
  readonly written: string | undefined;
}

const deepest = 20;
const mostAliasedNodes = 100_000;

/** Reads the text of a YAML 1.2 file. `expand` is applied to each string value; its result is never read as YAML again. */
export function readDocument(file: SourceFile, text: string, expand: Expand): ConfigDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
    resolveKnownTags: false,
    merge: false,
    logLevel: 'error',
  });
  const problemFor = (offset: number, message: string, path?: KeyPath): Problem => {
    const { line, col } = lines.linePos(offset);
    const key = path === undefined ? undefined : formatKeyPath(path);
    return { source: file.path, place: { line: Math.max(line, 1), column: Math.max(col, 1) }, key, message };
  };
  const broken = syntaxProblems(document, text, lines).map(({ offset, message }) => problemFor(offset, message));
  const reader = new NodeReader(expand, problemFor);
  const value = broken.length === 0 ? reader.read(document.contents) : undefined;
  const problems = [...broken, ...reader.problems];
  const complained = new Set(problems.map(({ key }) => key));
  return {
    value,
    problems,
    problemAt: (path, message) => {
      const problem = problemFor(reader.entryAt(path).offset, message, path);
      return value === undefined || complained.has(problem.key) ? [] : [problem];
    },
    problemAtKey: (path, message) => {
      const { keyOffset, offset } = reader.entryAt(path);
      return [problemFor(keyOffset ?? offset, message, path)];
    },
    writtenAt: (path) => reader.writtenAt(path),
    fileAt: () => file,
  };
}

/** A file that makes no sense as a whole. */
export function brokenDocument(path: string, message: string): ConfigDocument {
  return {
    value: undefined,
    problems: [{ source: path, message }],
    problemAt: () => [],
    problemAtKey: () => [],
    writtenAt: () => undefined,
    fileAt: () => ({ path, worldReadable: false }),
  };
}

type Expand = (text: string) => Expansion;

/** Where in the file, and in which part of the configuration, a node is being read. */
interface Position {
  readonly path: KeyPath;
  /** Of the node, or of the alias that stands for it: that is where the reader of a message looks. */
  readonly offset: number;
  readonly aliased: boolean;
}

/** Makes plain values of nodes, and remembers where they were. */
class NodeReader {
  readonly problems: Problem[] = [];
  readonly #expand: Expand;
  readonly #problemFor: (offset: number, message: string, path: KeyPath) => Problem;
  readonly #entries = new Map<string, Entry>();
  readonly #anchors = new Map<string, Node>();
  readonly #ancestors = new Set<Node>();
  #aliasedNodes = 0;
  #hopeless = false;

  constructor(expand: Expand, problemFor: (offset: number, message: string, path: KeyPath) => Problem) {
    this.#expand = expand;
    this.#problemFor = problemFor;
  }

  /** Undefined where the file is beyond reading; `problems` says why. */
  read(root: unknown): unknown {
    const value = this.#readNode(root, { path: [], offset: offsetOf(root) ?? 0, aliased: false });
    return this.#hopeless ? undefined : value;
  }

  /** What is at the path, or the nearest thing round it. */
  entryAt(path: KeyPath): Entry {
    for (let length = path.length; length > 0; length -= 1) {
      const entry = this.#entries.get(formatKeyPath(path.slice(0, length)));
      if (entry !== undefined) return entry;
    }
    return { keyOffset: undefined, offset: 0, written: undefined };
  }

  writtenAt(path: KeyPath): string | undefined {
    return this.#entries.get(formatKeyPath(path))?.written;
  }

  #readNode(node: unknown, position: Position, keyOffset?: number): unknown {
    const written = isScalar(node) && !position.aliased ? (node.source ?? '') : undefined;
    this.#entries.set(formatKeyPath(position.path), { keyOffset, offset: position.offset, written });
    const excess = this.#excess(position);
    if (excess !== undefined) return this.#giveUp(position, excess);
    if (isAlias(node)) return this.#readAlias(node.source, position, keyOffset);
    if (!isScalar(node) && !isCollection(node)) return null;
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    return isScalar(node) ? this.#readScalar(node.value, position) : this.#readCollection(node, position);
  }

  /** Aliases of aliases can make a short file larger than memory. */
  #excess({ path, aliased }: Position): string | undefined {
    if (path.length > deepest) return 'is nested too deeply; nothing in this file goes so deep';
    if (aliased) this.#aliasedNodes += 1;
    return this.#aliasedNodes > mostAliasedNodes ? 'repeats too much by aliases; write fewer of them' : undefined;
  }

  #readAlias(name: string, position: Position, keyOffset: number | undefined): unknown {
    const target = this.#anchors.get(name);
    if (target !== undefined) return this.#readNode(target, { ...position, aliased: true }, keyOffset);
    return this.#complain(position, 'is an alias without an anchor before it; quote the value if it is text');
  }

  #readScalar(value: unknown, position: Position): unknown {
    if (typeof value !== 'string') return value;
    const { text, problems } = this.#expand(value);
    return problems.length === 0 ? text : problems.map((message) => this.#complain(position, message))[0];
  }

  #readCollection(node: YAMLMap | YAMLSeq, position: Position): unknown {
    if (this.#ancestors.has(node)) {
      return this.#complain(position, 'is an alias of something that it is part of; write it out');
    }
    this.#ancestors.add(node);
    const value = isMap(node) ? this.#readMap(node, position) : this.#readList(node, position);
    this.#ancestors.delete(node);
    return value;
  }

  #readList(list: YAMLSeq, position: Position): readonly unknown[] {
    return list.items.map((item, index) => this.#readNode(item, within(position, index, offsetOf(item))));
  }

  #readMap(map: YAMLMap, position: Position): Readonly<Record<string, unknown>> {
    const values = new Map<string, unknown>();
    for (const { key, value } of map.items) {
      const keyOffset = position.aliased ? position.offset : (offsetOf(key) ?? position.offset);
      const here = { ...position, offset: keyOffset };
      if (!isScalar(key) || typeof key.value !== 'string') {
        this.#complain(here, 'has a key that is not plain text; quote it');
      } else if (values.has(key.value)) {
        this.#complain(within(here, key.value, keyOffset), 'is there a second time; keep one of the two');
      } else if (value === null && map.flow === true) {
        // Of `{password: a, b}` the b belongs to the password, so it is not repeated.
        this.#complain(here, 'has a word without a value; quote texts that hold a comma');
      } else {
        values.set(key.value, this.#readNode(value, within(here, key.value, offsetOf(value)), keyOffset));
      }
    }
    return Object.fromEntries(values);
  }

  #complain({ offset, path }: Position, message: string): unknown {
    this.problems.push(this.#problemFor(offset, message, path));
    return unreadable;
  }

  #giveUp(position: Position, message: string): unknown {
    if (!this.#hopeless) this.#complain(position, message);
    this.#hopeless = true;
    return unreadable;
  }
}

function within(position: Position, part: string | number, offset: number | undefined): Position {
  return {
    path: [...position.path, part],
    offset: position.aliased ? position.offset : (offset ?? position.offset),
    aliased: position.aliased,
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
