import type { ApiError, Reason } from '../api/error.ts';

export interface PollFailure
  extends Pick<ApiError, 'message' | 'accepted'>,
    Partial<Pick<ApiError, 'forbiddenMethod' | 'status' | 'isForeign'>> {
  /** `bug`: an error in the exporter's code. */
  readonly reason: Reason | 'bug';
  /** Only a bug has a stack. */
  readonly stack?: string | undefined;
}

/** A finished poll of a collector, as it is saved, restored, shown and exported. Times in Unix milliseconds. */
export interface FinishedPoll {
  readonly ended: number;
  /** Whether all parts of the poll succeeded. False for a restored poll if all its figures were dropped. */
  readonly succeeded: boolean;
  readonly seconds: number;
  readonly calls: number;
  /** The first failure determines the retry. Empty if the poll succeeded. */
  readonly failures: readonly PollFailure[];
  /** Whether the API answered every call and accepted the credentials; undefined for a successful poll without calls. */
  readonly accepted: boolean | undefined;
  /** Number of failed polls in a row, including this one. */
  readonly failedPolls: number;
  readonly lastSuccess: number | undefined;
  readonly droppedSeries: number;
  readonly retry: number | undefined;
  readonly isFromEarlierProcess: boolean;
}
