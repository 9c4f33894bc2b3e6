/** A 32-bit hash of a text, for example to get a seed from the name of a site. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return mix(hash);
}

/** A pseudo-random number in [0, 1). The number depends only on the seed and the index. */
export function noise(seed: number, index: number): number {
  return mix(seed ^ Math.imul(index, 0x9e3779b1)) / 2 ** 32;
}

function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
