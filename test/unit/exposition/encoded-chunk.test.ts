import { execFileSync } from 'node:child_process';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EncodedChunk, encodeText, gzipStream, joinChunks } from '../../../src/exposition/encoded-chunk.ts';

const joinText = (chunks: readonly EncodedChunk[]) => Buffer.concat(chunks.flatMap(({ texts }) => texts));
const joinGzip = (chunks: readonly EncodedChunk[]) => Buffer.concat(gzipStream(chunks));

/** The text of the first gzip member, and the bytes after it, which Chromium ignores. */
function firstMember(bytes: Buffer): { readonly text: string; readonly rest: number } {
  const { buffer, engine } = gunzipSync(bytes, { info: true }) as unknown as {
    readonly buffer: Buffer;
    readonly engine: { readonly bytesWritten: number };
  };
  return { text: buffer.toString('utf8'), rest: bytes.length - engine.bytesWritten };
}

describe('encoded chunks', () => {
  it('concatenate to one gzip stream, for any texts', () => {
    const texts = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }), { maxLength: 30 });

    fc.assert(
      fc.property(texts, (parts) => {
        const chunks = parts.map(encodeText);

        const gzip = joinGzip(chunks);

        expect(gunzipSync(gzip)).toEqual(joinText(chunks));
        expect(joinText(chunks)).toEqual(Buffer.from(parts.map((part) => part.toWellFormed()).join('')));
        expect(firstMember(gzip).rest).toBe(0);
      }),
    );
  });

  it('can be joined in groups, without a difference in the stream', () => {
    const chunks = ['first\n', 'второй\n', 'third\n', 'fourth\n', 'fifth\n'].map(encodeText);

    const joined = [joinChunks([]), joinChunks(chunks.slice(0, 1)), joinChunks(chunks.slice(1))];

    expect(joinGzip(joined.filter((chunk) => chunk !== undefined))).toEqual(joinGzip(chunks));
  });

  it('have the checksum and length of their concatenation', () => {
    const parts = ['hosting_up 1\n'.repeat(5000), 'пекарня\n'.repeat(7777), '# EOF\n'];

    const trailer = joinGzip(parts.map(encodeText)).subarray(-8);

    expect(trailer).toEqual(gzipSync(parts.join('')).subarray(-8));
  });

  it('are decompressed by gzip', () => {
    const gzip = joinGzip([encodeText('first\n'), encodeText('второй\n'), encodeText('third\n')]);

    expect(execFileSync('gzip', ['-dc'], { input: gzip, encoding: 'utf8' })).toBe('first\nвторой\nthird\n');
  });

  it('compress nearly as well as their concatenation', () => {
    const text = Array.from({ length: 5000 }, (_, index) => `hosting_site_load{site="site-${index}"} ${index}\n`).join(
      '',
    );

    const gzip = joinGzip([encodeText(text), encodeText(text)]);

    expect(gzip.length).toBeLessThan(2.1 * gzipSync(text).length);
  });
});
