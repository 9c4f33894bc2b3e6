import type { Block } from './block.ts';
import { joinChecksums } from './checksum.ts';

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/**
 * One gzip stream of all blocks, in pieces, without compressing anything anew. A member for each block would be simpler,
 * but Chromium shows only the first of several, and curl fails.
 */
export function gzipStream(blocks: readonly Block[]): readonly Buffer[] {
  let checksum = 0;
  let length = 0;
  for (const block of blocks) {
    checksum = joinChecksums(checksum, block.checksum, block.shift);
    length += block.text.length;
  }
  // An empty last piece, the checksum and the length.
  const end = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  end.writeUInt32LE(checksum, 2);
  end.writeUInt32LE(length % 2 ** 32, 6);
  return [header, ...blocks.map(({ deflated }) => deflated), end];
}
