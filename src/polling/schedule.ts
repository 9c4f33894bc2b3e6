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
    const span = this.#period instanceof Cron ? Math.min(cronSpread, nextGap(this.#period, Date.now())) : this.#period;
    this.#shift = Math.floor(share * span);
  }

  get isCron(): boolean {
    return this.#period instanceof Cron;
  }

  /** The first run after a time, both in Unix milliseconds; undefined if the pattern has no further runs. */
  next(after: number): number | undefined {
    const before = after - this.#shift;
    if (this.#period instanceof Cron) {
      const run = this.#period.nextRun(new Date(before));
      return run === null ? undefined : run.getTime() + this.#shift;
    }
    return (Math.floor(before / this.#period) + 1) * this.#period + this.#shift;
  }

  /** Milliseconds between the runs before and after `at` (Unix milliseconds); several days if a pattern has no runs at weekends. */
  interval(at: number): number {
    if (!(this.#period instanceof Cron)) return this.#period;
    const time = at - this.#shift;
    // `previousRuns` compares whole seconds, and excludes a run in the same second as its argument.
    const newest = this.#period.previousRuns(1, new Date(time + 1000))[0];
    const next = this.#period.nextRun(new Date(time));
    return newest && next ? next.getTime() - newest.getTime() : nextGap(this.#period, time);
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

function nextGap(cron: Cron, after: number): number {
  const [first, second] = cron.nextRuns(2, new Date(after));
  return first === undefined || second === undefined ? Number.POSITIVE_INFINITY : second.getTime() - first.getTime();
}
