import { execFileSync } from 'node:child_process';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, makeBlock } from '../../../src/exposition/block.ts';
import { gzipStream } from '../../../src/exposition/gzip-stream.ts';

const joinText = (blocks: readonly Block[]) => Buffer.concat(blocks.map(({ text }) => text));
const joinGzip = (blocks: readonly Block[]) => Buffer.concat(gzipStream(blocks));

/** The bytes of the first member alone, which is all that Chromium shows. */
function firstMember(bytes: Buffer): { readonly text: string; readonly rest: number } {
  const { buffer, engine } = gunzipSync(bytes, { info: true }) as unknown as {
    readonly buffer: Buffer;
    readonly engine: { readonly bytesWritten: number };
  };
  return { text: buffer.toString('utf8'), rest: bytes.length - engine.bytesWritten };
}

describe('blocks', () => {
  it('join into one gzip stream of their texts, whatever they hold', () => {
    const texts = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }), { maxLength: 30 });

    fc.assert(
      fc.property(texts, (parts) => {
        const blocks = parts.map(makeBlock);

        const gzip = joinGzip(blocks);

        expect(gunzipSync(gzip)).toEqual(joinText(blocks));
        expect(joinText(blocks)).toEqual(Buffer.from(parts.map((part) => part.toWellFormed()).join('')));
        expect(firstMember(gzip).rest).toBe(0);
      }),
    );
  });

  it('join with the checksum and length that gzip gives the whole', () => {
    const parts = ['hosting_up 1\n'.repeat(5000), 'пекарня\n'.repeat(7777), '# EOF\n'];

    const trailer = joinGzip(parts.map(makeBlock)).subarray(-8);

    expect(trailer).toEqual(gzipSync(parts.join('')).subarray(-8));
  });

  it('are read by gzip itself', () => {
    const gzip = joinGzip([makeBlock('first\n'), makeBlock('второй\n'), makeBlock('third\n')]);

    expect(execFileSync('gzip', ['-dc'], { input: gzip, encoding: 'utf8' })).toBe('first\nвторой\nthird\n');
  });

  it('join into little more than the whole would take', () => {
    const text = Array.from({ length: 5000 }, (_, index) => `hosting_site_load{site="site-${index}"} ${index}\n`).join(
      '',
    );

    const gzip = joinGzip([makeBlock(text), makeBlock(text)]);

    expect(gzip.length).toBeLessThan(2.1 * gzipSync(text).length);
  });
});
