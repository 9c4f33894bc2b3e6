import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../config/duration.ts';
import type { Environment } from '../config/environment.ts';
import { parseShard, type Shard, shardOfEnvironment } from './shard.ts';

// Each function reads the value of a flag. It throws an InvalidArgumentError that says what to write.

/** Milliseconds. More samples would be of no use, because values change once an hour. */
const minStep = 10_000;

/** Labels of the exporter's own series. */
const ownLabels: readonly string[] = ['account', 'site_id', 'site', 'database'];

export function nonEmpty(written: string): string {
  if (written === '') throw new InvalidArgumentError('It is empty.');
  // If the value is missing, commander uses the next flag as the value.
  if (written.startsWith('--')) throw new InvalidArgumentError('It is a flag, so the value is missing.');
  return written;
}

export function validated(validate: (text: string) => string | undefined): (written: string) => string {
  return (written) => {
    const problem = validate(nonEmpty(written));
    if (problem !== undefined) throw new InvalidArgumentError(`It ${problem}.`);
    return written;
  };
}

export function shard(written: string, environment: Environment): Shard {
  if (written === 'auto') {
    const found = shardOfEnvironment(environment);
    if (typeof found === 'string') throw new InvalidArgumentError(found);
    return found;
  }
  const parsed = parseShard(nonEmpty(written));
  if (parsed === undefined)
    throw new InvalidArgumentError('It is not a shard; write i/n with i from 1 to n, such as 2/5, or auto.');
  return parsed;
}

export function days(written: string): number {
  const number = /^\d{1,4}$/.test(written) ? Number(written) : 0;
  if (!(number > 0)) throw new InvalidArgumentError('It is not a number of days.');
  return number;
}

export function step(written: string): number {
  const milliseconds = parseDuration(nonEmpty(written)) ?? 0;
  if (milliseconds < minStep) throw new InvalidArgumentError('It is not a duration of at least 10s; write 4m or 1h.');
  return milliseconds;
}

/** Unix milliseconds. */
export function pastTime(written: string): number {
  if (written === 'now') return Date.now();
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)$/.test(written)
    ? Date.parse(written)
    : Number.NaN;
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError('It is not a time; write it with its zone, such as 2026-06-01T12:00:00Z, or now.');
  }
  if (time > Date.now()) throw new InvalidArgumentError('It is in the future.');
  return time;
}

export function targetLabel(
  written: string,
  previous: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name = '', value = ''] = /^([a-zA-Z_][a-zA-Z0-9_]*)=(.+)$/s.exec(written) ?? [];
  if (name === '') throw new InvalidArgumentError('It is not a label; write name=value, such as env=production.');
  if (['job', 'instance'].includes(name)) throw new InvalidArgumentError(`Use --${name} for this label.`);
  if (name.startsWith('__') || ownLabels.includes(name) || name in previous) {
    throw new InvalidArgumentError(`The label ${name} is already used; choose another name.`);
  }
  return { ...previous, [name]: value };
}

export function port(written: string): number {
  const number = /^\d{1,5}$/.test(written) ? Number(written) : Number.NaN;
  if (!(number <= 65_535)) throw new InvalidArgumentError('It is not a port; write a number from 0 to 65535.');
  return number;
}

export function cost(written: string): number {
  const number = /^\d{2}$/.test(written) ? Number(written) : 0;
  if (!(number >= 10 && number <= 14)) throw new InvalidArgumentError('It is not a cost from 10 to 14.');
  return number;
}

export function speed(written: string): number {
  const number = /^\d{1,7}(?:\.\d+)?$/.test(written) ? Number(written) : 0;
  if (!(number > 0)) throw new InvalidArgumentError('It is not a speed; write a number such as 1 or 60.');
  return number;
}
