import type { Json, JsonObject } from '../json.ts';
import type { AccountState } from '../state/records.ts';
import type { Moment, Timeline } from '../time/timeline.ts';
import type { CallArguments } from './call-arguments.ts';

/** An authenticated and permitted call. */
export interface Call {
  readonly account: AccountState;
  readonly args: CallArguments;
  readonly moment: Moment;
  /** Milliseconds by which load is added up late. */
  readonly lag: number;
  /** Converts past instants, such as that of a backup. */
  readonly timeline: Timeline;
}

/** One method of the API in one dialect. */
export type Method<Result extends Json = Json> = Query<Result> | Change;

interface MethodDescription {
  readonly purpose: string;
  /** Parameter names; optional ones end with `?`. */
  readonly parameters?: readonly string[];
}

export interface Query<Result extends Json> extends MethodDescription {
  /** Returns the payload. Throws a Refusal if the call fails. */
  readonly answer: (call: Call) => Result;
}

export interface Change extends MethodDescription {
  /** Changes the account; the payload only says that this succeeded. Throws a Refusal if the call fails. */
  readonly change: (call: Call) => void;
}

/** Methods of one section by name. */
export type Section<Result extends Json = Json> = Readonly<Record<string, Method<Result>>>;

/** The results of the specification are objects and lists; the provider also answers scalars. */
export type SpecificationSection = Section<JsonObject | readonly Json[]>;
