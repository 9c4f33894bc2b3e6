import type { Json } from '../json.ts';
import type { AccountRecord } from '../state/records.ts';
import type { SandboxMoment, Timeline } from '../time/timeline.ts';
import type { CallArguments } from './call-arguments.ts';

/** An authenticated and permitted call. */
export interface Call {
  readonly account: AccountRecord;
  readonly args: CallArguments;
  readonly moment: SandboxMoment;
  /** For how many milliseconds the load of an hour or day still grows after its end. */
  readonly lag: number;
  /** Converts past instants, such as the time of a backup, to simulated time. */
  readonly timeline: Timeline;
}

export interface SandboxMethod {
  readonly purpose: string;
  /** Parameter names; names of optional parameters end with `?`. */
  readonly parameters: readonly string[];
  /** Returns the payload; undefined if the call only changes the account. Throws a Refusal if the call fails. */
  readonly run: (call: Call) => Json | undefined;
}

export type SandboxSection = Readonly<Record<string, SandboxMethod>>;

/**
 * A method that returns data. `answer` gets the required text parameters, in the order of `names`. It reads other parameters from
 * `call.args`: names of optional parameters end with `?`, and names of required parameters that are not texts end with `[]`.
 */
export function read(
  purpose: string,
  names: readonly string[],
  answer: (call: Call, ...texts: string[]) => Json | undefined,
): SandboxMethod {
  const required = names.filter((name) => /^\w+$/.test(name));
  const parameters = names.map((name) => name.replace('[]', ''));
  return { purpose, parameters, run: (call) => answer(call, ...required.map((name) => call.args.text(name))) };
}

/** A method that only changes the account. For the parameters, see `read`. */
export function change(
  purpose: string,
  names: readonly string[],
  apply: (call: Call, ...texts: string[]) => unknown,
): SandboxMethod {
  return read(purpose, names, (call, ...texts) => {
    apply(call, ...texts);
    return undefined;
  });
}

/** Prints an id: as a string on a legacy server, otherwise as a number. */
export function printId(id: number, account: AccountRecord): string | number {
  return account.server.legacy ? String(id) : id;
}

/** Prints a flag: as "0" or "1" on a legacy server, otherwise as a boolean. */
export function printFlag(flag: boolean, account: AccountRecord): string | boolean {
  return account.server.legacy ? String(Number(flag)) : flag;
}
