import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDuration, parseDuration } from '../../../src/config/values/duration.ts';

test.each([
  ['30s', 30_000],
  ['5m', 300_000],
  ['1h', 3_600_000],
  ['1d', 86_400_000],
  ['0s', 0],
  ['090s', 90_000],
])('parses %s', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

test.each(['', '30', 's', '1.5h', '-1s', '30 s', '1h30m', '30S', '30ms', '1w', '٣s', '1e3s', '9999999999s', ' 1s'])(
  'refuses %j',
  (text) => {
    expect(parseDuration(text)).toBeNaN();
  },
);

test.each([
  [0, '0s'],
  [1500, '1.5s'],
  [90_000, '90s'],
  [300_000, '5m'],
  [5_400_000, '90m'],
  [86_400_000, '1d'],
  [90_000_000, '25h'],
])('formats %i ms as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});

test('parses what it formats, for whole seconds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999 }), (seconds) => {
      expect(parseDuration(formatDuration(seconds * 1000))).toBe(seconds * 1000);
    }),
  );
});
