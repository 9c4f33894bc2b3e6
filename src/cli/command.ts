import type * as Typed from '@commander-js/extra-typings';
import * as commander from 'commander';
import type { CommandContext } from './command-context.ts';
import type { ExitCode } from './exit-code.ts';

/** commander with types that derive the type of each flag's value from the definition of the flag. */
export const { InvalidArgumentError, Option } = commander as unknown as typeof Typed;

export interface Warned {
  /** One line for each flag whose value is ignored. */
  readonly warnings: readonly string[];
}

type AddFlags<Flags extends Typed.OptionValues> = (
  command: Typed.Command,
  context: CommandContext,
) => Typed.Command<[], Flags>;

/** The values of the flags that a function adds to a command, by commander's names. */
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
