import type { Json, JsonObject } from '../json.ts';
import type { AccountRecord } from '../state/records.ts';
import type { SandboxMoment, Timeline } from '../time/timeline.ts';
import type { CallArguments } from './call-arguments.ts';

/** An authenticated and permitted call. */
export interface Call {
  readonly account: AccountRecord;
  readonly args: CallArguments;
  readonly moment: SandboxMoment;
  /** How long load still grows after its hour or day, in milliseconds. */
  readonly lag: number;
  /** Converts past instants, such as the time of a backup. */
  readonly timeline: Timeline;
}

export type SandboxMethod<Result extends Json = Json> = ReadMethod<Result> | Change;

interface MethodDescription {
  readonly purpose: string;
  /** Parameter names; names of optional parameters end with `?`. */
  readonly parameters?: readonly string[];
}

export interface ReadMethod<Result extends Json> extends MethodDescription {
  /** Returns the payload. Throws a Refusal if the call fails. */
  readonly answer: (call: Call) => Result;
}

export interface Change extends MethodDescription {
  /** Changes the account. The payload only confirms the change. Throws a Refusal if the call fails. */
  readonly change: (call: Call) => void;
}

export type SandboxSection<Result extends Json = Json> = Readonly<Record<string, SandboxMethod<Result>>>;

/** A section of the specification, whose results are objects and lists. Results of the provider can also be scalars. */
export type SpecificationSection = SandboxSection<JsonObject | readonly Json[]>;

/** Prints an id: as a string on a legacy server, otherwise as a number. */
export function printId(id: number, account: AccountRecord): string | number {
  return account.server.legacy ? String(id) : id;
}

/** Prints a flag: as "0" or "1" on a legacy server, otherwise as a boolean. */
export function printFlag(flag: boolean, account: AccountRecord): string | boolean {
  return account.server.legacy ? String(Number(flag)) : flag;
}
