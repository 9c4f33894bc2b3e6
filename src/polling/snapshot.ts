import type { KeptPayload } from '../exposition/kept-payload.ts';
import type { PollFailure } from './failure-tracker.ts';

/**
 * What an account remembers of its polls: enough to show its figures again, with their age, and to poll each collector at
 * its time. It outlives the account in a reload, and the process in a state directory.
 */
export interface AccountSnapshot {
  /** By name; only collectors with a finished call. */
  readonly collectors: ReadonlyMap<string, CollectorSnapshot>;
}

export interface CollectorSnapshot {
  /** By item, as in the store; the only item of a list collector is empty. */
  readonly payloads: ReadonlyMap<string, KeptPayload>;
  /** Start of the newest run in Unix milliseconds; 0 if a run is due. Items of a fan-out that answered before it are due. */
  readonly runStarted: number;
  /** Undefined before the end of the first poll. */
  readonly poll: PollSnapshot | undefined;
}

/** The newest poll of a collector. Times in Unix milliseconds. */
export interface PollSnapshot {
  readonly ended: number;
  readonly lastSuccess: number | undefined;
  /** Failed polls in a row. */
  readonly failedPolls: number;
  /** The decisive one first; empty if the poll succeeded. Without the less important of many. */
  readonly failures: readonly PollFailure[];
  /** Whether the API answered every call and accepted the credentials; undefined if a fan-out had no items to ask for. */
  readonly accepted: boolean | undefined;
  /** Series that `max_series` removed. */
  readonly droppedSeries: number;
  /** When a failed poll is retried; undefined if only a run does that. */
  readonly retry: number | undefined;
  /** Whether an earlier process made it. */
  readonly isFromEarlierProcess: boolean;
}

/** Why a part of a snapshot is not shown. */
export const dropReasons = ['expired', 'future', 'foreign', 'unknown', 'damaged'] as const;

/**
 * - `expired`: older than `max_age`
 * - `future`: the clock was set back
 * - `foreign`: of another server, login or notation
 * - `unknown`: written by another version, or of a collector that is not enabled
 * - `damaged`: not readable
 */
export type DropReason = (typeof dropReasons)[number];

/** What became of a snapshot. */
export interface RestoreReport {
  /** Series that are shown again. */
  readonly series: number;
  /** Payloads or files that are not shown, by reason. */
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
}
