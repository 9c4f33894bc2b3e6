import { once } from 'node:events';
import type * as Typed from '@commander-js/extra-typings';
import * as commander from 'commander';
import type { Environment } from '../config/file/environment.ts';
import type { LogDestination } from '../log.ts';
import type { Build } from '../store/process-metrics.ts';

export interface CommandContext {
  readonly environment: Environment;
  readonly stdout: LogDestination;
  readonly stderr: LogDestination;
  /** Returns `process.stdin`. The first access to `process.stdin` opens the stream, so only commands that read it call this function. */
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

/** commander with more precise types: the definition of a flag determines the type of its value. */
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

/** The exit codes with their descriptions. Monitoring and service managers depend on the codes. */
export const exitCodes = {
  0: 'Success. `serve`, `sandbox` and `demo` also exit with 0 after SIGTERM or SIGINT.',
  1: '`once`, `check`, `history` and `init`: a collector or a call failed, or a signal stopped the command. `healthy`: no exporter listens, or an exporter is not healthy. `init` and `hash-password`: the user cancelled. `report`: a warning, or an account is partially monitored. All commands: a second signal stopped the program, or a bug ended it with a stack trace.',
  2: 'Invalid flags or configuration, a file that cannot be written, or Node.js older than 22.19. A restart does not help. `report`: an account is critical, or a flag is unknown.',
  3: 'Another program uses the port, the machine does not have the listen address yet, or another exporter uses the state directory. A restart can help. `report`: figures are unknown, or there is no report, for example because the configuration is invalid or the exporter does not answer.',
} as const;

export type ExitCode = keyof typeof exitCodes;

/** An error with an exit code. The program prints the message, if there is one, to stderr and exits with the code. */
export class ExitError extends Error {
  override readonly name = 'ExitError';
  readonly code: ExitCode;

  constructor(code: ExitCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export function listenError(address: string, cause: unknown, advice: string): ExitError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ExitError(3, `${address}: cannot listen: ${message}; ${advice}`, cause);
}
