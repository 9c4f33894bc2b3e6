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

/**
 * Milliseconds of a duration as Go writes it, such as `250ms` or `1h30m`; undefined for any other text. A number without a
 * unit is nanoseconds, as in the files of other exporters.
 */
export function parseGoDuration(text: string): number | undefined {
  if (/^\d{1,15}$/.test(text)) return Number(text) / 1e6;
  if (!/^(?:\d{1,15}(?:\.\d*)?(?:ns|[uµμ]s|ms|s|m|h))+$/.test(text)) return undefined;
  const parts = text.matchAll(/([\d.]+)(\D+)/g);
  return [...parts].reduce((sum, [, number, unit = '']) => sum + Number(number) * (unitMilliseconds[unit] ?? 0), 0);
}
