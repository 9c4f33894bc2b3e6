import { expect, it } from 'vitest';
import { parseGoDuration } from '../../../src/web-config/go-duration.ts';

it.each([
  ['0', 0],
  ['1s', 1000],
  ['250ms', 250],
  ['1h30m', 5_400_000],
  ['1.5s', 1500],
  ['10us', 0.01],
  ['10µs', 0.01],
  ['1000000', 1],
])('reads %s as %s milliseconds', (text, milliseconds) => {
  expect(parseGoDuration(text)).toBeCloseTo(milliseconds, 9);
});

it.each(['', 's', '-1s', '1 s', '1d', '1s2', '1e3s', '.s'])('refuses %j', (text) => {
  expect(parseGoDuration(text)).toBeUndefined();
});
