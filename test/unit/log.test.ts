import { expect, test } from 'vitest';
import { createLog } from '../../src/log.ts';
import type { LogOptions } from '../../src/log-options.ts';

/** A stream whose reader takes nothing until `drain`. */
class StuckStream {
  readonly lines: string[] = [];
  writableLength = 0;
  readonly #listeners: (() => void)[] = [];

  write(line: string): void {
    this.lines.push(line);
    this.writableLength += line.length;
  }

  once(_event: 'drain', listener: () => void): void {
    this.#listeners.push(listener);
  }

  drain(): void {
    this.writableLength = 0;
    for (const listener of this.#listeners.splice(0)) listener();
  }

  get listenerCount(): number {
    return this.#listeners.length;
  }
}

function stuckLog(options: Partial<LogOptions> = {}) {
  const stream = new StuckStream();
  return { stream, log: createLog({ level: 'info', format: 'logfmt', ...options }, stream) };
}

const mebibyte = 1024 * 1024;
const text = 'x'.repeat(1000);

test('drops lines beyond a mebibyte that the reader has not taken', () => {
  const { stream, log } = stuckLog();

  for (let line = 0; line < 5000; line += 1) log.info({ text }, 'full');

  expect(stream.writableLength).toBeGreaterThan(mebibyte);
  expect(stream.writableLength).toBeLessThan(mebibyte + 2000);
  expect(stream.listenerCount).toBe(1);
});

test('reports the number of dropped lines once when the reader continues, and then logs again', () => {
  const { stream, log } = stuckLog();
  for (let line = 0; line < 5000; line += 1) log.info({ text }, 'full');
  const written = stream.lines.length;

  stream.drain();
  log.info({}, 'next');

  expect(stream.lines.slice(written).map((line) => line.replace(/^time=\S+ /, ''))).toEqual([
    `level=warn msg="log lines dropped, because the reader of the log was too slow" lines=${5000 - written}\n`,
    'level=info msg=next\n',
  ]);
});

test('reports dropped lines before the next line if the stream empties without a drain event', () => {
  const { stream, log } = stuckLog({ format: 'json' });
  for (let line = 0; line < 2000; line += 1) log.info({ text }, 'full');
  const written = stream.lines.length;

  stream.writableLength = 0;
  log.info({}, 'next');
  stream.drain();

  const added = stream.lines.slice(written).map((line) => JSON.parse(line));
  expect(added).toMatchObject([{ level: 'warn', lines: 2000 - written }, { msg: 'next' }]);
});

test('reports dropped lines even if the log contains only errors', () => {
  const { stream, log } = stuckLog({ level: 'error' });
  for (let line = 0; line < 2000; line += 1) log.error({ text }, 'full');

  stream.drain();

  expect(stream.lines.at(-1)).toContain('level=error msg="log lines dropped');
});
