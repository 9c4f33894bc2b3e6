import { expect, test } from 'vitest';
import { createLog, type LogOptions, listNames } from '../../src/log.ts';

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

test('drops further lines while more than a mebibyte waits for the reader', () => {
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

test('reports dropped lines again each time the reader continues', () => {
  const { stream, log } = stuckLog({ format: 'json' });
  const reports: unknown[] = [];
  for (let round = 0; round < 3; round += 1) {
    for (let line = 0; line < 2000; line += 1) log.info({ text }, 'full');
    const written = stream.lines.length;
    stream.drain();
    reports.push(...stream.lines.slice(written).map((line) => JSON.parse(line).level));
  }

  expect(reports).toEqual(['warn', 'warn', 'warn']);
});

test('reports dropped lines even if the log contains only errors', () => {
  const { stream, log } = stuckLog({ level: 'error' });
  for (let line = 0; line < 2000; line += 1) log.error({ text }, 'full');

  stream.drain();

  expect(stream.lines.at(-1)).toContain('level=error msg="log lines dropped');
});

const dangerous = Array.from({ length: 0x2030 }, (_, code) => String.fromCharCode(code)).filter((character) =>
  /[\p{Cc}\u2028\u2029"\\= ]/u.test(character),
);

test.each(['json', 'logfmt'] as const)(
  'writes one line without control characters for any value, and loses nothing (%s)',
  (format) => {
    const { stream, log } = stuckLog({ format });

    for (const character of dangerous) log.info({ text: character, other: `a${character}b` }, 'any');

    expect(dangerous.length).toBeGreaterThan(65);
    expect(stream.lines.filter((line) => !/^[^\p{Cc}\u2028\u2029]+\n$/u.test(line))).toEqual([]);
    const valueIn = (line: string) =>
      JSON.parse(format === 'json' ? line : (/ text=(".*") other=/.exec(line)?.[1] ?? '')) as string | { text: string };
    const values = stream.lines.map(valueIn).map((value) => (typeof value === 'string' ? value : value.text));
    expect(values).toEqual(dangerous);
  },
);

test('quotes only what needs quotes in logfmt', () => {
  const { stream, log } = stuckLog();

  log.info({ plain: 'shop-1/ü', empty: '', spaced: 'a b', list: [1], number: 5, missing: undefined }, 'two words');

  expect(stream.lines[0]).toMatch(
    /^time=\S+ level=info msg="two words" plain=shop-1\/ü empty="" spaced="a b" list=\[1\] number=5\n$/,
  );
});

test.each([
  [['a'], 'a'],
  [['a', 'b'], 'a, b'],
  [['a', 'b', 'c'], 'a, b and 1 more'],
  [['a', 'b', 'c', 'd'], 'a, b and 2 more'],
])('lists of the names %j at most two', (names, list) => {
  expect(listNames(names, 2)).toBe(list);
});
