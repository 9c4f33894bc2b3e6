/** Milliseconds added to three intervals, so that results with a short interval survive a short outage. */
const grace = 10 * 60_000;

/** Milliseconds that a result is shown: the configured `max_age`, else three intervals and ten minutes. */
export function maxAgeOf(interval: number, configured: number | undefined): number {
  return configured ?? 3 * interval + grace;
}
