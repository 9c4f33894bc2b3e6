import { pino } from 'pino';
import { escapeControls } from './config/values/wording.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export const logFormats = ['logfmt', 'json'] as const;

export interface LogOptions {
  readonly level: (typeof logLevels)[number];
  readonly format: (typeof logFormats)[number];
  /** Whether each line begins with its priority in angle brackets. systemd's journal stores the priority, and removes it from the line. */
  readonly hasPriority?: boolean;
}

/** The syslog priority of each level. */
const priorities: Readonly<Record<LogOptions['level'], number>> = { debug: 7, info: 6, warn: 4, error: 3 };

/**
 * Writes log messages. A message is a constant text; variable data is in `fields`. debug: every poll and API call. info: started, stopped,
 * reloaded, recovered. warn: a degraded function that recovers automatically. error: a problem that a person must solve.
 */
export type Log = Readonly<Record<LogOptions['level'], (fields: object, message: string) => void>>;

/** Discards all messages. For commands that print failures themselves. */
export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A stream. `writableLength`: bytes that wait for a slow reader. `done`: called after a write, with the error if it failed. */
export interface LogDestination {
  write(line: string, done?: (error?: Error | null) => void): unknown;
  readonly writableLength?: number;
}

/** Maximum number of bytes that may wait for a slow reader. While more bytes wait, lines are dropped. */
const maxPending = 1024 * 1024;

/** Creates a log that writes one line per message. */
export function createLog({ level, format, hasPriority }: LogOptions, destination: LogDestination): Log {
  const write = (json: string) => {
    if ((destination.writableLength ?? 0) > maxPending) return;
    destination.write(
      (hasPriority ? priorityOf(json) : '') + escapeControls(format === 'json' ? json : toLogfmt(json)),
    );
  };
  const timestamp = () => `,"time":"${new Date().toISOString()}"`;
  return pino({ level, base: null, timestamp, formatters: { level: (label) => ({ level: label }) } }, { write });
}

function priorityOf(line: string): string {
  const { level }: Pick<LogOptions, 'level'> = JSON.parse(line);
  return `<${priorities[level]}>`;
}

/** Converts a line of JSON to `time=… level=… msg="…" key=value`. An object becomes JSON text. */
function toLogfmt(line: string): string {
  const { time, level, msg, ...fields }: Record<string, unknown> = JSON.parse(line);
  const pairs = Object.entries({ time, level, msg, ...fields }).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${key}=${/^[^\s"=\\\p{Cc}\p{Bidi_Control}]+$/u.test(text) ? text : JSON.stringify(text)}`;
  });
  return `${pairs.join(' ')}\n`;
}

/** Lists the first `maxNames` names for a log field, and counts the others. */
export function listNames(names: readonly string[], maxNames: number): string {
  const others = names.length - maxNames;
  return names.slice(0, maxNames).join(', ') + (others > 0 ? ` and ${others} more` : '');
}
