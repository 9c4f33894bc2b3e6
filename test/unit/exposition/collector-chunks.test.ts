import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Slot } from '../../../src/exposition/chunk.ts';
import { CollectorChunks } from '../../../src/exposition/collector-chunks.ts';
import { type RenderedResult, renderResult } from '../../../src/exposition/render.ts';

/** A result with this many series of one metric. */
function result(item: number, series: number): RenderedResult {
  const samples = Array.from({ length: series }, (_, index) => ({
    labels: { item: `${item}/${index}` },
    value: index,
  }));
  return renderResult([{ name: 'hosting_x', labelNames: ['item'], samples }]);
}

/** The text of each chunk that has lines. */
function textsOf(chunks: CollectorChunks): readonly string[] {
  return chunks.encoded('hosting_x')?.texts.map(String) ?? [];
}

function lines(chunks: CollectorChunks): readonly string[] {
  return textsOf(chunks)
    .flatMap((text) => text.split('\n'))
    .filter((line) => line !== '')
    .sort();
}

describe('the chunks of a collector', () => {
  it('contain exactly the newest results after any sequence of operations', () => {
    const operation = fc.record({
      kind: fc.constantFrom('set', 'set', 'remove', 'refresh'),
      item: fc.nat(60),
      series: fc.oneof(
        { weight: 9, arbitrary: fc.nat(4) },
        { weight: 1, arbitrary: fc.integer({ min: 400, max: 1800 }) },
      ),
    });

    fc.assert(
      fc.property(fc.array(operation, { maxLength: 80 }), (operations) => {
        const chunks = new CollectorChunks();
        const slots = new Map<number, Slot>();
        const newest = new Map<number, RenderedResult>();
        for (const { kind, item, series } of operations) {
          const slot = slots.get(item);
          if (kind === 'set') newest.set(item, result(item, series));
          else if (kind === 'remove') newest.delete(item);
          if (kind === 'refresh') while (chunks.refreshNext());
          else if (kind === 'set' && slot === undefined) slots.set(item, chunks.add(result(item, series)));
          else if (kind === 'set' && slot !== undefined) chunks.update(slot, result(item, series));
          else if (slot !== undefined) {
            chunks.remove(slot);
            slots.delete(item);
          }
        }

        const expected = [...newest.values()].flatMap(({ lines }) => (lines.get('hosting_x') ?? '').split('\n'));
        expect(lines(chunks)).toEqual(expected.filter((line) => line !== '').sort());
      }),
      { numRuns: 60 },
    );
  });

  it('take results up to 768 series, and fill the gaps that removed results leave', () => {
    const chunks = new CollectorChunks();
    const slots = Array.from({ length: 48 }, (_, item) => chunks.add(result(item, 32)));
    const before = textsOf(chunks).length;

    for (const slot of slots.slice(0, 24).filter((_, index) => index % 2 === 0)) chunks.remove(slot);
    for (let item = 100; item < 112; item += 1) chunks.add(result(item, 32));

    expect([before, textsOf(chunks).length]).toEqual([2, 2]);
    expect(lines(chunks)).toHaveLength(2 * 768);
  });

  it('split where a result grows beyond 1536 series, so that an update of its neighbours stays cheap', () => {
    const chunks = new CollectorChunks();
    const slots = [chunks.add(result(0, 1)), chunks.add(result(1, 1))];
    const before = textsOf(chunks).length;

    if (slots[0] !== undefined) chunks.update(slots[0], result(0, 1600));

    expect([before, textsOf(chunks).length]).toEqual([1, 2]);
    expect(lines(chunks)).toHaveLength(1601);
  });

  it('have up to 1536 series together, and count those of replaced and removed results no more', () => {
    const chunks = new CollectorChunks();
    const [large] = [chunks.add(result(0, 700)), chunks.add(result(1, 50))];
    const counts: number[] = [];
    const count = () => counts.push(textsOf(chunks).length);

    count();
    chunks.update(large, result(0, 1486));
    count();
    chunks.update(large, result(0, 10));
    chunks.add(result(2, 700));
    count();
    chunks.update(large, result(0, 787));
    count();

    expect(counts).toEqual([1, 1, 1, 2]);
  });

  it('take results again as large as a removed one', () => {
    const chunks = new CollectorChunks();
    const large = chunks.add(result(0, 700));
    chunks.add(result(1, 50));

    chunks.remove(large);
    chunks.add(result(2, 700));

    expect(textsOf(chunks)).toHaveLength(1);
  });

  it('begin another one with a result for which there is no room', () => {
    const chunks = new CollectorChunks();
    for (const item of [0, 1]) chunks.add(result(item, 500));

    expect(textsOf(chunks)).toHaveLength(2);
  });

  it('keep the order of results that are updated', () => {
    const chunks = new CollectorChunks();
    const [first, huge] = [chunks.add(result(0, 1)), chunks.add(result(1, 900)), chunks.add(result(2, 1))];
    const order = () => [...new Set(textsOf(chunks).flatMap((text) => text.match(/item="\d+/g)))];
    const before = order();

    chunks.update(first, result(0, 2));
    chunks.update(huge, result(1, 901));

    expect(before).toEqual(['item="0', 'item="2', 'item="1']);
    expect(order()).toEqual(before);
  });

  it('are encoded in steps, each only if it has changed', () => {
    const chunks = new CollectorChunks();
    const slots = Array.from({ length: 60 }, (_, item) => chunks.add(result(item, 32)));
    const steps = [1, 2, 3, 4].map(() => chunks.refreshNext());
    const changes: boolean[] = [];

    for (const change of [
      () => slots.slice(0, 1).map((slot) => chunks.update(slot, result(0, 31))),
      () => slots.slice(1, 2).map((slot) => chunks.remove(slot)),
      () => chunks.add(result(100, 1)),
    ]) {
      change();
      changes.push(chunks.refreshNext(), chunks.refreshNext());
    }

    expect(steps).toEqual([true, true, true, false]);
    expect(changes).toEqual([true, false, true, false, true, false]);
  });

  it('disappear with their last result, and need not be encoded', () => {
    const chunks = new CollectorChunks();
    const slot = chunks.add(result(0, 1));

    chunks.remove(slot);

    expect(chunks.refreshNext()).toBe(false);
    expect(textsOf(chunks)).toEqual([]);
  });

  it('have no lines of a metric that no result has any more', () => {
    const chunks = new CollectorChunks();
    const slot = chunks.add(result(0, 1));
    chunks.refreshNext();

    chunks.update(slot, renderResult([]));

    expect(textsOf(chunks)).toEqual([]);
  });
});
