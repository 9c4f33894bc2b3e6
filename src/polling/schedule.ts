import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import type { ScheduleConfig } from '../config/values/config.ts';

/** Milliseconds over which runs with the same cron pattern are spread. */
const cronSpread = 60_000;

/**
 * Returns a function that computes `next`, the first run after a time. Both times are in Unix milliseconds; `next` is infinite if no run
 * follows. `interval`: milliseconds between the runs before and after the time, such as several days if a pattern has no runs at weekends.
 * An offset that depends on `seed` spreads the runs of different schedules.
 */
export function scheduleOf(config: ScheduleConfig, seed: string) {
  const share = createHash('sha256').update(seed).digest().readUInt32BE() / 2 ** 32;
  const shift = Math.floor(share * (config.kind === 'every' ? config.interval : cronSpread));
  return (time: number): { readonly next: number; readonly interval: number } => {
    const before = time - shift;
    if (config.kind === 'every') {
      const { interval } = config;
      return { next: (Math.floor(before / interval) + 1) * interval + shift, interval };
    }
    const cron = cronFor(config);
    const next = cron.nextRun(new Date(before))?.getTime() ?? Number.POSITIVE_INFINITY;
    // `previousRuns` compares whole seconds, and excludes a run in the same second as its argument.
    const previous = cron.previousRuns(1, new Date(before + 1000))[0]?.getTime() ?? before;
    return { next: next + shift, interval: next - previous };
  };
}

const crons = new Map<string, Cron>();

/** Shares one instance per pattern and time zone, because each instance holds a table of ten thousand years. */
function cronFor({ pattern, timeZone }: Extract<ScheduleConfig, { kind: 'cron' }>): Cron {
  const key = `${timeZone} ${pattern}`;
  const cron = crons.get(key) ?? new Cron(pattern, { timezone: timeZone, paused: true });
  crons.set(key, cron);
  return cron;
}
