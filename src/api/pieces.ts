import { setImmediate as nextTurn } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';

/** Values in one piece: few enough that reading it takes about a millisecond. */
const maxWeight = 2000;

type Path = readonly (string | number)[];

/** Elements that follow those of earlier pieces in the list at this path. */
interface Piece {
  readonly path: Path;
  readonly elements: readonly unknown[];
}

/**
 * Serializes a value in pieces, because reading a large one at once blocks the event loop. Splits lists, at any depth, but
 * not objects or texts.
 */
export function disassemble(value: unknown): Uint8Array<ArrayBuffer>[] {
  const pieces: Piece[] = [];
  const root = withoutLongLists(value, [0], pieces);
  return [{ path: [], elements: [root] }, ...pieces].map((piece) => new Uint8Array(serialize(piece)));
}

/** Restores the value. Reads one piece in each turn of the event loop. */
export async function assemble(pieces: readonly Uint8Array[]): Promise<unknown> {
  const roots: unknown[] = [];
  for (const [index, bytes] of pieces.entries()) {
    if (index > 0) await nextTurn();
    const { path, elements } = deserialize(bytes) as Piece;
    const list = path.reduce<unknown>((parent, key) => Reflect.get(parent as object, key), roots) as unknown[];
    for (const element of elements) list.push(element);
  }
  return roots[0];
}

/** The value if it is small; else a copy whose long lists are empty, and their elements as pieces. */
function withoutLongLists(value: unknown, path: Path, pieces: Piece[]): unknown {
  if (typeof value !== 'object' || value === null || weightOf(value, maxWeight) <= maxWeight) return value;
  if (Array.isArray(value)) {
    addPieces(value, path, pieces);
    return [];
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutLongLists(inner, [...path, key], pieces)]),
  );
}

function addPieces(list: readonly unknown[], path: Path, pieces: Piece[]): void {
  let elements: unknown[] = [];
  let weight = 0;
  for (const [index, element] of list.entries()) {
    const inner: Piece[] = [];
    elements.push(withoutLongLists(element, [...path, index], inner));
    weight += weightOf(element, maxWeight);
    if (weight < maxWeight && inner.length === 0 && index < list.length - 1) continue;
    pieces.push({ path, elements }, ...inner);
    elements = [];
    weight = 0;
  }
}

/** The number of values in a value, itself included. Stops counting when it exceeds `limit`. */
function weightOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    weight += weightOf(inner, limit - weight);
    if (weight > limit) break;
  }
  return weight;
}
