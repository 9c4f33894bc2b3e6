/** Milliseconds added to three intervals, so that a short schedule survives a short outage. */
const grace = 10 * 60_000;

/** Milliseconds that a result may be shown after the call that brought it. */
export function maxAgeOf(interval: number, configured: number | undefined): number {
  return configured ?? 3 * interval + grace;
}
