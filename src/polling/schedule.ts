import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import type { Schedule } from '../config/config.ts';

/** Milliseconds over which the turns of one cron pattern are spread. */
const cronSpread = 60_000;

/** Turns of one schedule, shifted by a share of it that belongs to `seed`, so that not all tick in the same second. */
export class Turns {
  readonly #schedule: Schedule;
  readonly #shift: number;

  constructor(schedule: Schedule, seed: string) {
    this.#schedule = schedule;
    const share = createHash('sha256').update(seed).digest().readUInt32BE() / 2 ** 32;
    const span = schedule.kind === 'every' ? schedule.interval : Math.min(cronSpread, cronInterval(schedule, Date.now()));
    this.#shift = Math.floor(share * span);
  }

  /** The first turn after a moment; both in unix milliseconds. Undefined where the pattern has no more. */
  next(after: number): number | undefined {
    const before = after - this.#shift;
    if (this.#schedule.kind === 'every') {
      const { interval } = this.#schedule;
      return (Math.floor(before / interval) + 1) * interval + this.#shift;
    }
    const run = cronOf(this.#schedule).nextRun(new Date(before));
    return run === null ? undefined : run.getTime() + this.#shift;
  }

  /** Milliseconds between the next two turns after a moment (unix milliseconds). */
  interval(after: number): number {
    return this.#schedule.kind === 'every' ? this.#schedule.interval : cronInterval(this.#schedule, after);
  }
}

type CronSchedule = Extract<Schedule, { kind: 'cron' }>;

function cronOf({ pattern, timeZone }: CronSchedule): Cron {
  return new Cron(pattern, { timezone: timeZone, paused: true });
}

function cronInterval(schedule: CronSchedule, after: number): number {
  const [first, second] = cronOf(schedule).nextRuns(2, new Date(after));
  return first === undefined || second === undefined ? Number.POSITIVE_INFINITY : second.getTime() - first.getTime();
}
