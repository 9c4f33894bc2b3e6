import { CommanderError } from 'commander';
import { ConfigError } from '../config/config-error.ts';
import { parseArguments } from './arguments.ts';
import { BlockedError } from './blocked-error.ts';
import type { ExitCode } from './exit-code.ts';
import type { Host } from './host.ts';
import { UsageError } from './usage-error.ts';

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
    if (error instanceof BlockedError) {
      host.stderr.write(`${error.message}\n`);
      return 3;
    }
    throw error;
  }
}

/** Loads only what the command needs: `--help` starts four times as fast, and serving needs less memory. */
async function dispatch(argv: readonly string[], host: Host): Promise<ExitCode> {
  const args = parseArguments(argv, host);
  switch (args.command) {
    case 'serve': {
      if (!args.configCheck) return (await import('./serve.ts')).serve(args, host);
      return (await import('./configuration-check.ts')).checkConfiguration(args, host);
    }
    case 'once':
      return (await import('./once.ts')).once(args, host);
    case 'check':
      return (await import('./check.ts')).check(args, host);
    case 'history':
      return (await import('./history.ts')).history(args, host);
    case 'rules':
      return (await import('./rules.ts')).rules(args, host);
    case 'sandbox':
      return (await import('./sandbox.ts')).sandbox(args, host);
    case 'demo':
      return (await import('./demo.ts')).demo(args, host);
    case 'hash-password':
      return (await import('./hash-password.ts')).hashPassword(args, host);
    case 'healthy':
      return (await import('./healthy.ts')).healthy(host);
  }
}
