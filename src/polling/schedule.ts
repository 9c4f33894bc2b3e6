import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import type { ScheduleConfig } from '../config/config.ts';

/** Milliseconds over which the turns of one cron pattern are spread. */
const cronSpread = 60_000;

/** Turns of one schedule, shifted by a share of it that belongs to `seed`, so that not all tick in the same second. */
export class Turns {
  /** Milliseconds, or the pattern. */
  readonly #period: number | Cron;
  readonly #shift: number;

  constructor(schedule: ScheduleConfig, seed: string) {
    this.#period = schedule.kind === 'every' ? schedule.interval : cronOf(schedule);
    const share = createHash('sha256').update(seed).digest().readUInt32BE() / 2 ** 32;
    const span = this.#period instanceof Cron ? Math.min(cronSpread, gapOf(this.#period, Date.now())) : this.#period;
    this.#shift = Math.floor(share * span);
  }

  /** The first turn after a moment; both in unix milliseconds. Undefined where the pattern has no more. */
  next(after: number): number | undefined {
    const before = after - this.#shift;
    if (this.#period instanceof Cron) {
      const run = this.#period.nextRun(new Date(before));
      return run === null ? undefined : run.getTime() + this.#shift;
    }
    return (Math.floor(before / this.#period) + 1) * this.#period + this.#shift;
  }

  /**
   * Milliseconds between the newest turn at a moment (unix milliseconds) and the one after it: over a weekend, where
   * the pattern has none, that is days.
   */
  interval(at: number): number {
    return this.#period instanceof Cron ? gapAround(this.#period, at - this.#shift) : this.#period;
  }
}

/** By zone and pattern. */
const known = new Map<string, Cron>();

/** One for all pollers of a pattern, since each holds a table of ten thousand years. */
function cronOf({ pattern, timeZone }: Extract<ScheduleConfig, { kind: 'cron' }>): Cron {
  const key = `${timeZone} ${pattern}`;
  const cron = known.get(key) ?? new Cron(pattern, { timezone: timeZone, paused: true });
  known.set(key, cron);
  return cron;
}

function gapAround(cron: Cron, at: number): number {
  const newest = cron.previousRuns(1, new Date(at + 1))[0];
  const next = cron.nextRun(new Date(at));
  return newest === undefined || next === null ? gapOf(cron, at) : next.getTime() - newest.getTime();
}

function gapOf(cron: Cron, after: number): number {
  const [first, second] = cron.nextRuns(2, new Date(after));
  return first === undefined || second === undefined ? Number.POSITIVE_INFINITY : second.getTime() - first.getTime();
}
