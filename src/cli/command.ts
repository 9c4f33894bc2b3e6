import { once } from 'node:events';
import type * as Typed from '@commander-js/extra-typings';
import * as commander from 'commander';
import type { Environment } from '../config/file/environment.ts';
import type { Build } from '../exposition/process-metrics.ts';
import type { LogDestination } from '../log.ts';
import type { ExitCode } from './exit-code.ts';

export interface CommandContext {
  readonly environment: Environment;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: InputStream;
  readonly build: Build;
  readonly pid: number;
  /** Aborts when the process receives a signal to stop. */
  readonly signal: AbortSignal;
  onReload(listener: () => void): void;
}

export interface Output extends LogDestination {
  readonly isTTY?: boolean;
}

/** Input: the keys of a terminal, or the content of a file or pipe. */
export interface InputStream extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean;
  /** Terminals only. In raw mode, keys arrive one by one and are not shown. */
  setRawMode?(isRaw: boolean): unknown;
}

export async function untilStopped({ signal }: CommandContext): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Prints the warnings of a command that writes no log. */
export function printWarnings({ stderr }: CommandContext, warnings: readonly string[]): void {
  for (const warning of warnings) stderr.write(`warning: ${warning}\n`);
}

/** commander with other types: the definition of a flag determines the type of its value. */
export const { InvalidArgumentError, Option } = commander as unknown as typeof Typed;

export interface Warned {
  /** One line for each flag whose value is ignored. */
  readonly warnings: readonly string[];
}

type AddFlags<Flags extends Typed.OptionValues> = (
  command: Typed.Command,
  context: CommandContext,
) => Typed.Command<[], Flags>;

/** The values of the flags that a function adds to a command. The keys are commander's names for the flags. */
export type FlagsOf<Add> = Add extends AddFlags<infer Flags> ? Flags & Warned : never;

export interface CommandDefinition {
  readonly description: string;
  /** Adds the flags to commander's command. Returns a function that runs the command with the values of the flags. */
  addTo(command: commander.Command, context: CommandContext): (warnings: readonly string[]) => Promise<ExitCode>;
}

export function defineCommand<Flags extends Typed.OptionValues>(
  description: string,
  addFlags: AddFlags<Flags>,
  run: (flags: Flags & Warned, context: CommandContext) => Promise<ExitCode>,
): CommandDefinition {
  return {
    description,
    addTo: (command, context) => {
      const withFlags = addFlags(command as unknown as Typed.Command, context);
      return (warnings) => run({ ...withFlags.opts(), warnings }, context);
    },
  };
}
