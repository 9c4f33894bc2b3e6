import * as z from 'zod';
import { failure } from '../api/error.ts';
import type { Family } from '../collectors/family.ts';

/** A received payload. Times are in Unix milliseconds. Any time is valid, because a clock may be wrong. */
export const answer = z.object({
  payload: z.unknown(),
  answered: z.number(),
  /** The time of the answer by the clock of the API. */
  providerTime: z.number(),
  /** False if elements of the payload's lists were dropped. */
  complete: z.boolean(),
});

export type Answer = Readonly<z.infer<typeof answer>>;

/** The newest result of one item. The pages, the metrics and the saved state are derived from results. */
export interface Result extends Omit<Answer, 'payload'> {
  /** The series that are shown. */
  readonly families: readonly Family[];
  /** The payload as JSON, for the state file and the charts. */
  readonly payload: string;
  /** Number of series that `max_series` removed. */
  readonly dropped: number;
  /** Time at which the result reaches the age `max_age`, by the exporter's clock. */
  readonly expires: number;
}

/** A finished poll of a collector, as it is saved, restored, shown and exported. Times are in Unix milliseconds. */
export const finishedPoll = z.object({
  ended: z.number(),
  /** Whether all parts of the poll succeeded. False for a restored poll if all its figures were dropped. */
  succeeded: z.boolean(),
  seconds: z.number(),
  calls: z.int().min(0),
  /** The first failure determines the retry. Empty if the poll succeeded. */
  failures: z.array(failure).readonly(),
  /** Whether the API answered every call and accepted the credentials; undefined for a successful poll without calls. */
  accepted: z.boolean().optional(),
  /** Number of failed polls in a row, including this one. */
  failedPolls: z.int().min(0),
  lastSuccess: z.number().optional(),
  isFromEarlierProcess: z.boolean(),
});

export type FinishedPoll = Readonly<z.infer<typeof finishedPoll>>;

/**
 * Why a saved file or result is not restored:
 * - `expired`: older than `max_age`
 * - `future`: newer than the clock, because the clock was set back
 * - `foreign`: from another API server, login, token or notation
 * - `unknown`: written by another version, or for a collector that is not enabled
 * - `damaged`: not readable
 */
export type DropReason = 'expired' | 'future' | 'foreign' | 'unknown' | 'damaged';
