/** A sample in promtool's notation: a number, `stale`, or `_` for none. */
export type Sample = string;

/** Expands a series in promtool's notation, such as `1x3 stale _x2 5+2x4`, to one sample per interval. */
export function expand(values: string): readonly Sample[] {
  return values.split(/\s+/).flatMap((piece) => {
    const [, start = '', sign, step = '0', times] =
      /^(stale|_|[+-]?(?:Inf|[\d.]+(?:e[+-]?\d+)?))(?:([+-])([\d.]+))?(?:x(\d+))?$/.exec(piece) ?? [];
    if (start === '') throw new Error(`not in promtool's notation: ${piece}`);
    const count = Number(times ?? 0);
    if (start === '_') return Array.from({ length: times === undefined ? 1 : count }, () => '_');
    if (sign === undefined) return Array.from({ length: count + 1 }, () => start);
    const growth = Number(`${sign}${step}`);
    return Array.from({ length: count + 1 }, (_, index) => String(Number(start) + index * growth));
  });
}

/** Writes samples in promtool's notation, with equal neighbours as one piece. */
export function compress(samples: readonly Sample[]): string {
  const pieces: string[] = [];
  let index = 0;
  while (index < samples.length) {
    const sample = samples[index] ?? '_';
    let end = index + 1;
    while (samples[end] === sample) end += 1;
    const count = end - index;
    if (sample === 'stale' || sample.includes('Inf')) pieces.push(...Array.from({ length: count }, () => sample));
    else if (sample === '_') pieces.push(`_x${count}`);
    else pieces.push(count === 1 ? sample : `${sample}x${count - 1}`);
    index = end;
  }
  return pieces.join(' ');
}
