/** The exit codes with their descriptions. Monitoring and service managers depend on the codes. */
export const exitCodes = {
  0: 'Success. `serve`, `sandbox` and `demo` also exit with 0 after SIGTERM or SIGINT.',
  1: '`once` or `check`: a collector failed, or a signal stopped the command. `healthy`: no exporter listens, or one is not healthy. All commands: a second signal, or a bug of the exporter, which prints a stack trace.',
  2: 'Invalid flags or configuration, a file that cannot be written, or Node.js older than 22.19. A restart does not help.',
  3: 'The port cannot be opened: another program uses it, or the machine does not have the address yet. Or another exporter uses the state directory. A restart can help.',
} as const;

export type ExitCode = keyof typeof exitCodes;

/** An error with an exit code. The program prints the message to stderr and exits with the code. */
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
