import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { decodeBody } from '../../../src/api/decoding.ts';

const list = z.array(z.object({ name: z.string() }));
const neverRead = z.any().transform(() => expect.unreachable('the schema reads the result'));

function decode(schema: z.ZodType, result: unknown, maxItems: number) {
  return decodeBody(Buffer.from(JSON.stringify({ status: 'success', result })), schema, maxItems);
}

describe('a result with a list that is too long', () => {
  it.each([
    ['a list', Array(5_000_000).fill(0), 'the result has 5000000 entries, more than max_items (100000)'],
    [
      'a nested list',
      { a: [1, { b: Array(100_001).fill(0) }] },
      'a[1].b: has 100001 entries, more than max_items (100000)',
    ],
    [
      'an object',
      Object.fromEntries(Array.from({ length: 100_001 }, (_, index) => [`k${index}`, 0])),
      'the result has 100001 entries, more than max_items (100000)',
    ],
  ])('is refused before the schema reads it: %s', (_what, result, issue) => {
    expect(decode(neverRead, result, 100_000)).toEqual({
      kind: 'result',
      dialect: 'specification',
      read: { payload: undefined, issues: [issue], droppedElements: 0, duplicates: 0 },
    });
  });

  it('is read with exactly as many entries as allowed', () => {
    const names = Array.from({ length: 50 }, (_, index) => ({ name: `n${index}` }));

    expect(decode(list, names, 50)).toMatchObject({ read: { payload: names } });
    expect(decode(list, names, 49)).toMatchObject({ read: { payload: undefined } });
  });
});

describe('a result that is nested too deeply', () => {
  const nested = (levels: number) =>
    Buffer.from(`{"status":"success","result":${'['.repeat(levels)}${']'.repeat(levels)}}`);

  it.each([65, 50_000])('is invalid with %i levels', (levels) => {
    expect(decodeBody(nested(levels), neverRead, 100)).toEqual({
      kind: 'invalid',
      problem: 'the response is JSON nested deeper than 64 levels',
    });
  });

  it('is read with 64 levels', () => {
    expect(decodeBody(nested(64), z.any(), 100)).toMatchObject({ kind: 'result', read: { issues: [] } });
  });
});
