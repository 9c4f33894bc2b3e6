import { joinChecksums } from './checksum.ts';
import type { EncodedChunk } from './encoded-chunk.ts';

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** Bytes at the end of the stream: an empty final block, the checksum and the length. */
const trailerLength = 10;

/** Joins compressed chunks to a gzip stream with one member. Chromium shows only the first of several members, and curl fails. */
export function* gzipStream(chunks: readonly EncodedChunk[]): Generator<Buffer> {
  let checksum = 0;
  let length = 0;
  yield header;
  for (const chunk of chunks) {
    checksum = joinChecksums(checksum, chunk.crc32, chunk.shift);
    length += chunk.text.length;
    yield chunk.deflated;
  }
  const trailer = Buffer.alloc(trailerLength);
  trailer.writeUInt8(3, 0);
  trailer.writeUInt32LE(checksum, 2);
  trailer.writeUInt32LE(length % 2 ** 32, 6);
  yield trailer;
}

export function gzipLength(chunks: readonly EncodedChunk[]): number {
  return chunks.reduce((sum, { deflated }) => sum + deflated.length, header.length + trailerLength);
}
