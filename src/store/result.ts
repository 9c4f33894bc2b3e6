import type { Failure } from '../api/error.ts';
import type { Family } from '../collectors/family.ts';

/** A received payload. Times are in Unix milliseconds. */
export interface Answer {
  readonly payload: unknown;
  readonly answered: number;
  /** The time of the answer by the clock of the API. */
  readonly providerTime: number;
  /** Whether no element of the payload's lists was dropped. */
  readonly complete: boolean;
}

/** The newest result of one item. Everything that is shown, judged or saved is derived from it. */
export interface Result extends Omit<Answer, 'payload'> {
  /** The series that are shown. */
  readonly families: readonly Family[];
  /** The payload as JSON, for the state file and the charts. */
  readonly payload: string;
  /** Number of series that `max_series` removed. */
  readonly dropped: number;
  /** End of `max_age`, by the exporter's clock. */
  readonly expires: number;
}

/** A finished poll of a collector, as it is saved, restored, shown and exported. Times in Unix milliseconds. */
export interface FinishedPoll {
  readonly ended: number;
  /** Whether all parts of the poll succeeded. False for a restored poll if all its figures were dropped. */
  readonly succeeded: boolean;
  readonly seconds: number;
  readonly calls: number;
  /** The first failure determines the retry. Empty if the poll succeeded. */
  readonly failures: readonly Failure[];
  /** Whether the API answered every call and accepted the credentials; undefined for a successful poll without calls. */
  readonly accepted: boolean | undefined;
  /** Number of failed polls in a row, including this one. */
  readonly failedPolls: number;
  readonly lastSuccess: number | undefined;
  readonly droppedSeries: number;
  readonly isFromEarlierProcess: boolean;
}

/**
 * Why a saved file or result is not restored:
 * - `expired`: older than `max_age`
 * - `future`: the clock was set back
 * - `foreign`: of another server, login, token or notation
 * - `unknown`: written by another version, or of a collector that is not enabled
 * - `damaged`: not readable
 */
export type DropReason = 'expired' | 'future' | 'foreign' | 'unknown' | 'damaged';
