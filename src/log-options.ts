export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export const logFormats = ['logfmt', 'json'] as const;

/** Which messages are logged, and in which format. */
export interface LogOptions {
  readonly level: (typeof logLevels)[number];
  readonly format: (typeof logFormats)[number];
}
