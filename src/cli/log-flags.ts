import { createLog, type Log, type LogOptions, logFormats, logLevels } from '../log.ts';
import { type CommandContext, Option, type Warned } from './command.ts';

export function logLevel(level: LogOptions['level'] = 'info') {
  const description = 'lowest level of messages to log, to stderr';
  return new Option('--log.level <level>', description).choices(logLevels).default(level);
}

export function logFormat() {
  return new Option('--log.format <format>', 'format of log messages').choices(logFormats).default('logfmt');
}

interface LogFlags extends Warned {
  readonly 'log.level': LogOptions['level'];
  readonly 'log.format': LogOptions['format'];
}

/** Creates the log, and logs the warnings about the flags. */
export function openLog(flags: LogFlags, { stderr }: CommandContext): Log {
  const log = createLog({ level: flags['log.level'], format: flags['log.format'] }, stderr);
  logWarnings(log, flags.warnings);
  return log;
}

export function logWarnings(log: Log, warnings: readonly string[]): void {
  for (const warning of warnings) log.warn({ warning }, 'configuration warning');
}
