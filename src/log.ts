import { type DestinationStream, pino } from 'pino';

/** Where the program says what it does. Fixed words are the message; what varies are fields. */
export interface Log {
  /** Every poll and every call. */
  debug(fields: object, message: string): void;
  /** Started, stopped, recovered. */
  info(fields: object, message: string): void;
  /** Degraded, and heals itself. */
  warn(fields: object, message: string): void;
  /** A person must act. */
  error(fields: object, message: string): void;
}

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export const logFormats = ['logfmt', 'json'] as const;

export interface LogOptions {
  readonly level: (typeof logLevels)[number];
  readonly format: (typeof logFormats)[number];
}

/** A log that writes one line an event. */
export function createLog({ level, format }: LogOptions, destination: { write(line: string): unknown }): Log {
  const stream: DestinationStream = {
    write: (line) => {
      destination.write(format === 'json' ? line : toLogfmt(line));
    },
  };
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
}

/** `time=… level=… msg="…" key=value` from a line of JSON; objects stay JSON. */
function toLogfmt(line: string): string {
  const { time, level, msg, ...fields }: Record<string, unknown> = JSON.parse(line);
  const pairs = Object.entries({ time, level, msg, ...fields }).filter(([, value]) => value !== undefined);
  return `${pairs.map(([key, value]) => `${key}=${quote(value)}`).join(' ')}\n`;
}

function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s"=\\]+$/.test(text) ? text : JSON.stringify(text);
}
