import { execFileSync } from 'node:child_process';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gzipOf, Piece } from '../../src/store/gzip.ts';

const text = (length: number) => Buffer.from('hosting_site_load{site="магазин"} 1.5\n'.repeat(length / 38));

const piecesOf = (texts: readonly Uint8Array[]) => texts.map((bytes) => new Piece(Buffer.from(bytes)));

it('a stream contains all pieces and the rest', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array()), fc.uint8Array(), async (pieces, rest) => {
      const gzip = await gzipOf(piecesOf(pieces), Buffer.from(rest));

      expect(gunzipSync(gzip)).toEqual(Buffer.concat([...pieces, rest]));
    }),
  );
});

it.each([0, 38, 10_000_000])('is one stream with a correct checksum and length, of %i bytes', async (size) => {
  const [start, rest] = [text(size), Buffer.from('process_cpu_seconds_total 1\n')];

  const gzip = await gzipOf(piecesOf([start]), rest);

  const options = { input: gzip, maxBuffer: 2 * size + 1000 };
  expect(execFileSync('gzip', ['-dc'], options).equals(Buffer.concat([start, rest]))).toBe(true);
  expect(gzip.indexOf(Buffer.from([0x1f, 0x8b, 8]), 1)).toBe(-1);
  expect(gzip.length).toBeLessThan(1.1 * gzipSync(Buffer.concat([start, rest]), { level: 3 }).length + 20);
});
