import { CommanderError } from 'commander';
import { ConfigError } from '../config/values/config-error.ts';
import { parseArguments } from './arguments.ts';
import type { CommandContext } from './command.ts';
import { type ExitCode, ExitError } from './exit-code.ts';

export async function run(argv: readonly string[], context: CommandContext): Promise<ExitCode> {
  try {
    return await (await parseArguments(argv, context)).run();
  } catch (error) {
    // Commander has already printed the help, the version or the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof ExitError || error instanceof ConfigError)) throw error;
    if (error.message !== '') context.stderr.write(`${error.message}\n`);
    return error instanceof ExitError ? error.code : 2;
  }
}
