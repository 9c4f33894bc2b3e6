import { constants, crc32, deflateRawSync } from 'node:zlib';

/** Lines of a page, ready to be sent: as they are, and as a piece of a gzip stream. */
export interface Block {
  readonly text: Buffer;
  /** Deflated on its own up to a whole byte, so that such pieces may follow each other in one stream. */
  readonly deflated: Buffer;
  readonly checksum: number;
  /** What the checksum of all that stands before is multiplied by. */
  readonly shift: number;
}

/** A block of text that is not empty; compressed once, here. */
export function makeBlock(text: string): Block {
  const bytes = Buffer.from(text, 'utf8');
  return {
    text: bytes,
    deflated: deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
    checksum: crc32(bytes),
    shift: shiftOf(bytes.length),
  };
}

export function joinText(blocks: readonly Block[]): Buffer {
  return Buffer.concat(blocks.map(({ text }) => text));
}

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty last piece. */
const end = Buffer.from([3, 0]);

/**
 * One gzip stream of all blocks, without compressing anything anew. A member for each block would be simpler, but
 * Chromium shows only the first of several, and curl fails.
 */
export function joinGzip(blocks: readonly Block[]): Buffer {
  let checksum = 0;
  let length = 0;
  for (const block of blocks) {
    checksum = (multiply(block.shift, checksum) ^ block.checksum) >>> 0;
    length += block.text.length;
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  return Buffer.concat([header, ...blocks.map(({ deflated }) => deflated), end, trailer]);
}

// A CRC is a polynomial over bits: appending n bytes to a text multiplies its own by x to the power 8n. The highest bit
// of a number is the factor of the lowest power.
const one = 2 ** 31;
const polynomial = 0xedb88320;
const squares = makeSquares();

/** x to the powers 1, 2, 4, 8 and so on. */
function makeSquares(): readonly number[] {
  const powers = [one >>> 1];
  while (powers.length < 32) {
    const last = powers.at(-1) ?? 0;
    powers.push(multiply(last, last));
  }
  return powers;
}

/** x to the power of eight times `bytes`, which fits a page of up to 512 MiB. */
function shiftOf(bytes: number): number {
  let power = one;
  for (const [index, square] of squares.entries()) if (((bytes * 8) >>> index) & 1) power = multiply(square, power);
  return power;
}

/** The product of two polynomials. */
function multiply(a: number, b: number): number {
  let product = 0;
  let term = b;
  for (let bit = one; bit > 0; bit >>>= 1) {
    if (a & bit) product ^= term;
    term = term & 1 ? (term >>> 1) ^ polynomial : term >>> 1;
  }
  return product >>> 0;
}
