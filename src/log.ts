import { type DestinationStream, pino } from 'pino';

/** Messages are constant; data goes into fields. */
export interface Log {
  /** Every poll and every API call. */
  debug(fields: object, message: string): void;
  /** Started, stopped, reloaded, recovered. */
  info(fields: object, message: string): void;
  /** Degraded, and recovers automatically. */
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

/** Creates a log that writes one line per message. */
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

/** Converts a line of JSON to `time=… level=… msg="…" key=value`. Objects stay JSON. */
function toLogfmt(line: string): string {
  const { time, level, msg, ...fields }: Record<string, unknown> = JSON.parse(line);
  const pairs = Object.entries({ time, level, msg, ...fields }).filter(([, value]) => value !== undefined);
  return `${pairs.map(([key, value]) => `${key}=${quote(value)}`).join(' ')}\n`;
}

function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s"=\\]+$/.test(text) ? text : JSON.stringify(text);
}
