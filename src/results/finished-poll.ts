import type { Reason } from '../api/error.ts';
import type { Method } from '../api/method.ts';

/** Why a poll, or one item of it, failed. */
export interface PollFailure {
  /** `bug` if the exporter failed and not the API. */
  readonly reason: Reason | 'bug';
  readonly message: string;
  /** Only a bug has a stack. */
  readonly stack?: string | undefined;
  /** Whether the API answered and accepted the credentials. */
  readonly accepted: boolean;
  /** The method to permit, if the API grants permissions per method. */
  readonly forbiddenMethod?: Method | undefined;
  /** The HTTP status of an answer without this API's envelope. */
  readonly status?: number | undefined;
  /** Whether the answer can be read and is not one of this API. */
  readonly isForeign?: boolean | undefined;
}

/** A finished poll of a collector, as it is saved, restored, shown and exported. Times in Unix milliseconds. */
export interface FinishedPoll {
  readonly ended: number;
  /** Whether all of its parts succeeded. False for a poll of an earlier process whose figures were all dropped. */
  readonly succeeded: boolean;
  readonly seconds: number;
  /** Number of API calls that were sent. */
  readonly calls: number;
  /** The first failure determines the retry. Empty if the poll succeeded. */
  readonly failures: readonly PollFailure[];
  /** Whether the API answered every call and accepted the credentials; undefined for a successful poll without calls. */
  readonly accepted: boolean | undefined;
  /** Number of failed polls in a row, including this one. */
  readonly failedPolls: number;
  readonly lastSuccess: number | undefined;
  /** Number of series that `max_series` removed. */
  readonly droppedSeries: number;
  /** Time of the retry; undefined if no retry is planned. */
  readonly retry: number | undefined;
  readonly isFromEarlierProcess: boolean;
}
