import { once } from 'node:events';
import type * as Typed from '@commander-js/extra-typings';
import * as commander from 'commander';
import type { Environment } from '../config/file/environment.ts';
import type { LogDestination } from '../log.ts';
import type { Build } from '../store/process-metrics.ts';
import type { ExitCode } from './exit-code.ts';

export interface CommandContext {
  readonly environment: Environment;
  readonly stdout: LogDestination;
  readonly stderr: LogDestination;
  /** A function, because Node.js opens stdin when it is first read. */
  readonly stdin: () => NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly build: Build;
  readonly pid: number;
  /** Aborts when the process receives a signal to stop. */
  readonly signal: AbortSignal;
  onReload(listener: () => void): void;
}

export async function untilStopped({ signal }: CommandContext): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** commander with other types: the definition of a flag determines the type of its value. */
export const { InvalidArgumentError, Option } = commander as unknown as typeof Typed;

type AddFlags<Flags extends Typed.OptionValues> = (
  command: Typed.Command,
  context: CommandContext,
) => Typed.Command<[], Flags>;

/** The values of flags. The keys are commander's names for the flags. */
export type FlagsOf<Add> = Add extends AddFlags<infer Flags> ? Flags : never;

export interface CommandDefinition {
  readonly description: string;
  readonly addFlags: (command: Typed.Command, context: CommandContext) => unknown;
  readonly run: (flags: never, context: CommandContext) => Promise<ExitCode>;
}

export function defineCommand<Flags extends Typed.OptionValues>(
  description: string,
  addFlags: AddFlags<Flags>,
  run: (flags: FlagsOf<AddFlags<Flags>>, context: CommandContext) => Promise<ExitCode>,
): CommandDefinition {
  return { description, addFlags, run };
}
