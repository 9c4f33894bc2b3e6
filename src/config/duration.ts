const unitMilliseconds: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `30s`, `5m`, `1h` or `1d`; undefined where it is no duration. A bare number is none. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const milliseconds = unitMilliseconds[unit ?? ''];
  return milliseconds === undefined ? undefined : Number(number) * milliseconds;
}

/** A number of milliseconds in the largest unit that divides it: what `parseDuration` reads, for whole seconds. */
export function formatDuration(milliseconds: number): string {
  for (const unit of ['d', 'h', 'm']) {
    const size = unitMilliseconds[unit] ?? 1;
    if (milliseconds >= size && milliseconds % size === 0) return `${milliseconds / size}${unit}`;
  }
  return `${milliseconds / 1000}s`;
}
