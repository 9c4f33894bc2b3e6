import { constants, crc32, deflateRawSync } from 'node:zlib';
import { shiftOf } from './checksum.ts';

/** Lines of a page as UTF-8 text and as a part of a gzip stream. Immutable. */
export interface EncodedChunk {
  readonly text: Buffer;
  /** Raw deflate data that ends on a byte boundary, so that chunks can be concatenated into one stream. */
  readonly deflated: Buffer;
  readonly crc32: number;
  /** Factor for the CRC of everything that precedes this chunk; see checksum.ts. */
  readonly shift: number;
}

/** Measured: half the CPU time of zlib's default options, for 2 % more bytes, because chunks are short and repetitive. */
const deflateOptions = {
  level: 3,
  windowBits: 13,
  memLevel: 6,
  chunkSize: 2048,
  finishFlush: constants.Z_SYNC_FLUSH,
};

/** Encodes and compresses text, which must not be empty. */
export function encodeText(text: string): EncodedChunk {
  // Do not use Node.js' buffer pool, because a small buffer would keep the whole pool in memory.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return encodeChunk(bytes);
}

/** Compresses text. The buffer must not be empty, and must not change afterwards. */
export function encodeChunk(text: Buffer): EncodedChunk {
  const deflated = deflateRawSync(text, deflateOptions);
  // Copy the result, because a view would keep all of zlib's buffer in memory.
  const copy = Buffer.allocUnsafeSlow(deflated.length);
  deflated.copy(copy);
  return { text, deflated: copy, crc32: crc32(text), shift: shiftOf(text.length) };
}
