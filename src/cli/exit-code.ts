/** The exit codes of all commands, and what they mean. Monitoring and service managers depend on them. */
export const exitCodes = {
  0: 'Success. `serve`, `sandbox` and `demo` also exit with 0 after SIGTERM or SIGINT.',
  1: '`once` or `check`: a collector failed, or a signal stopped the command. `healthy`: no exporter runs, or one is not healthy. All commands: a second signal, or a bug of the exporter, which prints a stack trace.',
  2: 'Invalid flags or configuration, a file that cannot be written, or Node.js older than 22.19. A restart does not help.',
  3: 'The port cannot be opened: another program uses it, or the machine does not have the address yet. Or another exporter uses the state directory. A restart can help.',
} as const;

export type ExitCode = keyof typeof exitCodes;
