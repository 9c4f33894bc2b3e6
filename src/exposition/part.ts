import { type Block, makeBlock } from './block.ts';
import type { Family } from './family.ts';
import { renderSamples } from './render.ts';

/** One result of a poll, or of one item of it, as text by metric. It never changes; a newer one takes its place. */
export class Part {
  /** Place of its account among the others. */
  readonly order: number;
  readonly lines: ReadonlyMap<string, string>;
  readonly series: number;
  #blocks: Map<string, Block> | undefined;

  constructor(order: number, lines: ReadonlyMap<string, string>, series: number) {
    this.order = order;
    this.lines = lines;
    this.series = series;
  }

  /** Takes over what its former self compressed, and what reads the same now. */
  follow(former: Part): void {
    for (const [metric, block] of former.#blocks ?? []) {
      if (this.lines.get(metric) !== former.lines.get(metric)) continue;
      this.#blocks ??= new Map();
      this.#blocks.set(metric, block);
    }
  }

  /** The lines of one metric by themselves, for a page of few accounts; compressed when they are first asked for. */
  block(metric: string): Block | undefined {
    const text = this.lines.get(metric);
    if (text === undefined) return undefined;
    this.#blocks ??= new Map();
    const block = this.#blocks.get(metric) ?? makeBlock(text);
    this.#blocks.set(metric, block);
    return block;
  }
}

export function renderPart(order: number, families: readonly Family[]): Part {
  const lines = new Map<string, string>();
  let series = 0;
  for (const family of families) {
    const text = renderSamples(family);
    if (text === '') continue;
    lines.set(family.name, text);
    series += text.split('\n').length - 1;
  }
  return new Part(order, lines, series);
}
