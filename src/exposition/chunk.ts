import { type EncodedChunk, encodeChunk } from './encoded-chunk.ts';
import type { RenderedResult } from './render.ts';

/** The place of an item's newest result on the page. */
export interface Slot {
  chunk: Chunk;
  series: number;
  /** The encoded lines of each metric, for pages of selected accounts. When the lines of a metric change, its entry is deleted. */
  encoded?: Map<string, EncodedChunk>;
}

interface Column {
  /** Parts of the text. `textOf` joins them later, because joining after each added result would copy the whole text each time. */
  texts: Buffer[];
  readonly lengths: number[];
  /** Undefined if there are no lines, or if the newest lines are not encoded yet. */
  encoded: EncodedChunk | undefined;
}

/** Maximum number of parts of a text. More buffers would need much memory. */
const maxTexts = 32;

/** A group of results whose lines are joined and compressed together, metric by metric. */
export class Chunk {
  readonly #slots: Slot[] = [];
  readonly #columns = new Map<string, Column>();
  series = 0;
  results = 0;

  add(slot: Slot, { lines, series }: RenderedResult): void {
    slot.chunk = this;
    slot.series = series;
    this.series += series;
    this.#slots.push(slot);
    this.results += 1;
    for (const { lengths } of this.#columns.values()) lengths.push(0);
    for (const [metric, text] of lines) this.#replace(slot, metric, text);
  }

  update(slot: Slot, { lines, series }: RenderedResult): void {
    this.series += series - slot.series;
    slot.series = series;
    for (const metric of this.#columns.keys()) if (!lines.has(metric)) this.#replace(slot, metric, '');
    for (const [metric, text] of lines) this.#replace(slot, metric, text);
  }

  remove(slot: Slot): void {
    const index = this.#slots.indexOf(slot);
    for (const [metric, { lengths }] of this.#columns) {
      this.#replace(slot, metric, '');
      lengths.splice(index, 1);
    }
    this.#slots.splice(index, 1);
    this.results -= 1;
    this.series -= slot.series;
  }

  encoded(metric: string): EncodedChunk | undefined {
    const column = this.#columns.get(metric);
    if (column !== undefined && textOf(column).length > 0) column.encoded ??= encodeChunk(textOf(column));
    return column?.encoded;
  }

  /** The encoded lines of one metric in one result; undefined if there are no lines. Encodes the lines on first use. */
  encodedOf(slot: Slot, metric: string): EncodedChunk | undefined {
    const column = this.#columns.get(metric);
    const { offset, length } = startOf(this.#slots.indexOf(slot), column?.lengths ?? []);
    if (column === undefined || length === 0) return undefined;
    const lines = textOf(column).subarray(offset, offset + length);
    // Copy the lines, because a view would keep the chunk's old buffer in memory.
    const encoded = slot.encoded?.get(metric) ?? encodeChunk(Buffer.from(new Uint8Array(lines).buffer));
    slot.encoded ??= new Map();
    slot.encoded.set(metric, encoded);
    return encoded;
  }

  /** Encodes the changed metrics in advance of a scrape. */
  refresh(): void {
    for (const column of this.#columns.values()) {
      const text = textOf(column);
      if (text.length > 0) column.encoded ??= encodeChunk(text);
    }
  }

  #replace(slot: Slot, metric: string, lines: string): void {
    const column = this.#columns.get(metric) ?? {
      texts: [],
      lengths: this.#slots.map(() => 0),
      encoded: undefined,
    };
    this.#columns.set(metric, column);
    const index = this.#slots.indexOf(slot);
    if (index < 0) throw new RangeError('the result was removed from this chunk');
    const { offset, length } = startOf(index, column.lengths);
    const bytes = Buffer.from(lines);
    if (length === 0 && index === this.#slots.length - 1) {
      if (column.texts.push(bytes) > maxTexts) textOf(column);
    } else {
      const text = textOf(column);
      const end = offset + length;
      if (bytes.equals(text.subarray(offset, end))) return;
      column.texts = [text.subarray(0, offset), bytes, text.subarray(end)];
    }
    column.lengths[index] = bytes.length;
    column.encoded = undefined;
    slot.encoded?.delete(metric);
  }
}

function textOf(column: Column): Buffer {
  const { texts } = column;
  const [first] = texts;
  if (first !== undefined && texts.length === 1) return first;
  let length = 0;
  for (const part of texts) length += part.length;
  // Do not use Node.js' buffer pool, because a small buffer would keep the whole pool in memory.
  const text = Buffer.allocUnsafeSlow(length);
  let end = 0;
  for (const part of texts) end += part.copy(text, end);
  column.texts = [text];
  return text;
}

function startOf(index: number, lengths: readonly number[]): { readonly offset: number; readonly length: number } {
  let offset = 0;
  for (let before = 0; before < index; before += 1) offset += lengths[before] ?? 0;
  return { offset, length: lengths[index] ?? 0 };
}
