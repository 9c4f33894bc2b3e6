import { CommanderError } from 'commander';
import { ConfigError } from '../config/config-error.ts';
import { parseArguments } from './arguments.ts';
import { check } from './check.ts';
import { checkConfiguration } from './configuration-check.ts';
import { demo } from './demo.ts';
import type { ExitCode } from './exit-code.ts';
import type { Host } from './host.ts';
import { ListenError } from './listen-error.ts';
import { once } from './once.ts';
import { rules } from './rules.ts';
import { sandbox } from './sandbox.ts';
import { UsageError } from './selection.ts';
import { serve } from './serve.ts';

/** Runs a command and returns the exit code of the program. */
export async function run(argv: readonly string[], host: Host): Promise<ExitCode> {
  try {
    return await dispatch(argv, host);
  } catch (error) {
    // Commander has already printed the help, the version or the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof UsageError || error instanceof ConfigError) {
      host.stderr.write(`${error.message}\n`);
      return 2;
    }
    if (error instanceof ListenError) {
      host.stderr.write(`${error.message}\n`);
      return 3;
    }
    throw error;
  }
}

async function dispatch(argv: readonly string[], host: Host): Promise<ExitCode> {
  const args = parseArguments(argv, host);
  switch (args.command) {
    case 'serve':
      return args.configCheck ? checkConfiguration(args, host) : serve(args, host);
    case 'once':
      return once(args, host);
    case 'check':
      return check(args, host);
    case 'rules':
      return rules(args, host);
    case 'sandbox':
      return sandbox(args, host);
    case 'demo':
      return demo(args, host);
  }
}
