const piecePattern = /^(stale|_|[+-]?(?:Inf|[\d.]+(?:e[+-]?\d+)?))(?:([+-])([\d.]+))?(?:x(\d+))?$/;

/**
 * Converts a series in promtool's notation from one sample per minute to one per half minute. Each value is repeated once, and a ramp
 * keeps its slope.
 */
export function perHalfMinute(series: string): string {
  return series.split(' ').map(halved).join(' ');
}

function halved(piece: string): string {
  const [, start = '', sign, step, times] = piecePattern.exec(piece) ?? [];
  if (start === '') throw new Error(`not in promtool's notation: ${piece}`);
  if (start === 'stale') return 'stale _';
  if (start === '_') return `_x${2 * Number(times ?? 1)}`;
  const growth = step === undefined ? '' : `${sign}${Number(step) / 2}`;
  return `${start}${growth}x${2 * Number(times ?? 0) + 1}`;
}
