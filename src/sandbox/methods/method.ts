import type { Json } from '../json.ts';
import type { AccountState } from '../state/records.ts';
import type { Moment, Timeline } from '../time/timeline.ts';
import type { CallArguments } from './call-arguments.ts';

/** One call that was let in. */
export interface Call {
  readonly account: AccountState;
  readonly given: CallArguments;
  readonly moment: Moment;
  /** For moments in the past, such as that of a backup. */
  readonly timeline: Timeline;
}

/** One method of the API in one dialect. */
export interface Method {
  readonly purpose: string;
  /** Names of its parameters, `?` at the end of those that may be left out. */
  readonly parameters?: readonly string[];
  /** The payload; a Refusal where the call can't be answered. */
  readonly answer: (call: Call) => Json;
}

/** Methods of one section by name. */
export type Section = Readonly<Record<string, Method>>;
