import type { FinishedPoll } from './finished-poll.ts';
import type { KeptPayload } from './kept-payload.ts';

/** The results and schedules of an account. Survives a reload and, with a state directory, also a restart. */
export interface AccountSnapshot {
  readonly collectors: ReadonlyMap<string, CollectorSnapshot>;
}

export interface CollectorSnapshot {
  /** The payload of each item, under the key that the store uses. */
  readonly payloads: ReadonlyMap<string, KeptPayload>;
  /** Start of the newest run in Unix milliseconds; 0 if a run is due. Items with an older result are due. */
  readonly runStarted: number;
  readonly poll: FinishedPoll | undefined;
}

export const dropReasons = ['expired', 'future', 'foreign', 'unknown', 'damaged'] as const;

/**
 * - `expired`: older than `max_age`
 * - `future`: the clock was set back
 * - `foreign`: of another server, login or notation
 * - `unknown`: written by another version, or of a collector that is not enabled
 * - `damaged`: not readable
 */
export type DropReason = (typeof dropReasons)[number];

export class RestoreReport {
  series = 0;
  readonly dropped: Partial<Record<DropReason, number>> = {};

  get isEmpty(): boolean {
    return this.series === 0 && Object.keys(this.dropped).length === 0;
  }

  get fields(): Readonly<Record<string, number>> {
    const counts = Object.entries(this.dropped).map(([reason, count]) => [`dropped_${reason}`, count]);
    return { series: this.series, ...Object.fromEntries(counts) };
  }

  drop(reason: DropReason, count = 1): void {
    if (count > 0) this.dropped[reason] = (this.dropped[reason] ?? 0) + count;
  }
}
