const unitMilliseconds: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Converts Go's durations, such as `1h30m`, to milliseconds. As in other exporters, a number without a unit is in nanoseconds. */
export function parseGoDuration(text: string): number | undefined {
  if (/^\d{1,15}$/.test(text)) return Number(text) / 1e6;
  if (!/^(?:\d{1,15}(?:\.\d*)?(?:ns|[uµμ]s|ms|s|m|h))+$/.test(text)) return undefined;
  const parts = text.matchAll(/([\d.]+)(\D+)/g);
  return [...parts].reduce((sum, [, number, unit = '']) => sum + Number(number) * (unitMilliseconds[unit] ?? 0), 0);
}

/** The reason why a text is not a bcrypt hash, or undefined. Does not quote the text, which may be a password. */
export function validateBcryptHash(text: string): string | undefined {
  const advice = 'write the output of `hosting-account-exporter hash-password`';
  if (text.length < 59) return `is too short for a bcrypt hash; ${advice}`;
  if (!/^\$2[aby]?\$\d\d\$[./A-Za-z0-9]{53}$/.test(text)) return `is not a bcrypt hash; ${advice}`;
  const cost = bcryptCost(text);
  return cost < 4 || cost > 31 ? `is not a bcrypt hash, because its cost is not from 4 to 31; ${advice}` : undefined;
}

/** The cost of a valid bcrypt hash. Each step doubles the time of a login. */
export function bcryptCost(hash: string): number {
  return Number(hash.split('$')[2]);
}
