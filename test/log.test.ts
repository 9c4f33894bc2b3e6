import { expect, test } from 'vitest';
import { createLog, type LogOptions, listNames, logFormats, logLevels } from '../src/log.ts';

/** A stream whose reader takes nothing. */
class StuckStream {
  readonly lines: string[] = [];
  writableLength = 0;

  write(line: string): void {
    this.lines.push(line);
    this.writableLength += line.length;
  }
}

function stuckLog(options: Partial<LogOptions> = {}) {
  const stream = new StuckStream();
  return { stream, log: createLog({ level: 'info', format: 'logfmt', ...options }, stream) };
}

test('drops lines while more than a mebibyte waits for the reader, and then logs again', () => {
  const { stream, log } = stuckLog();

  for (let line = 0; line < 5000; line += 1) log.info({ text: 'x'.repeat(1000) }, 'full');
  const waiting = stream.writableLength;
  stream.writableLength = 0;
  log.info({}, 'next');

  expect(waiting).toBeGreaterThan(1024 * 1024);
  expect(waiting).toBeLessThan(1024 * 1024 + 2000);
  expect(stream.lines.at(-1)).toMatch(/ level=info msg=next\n$/);
});

test.each(logFormats)('begins each line with its priority for the journal (%s)', (format) => {
  const { stream, log } = stuckLog({ format, level: 'debug', hasPriority: true });

  for (const level of logLevels) log[level]({}, level);

  expect(stream.lines.map((line) => [/\w+(?=\W*$)/.exec(line)?.[0], line.slice(0, 3)])).toEqual([
    ['debug', '<7>'],
    ['info', '<6>'],
    ['warn', '<4>'],
    ['error', '<3>'],
  ]);
});

const dangerous = Array.from({ length: 0x2070 }, (_, code) => String.fromCharCode(code)).filter((character) =>
  /[\p{Cc}\p{Bidi_Control}\u2028\u2029"\\= ]/u.test(character),
);

test.each(['json', 'logfmt'] as const)(
  'writes one line without characters that control or disguise, for any value, and loses nothing (%s)',
  (format) => {
    const { stream, log } = stuckLog({ format });

    for (const character of dangerous) log.info({ text: character, other: `a${character}b` }, 'any');

    expect(dangerous.length).toBeGreaterThan(65);
    expect(stream.lines.filter((line) => !/^[^\p{Cc}\p{Bidi_Control}\u2028\u2029]+\n$/u.test(line))).toEqual([]);
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
