import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';

const deflate = promisify<Buffer, object, Buffer>(deflateRaw);

const level = 3;

/** A gzip header without a name and a time, as RFC 1952 defines it. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);

/** The start of a compressed text. It ends on a byte boundary, so that more compressed text can follow. */
export type CompressedStart = Awaited<ReturnType<typeof compressStart>>;

export async function compressStart(text: Buffer) {
  const deflated = await deflate(text, { level, finishFlush: constants.Z_SYNC_FLUSH });
  return { deflated, crc: crc32(text), length: text.length };
}

/** Returns one gzip stream that contains a compressed start and the rest of the text. */
export function gzipWith({ deflated, crc, length }: CompressedStart, rest: Buffer): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(rest, crc), 0);
  trailer.writeUInt32LE((length + rest.length) % 2 ** 32, 4);
  return Buffer.concat([header, deflated, deflateRawSync(rest, { level }), trailer]);
}
