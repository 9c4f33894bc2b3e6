/** A number from 0 to 1. It depends only on the arguments, so every run writes the same history. */
export function pseudoRandom(seed: number, ...words: readonly (string | number)[]): number {
  let hash = 2_166_136_261 ^ seed;
  for (const character of words.join('\u0000')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507);
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296;
}

/** Relative load at a time of day. It is low at night and high in the evening. The mean is 1. */
export function dailyPattern(time: number): number {
  const hour = (time / 3600) % 24;
  return 1 + 0.7 * Math.sin(((hour - 13) / 24) * 2 * Math.PI);
}
