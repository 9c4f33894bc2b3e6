import type { Block } from './block.ts';
import { joinChecksums } from './checksum.ts';

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty last piece, the checksum and the length. */
const endLength = 10;

/**
 * One gzip stream of all blocks, piece by piece, without compressing anything anew. A member for each block would be
 * simpler, but Chromium shows only the first of several, and curl fails.
 */
export function* gzipStream(blocks: readonly Block[]): Generator<Buffer> {
  let checksum = 0;
  let length = 0;
  yield header;
  for (const block of blocks) {
    checksum = joinChecksums(checksum, block.checksum, block.shift);
    length += block.text.length;
    yield block.deflated;
  }
  const end = Buffer.alloc(endLength);
  end.writeUInt8(3, 0);
  end.writeUInt32LE(checksum, 2);
  end.writeUInt32LE(length % 2 ** 32, 6);
  yield end;
}

/** How many bytes the stream has. */
export function gzipLength(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { deflated }) => sum + deflated.length, header.length + endLength);
}
