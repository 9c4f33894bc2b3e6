const unitMilliseconds: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `30s`, `5m`, `1h` or `1d`; NaN for any other text, including a number without a unit. */
export function parseDuration(text: string): number {
  const [, number, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  return Number(number) * (unitMilliseconds[unit] ?? Number.NaN);
}

/** Formats milliseconds in the largest unit that yields a whole number. For whole seconds, `parseDuration` is the inverse. */
export function formatDuration(milliseconds: number): string {
  for (const unit of ['d', 'h', 'm']) {
    const size = unitMilliseconds[unit] ?? 1;
    if (milliseconds >= size && milliseconds % size === 0) return `${milliseconds / size}${unit}`;
  }
  return `${milliseconds / 1000}s`;
}
