import { type EncodedChunk, encodeChunk } from './encoded-chunk.ts';
import type { Family } from './family.ts';
import { renderSamples } from './render.ts';

/** One result of a poll, or of one item of a fan-out, as lines by metric. Immutable; a newer result replaces it. */
export class RenderedResult {
  readonly lines: ReadonlyMap<string, string>;
  readonly series: number;
  readonly #encoded = new Map<string, EncodedChunk>();

  /** `previous` is the result that this one replaces: unchanged lines stay encoded. */
  constructor(families: readonly Family[], previous?: RenderedResult) {
    const lines = new Map<string, string>();
    let series = 0;
    for (const family of families) {
      const rendered = renderSamples(family);
      if (rendered.series === 0) continue;
      lines.set(family.name, rendered.text);
      series += rendered.series;
    }
    this.lines = lines;
    this.series = series;
    if (previous === undefined) return;
    for (const [metric, chunk] of previous.#encoded) {
      if (lines.get(metric) === previous.lines.get(metric)) this.#encoded.set(metric, chunk);
    }
  }

  /** The lines of one metric, for the page of selected accounts; encoded on first use. */
  encode(metric: string): EncodedChunk | undefined {
    const text = this.lines.get(metric);
    if (text === undefined) return undefined;
    const chunk = this.#encoded.get(metric) ?? encodeChunk(text);
    this.#encoded.set(metric, chunk);
    return chunk;
  }
}
