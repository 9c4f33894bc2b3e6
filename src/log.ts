import { type DestinationStream, pino } from 'pino';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export const logFormats = ['logfmt', 'json'] as const;

export interface LogOptions {
  readonly level: (typeof logLevels)[number];
  readonly format: (typeof logFormats)[number];
}

/** Writes log messages. A message is a constant text; variable data is in `fields`. */
export interface Log {
  /** For every poll and every API call. */
  debug(fields: object, message: string): void;
  /** For normal events: started, stopped, reloaded, recovered. */
  info(fields: object, message: string): void;
  /** For a degraded function that recovers automatically. */
  warn(fields: object, message: string): void;
  /** For problems that a person must solve. */
  error(fields: object, message: string): void;
}

/** Discards all messages. For commands that print failures without a log. */
export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export interface LogDestination {
  write(line: string): unknown;
  readonly writableLength?: number;
  once?(event: 'drain', listener: () => void): unknown;
}

/** Maximum number of bytes that wait for a slow reader. */
const maxPending = 1024 * 1024;

/** Creates a log that writes one line per message. Drops and counts lines while too many bytes are pending. */
export function createLog({ level, format }: LogOptions, destination: LogDestination): Log {
  let dropped = 0;
  let awaitsDrain = false;
  const stream: DestinationStream = {
    write: (line) => {
      if ((destination.writableLength ?? 0) > maxPending) {
        dropped += 1;
        reportAfterDrain();
        return;
      }
      reportDropped();
      destination.write(escapeControls(format === 'json' ? line : toLogfmt(line)));
    },
  };

  function reportAfterDrain(): void {
    if (awaitsDrain) return;
    awaitsDrain = true;
    destination.once?.('drain', () => {
      awaitsDrain = false;
      reportDropped();
    });
  }

  function reportDropped(): void {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    const method = level === 'error' ? 'error' : 'warn';
    logger[method]({ lines }, 'log lines dropped, because the reader of the log was too slow');
  }

  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );
  return logger;
}

/** Lists the first `maxNames` names for a log field, and counts the others. */
export function listNames(names: readonly string[], maxNames: number): string {
  const shown = names.slice(0, maxNames).join(', ');
  const others = names.length - maxNames;
  return others > 0 ? `${shown} and ${others} more` : shown;
}

/** Converts a line of JSON to `time=… level=… msg="…" key=value`. Objects stay JSON. */
function toLogfmt(line: string): string {
  const { time, level, msg, ...fields }: Record<string, unknown> = JSON.parse(line);
  const pairs = Object.entries({ time, level, msg, ...fields });
  return `${pairs.map(([key, value]) => `${key}=${quote(value)}`).join(' ')}\n`;
}

function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s"=\\\p{Cc}]+$/u.test(text) ? text : JSON.stringify(text);
}

/** Escapes control characters and line separators that JSON does not escape. */
function escapeControls(line: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return line.replace(/[\u007f-\u009f\u2028\u2029]/g, escaped);
}
