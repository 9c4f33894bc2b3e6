const units = [
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;

/** Matches a Prometheus duration from seconds to weeks: `90m`, `1h30m`. */
export const durationPattern = /^(?=\d)(?:\d+w)?(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?$/;

/** A Prometheus duration in seconds. */
export function parseDuration(duration: string): number {
  if (!durationPattern.test(duration)) {
    throw new Error(`not a duration: ${JSON.stringify(duration)}; use Prometheus notation, for example 90m or 1h30m`);
  }
  let total = 0;
  for (const [unit, size] of units) {
    total += Number(new RegExp(`(\\d+)${unit}`).exec(duration)?.[1] ?? 0) * size;
  }
  return total;
}

/** A Prometheus duration multiplied by a factor; unchanged for 1. */
export function scaleDuration(duration: string, factor: number): string {
  return factor === 1 ? duration : formatDuration(parseDuration(duration) * factor);
}

/** The shortest Prometheus duration for a number of seconds, rounded to whole seconds, at least 1 s, without weeks. */
function formatDuration(seconds: number): string {
  let rest = Math.max(1, Math.round(seconds));
  let text = '';
  for (const [unit, size] of units.slice(1)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) {
      text += `${count}${unit}`;
    }
  }
  return text;
}
