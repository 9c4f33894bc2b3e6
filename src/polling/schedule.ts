import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import type { ScheduleConfig } from '../config/values/config.ts';

/** Milliseconds over which the runs of one cron pattern are spread. */
const cronSpread = 60_000;

/** Computes the runs of one schedule. An offset that depends on `seed` spreads the runs of different schedules. */
export class Schedule {
  /** An interval in milliseconds, or a cron pattern. */
  readonly #period: number | Cron;
  readonly #shift: number;

  constructor(config: ScheduleConfig, seed: string) {
    this.#period = config.kind === 'every' ? config.interval : cronFor(config);
    const share = createHash('sha256').update(seed).digest().readUInt32BE() / 2 ** 32;
    this.#shift = Math.floor(share * (config.kind === 'every' ? config.interval : cronSpread));
  }

  /**
   * The first run after a time, both in Unix milliseconds; infinite if the pattern has no further runs. `interval`: milliseconds between the
   * runs before and after the time; several days if a pattern has no runs at weekends.
   */
  after(time: number): { readonly next: number; readonly interval: number } {
    const before = time - this.#shift;
    const period = this.#period;
    if (!(period instanceof Cron)) {
      return { next: (Math.floor(before / period) + 1) * period + this.#shift, interval: period };
    }
    const next = period.nextRun(new Date(before))?.getTime() ?? Number.POSITIVE_INFINITY;
    // `previousRuns` compares whole seconds, and excludes a run in the same second as its argument.
    const previous = period.previousRuns(1, new Date(before + 1000))[0]?.getTime() ?? before;
    return { next: next + this.#shift, interval: next - previous };
  }
}

const crons = new Map<string, Cron>();

/** Shares one instance per pattern, because each instance holds a table of ten thousand years. */
function cronFor({ pattern, timeZone }: Extract<ScheduleConfig, { kind: 'cron' }>): Cron {
  const key = `${timeZone} ${pattern}`;
  const cron = crons.get(key) ?? new Cron(pattern, { timezone: timeZone, paused: true });
  crons.set(key, cron);
  return cron;
}
