// A CRC is a polynomial over bits: appending n bytes to a text multiplies its CRC by x^8n. The highest bit of a CRC is the
// coefficient of the lowest power.
const one = 2 ** 31;
const polynomial = 0xedb88320;
const squares = makeSquares();

function makeSquares(): readonly number[] {
  const powers = [one >>> 1];
  while (powers.length < 32) {
    const last = powers.at(-1) ?? 0;
    powers.push(multiply(last, last));
  }
  return powers;
}

/** Returns x^(8 · bytes): the factor for a checksum when `bytes` bytes (up to 512 MiB) are appended. */
export function shiftOf(bytes: number): number {
  let power = one;
  for (const [index, square] of squares.entries()) if (((bytes * 8) >>> index) & 1) power = multiply(square, power);
  return power;
}

/** The checksum of two concatenated texts. `shift` is `shiftOf` the length of the second text. */
export function joinChecksums(first: number, second: number, shift: number): number {
  return (multiply(shift, first) ^ second) >>> 0;
}

/** The product of two polynomials. For speed, uses signed 32-bit numbers and no branches: a page may have 60 000 chunks. */
function multiply(a: number, b: number): number {
  let product = 0;
  let term = b | 0;
  for (let factors = a | 0; factors !== 0; factors <<= 1) {
    product ^= term & (factors >> 31);
    term = (term >>> 1) ^ (polynomial & -(term & 1));
  }
  return product >>> 0;
}
