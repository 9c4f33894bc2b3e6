import type { Json } from '../json.ts';
import type { AccountState } from '../state/records.ts';
import type { Moment, Timeline } from '../time/timeline.ts';
import type { CallArguments } from './call-arguments.ts';

/** An authenticated and permitted call. */
export interface Call {
  readonly account: AccountState;
  readonly args: CallArguments;
  readonly moment: Moment;
  /** Converts past instants, such as that of a backup. */
  readonly timeline: Timeline;
}

/** One method of the API in one dialect. */
export type Method = Query | Change;

interface MethodDescription {
  readonly purpose: string;
  /** Parameter names; optional ones end with `?`. */
  readonly parameters?: readonly string[];
}

interface Query extends MethodDescription {
  /** Returns the payload. Throws a Refusal if the call fails. */
  readonly answer: (call: Call) => Json;
}

interface Change extends MethodDescription {
  /** Changes the account; the payload is `true`. Throws a Refusal if the call fails. */
  readonly change: (call: Call) => void;
}

/** Methods of one section by name. */
export type Section = Readonly<Record<string, Method>>;
