import { expect, it } from 'vitest';
import { webConfigFile } from '../../../src/web/config/schema.ts';

function read(interval: string) {
  return webConfigFile.safeParse({ rate_limit: { interval } });
}

it.each([
  ['0', 0],
  ['1s', 1000],
  ['250ms', 250],
  ['1h30m', 5_400_000],
  ['1.25s', 1250],
  ['1.s', 1000],
  ['2m', 120_000],
  ['3ns', 0.000_003],
  ['10us', 0.01],
  // Microseconds are written with the micro sign or with the Greek letter.
  ['10\u00b5s', 0.01],
  ['10\u03bcs', 0.01],
  ['1000000', 1],
])('reads %s as %s milliseconds', (text, milliseconds) => {
  expect(read(text).data?.rate_limit?.interval).toBeCloseTo(milliseconds, 9);
});

it.each(['', 's', '-1s', '1 s', '1d', '1s2', '1e3s', '.s'])('refuses %j', (text) => {
  expect(read(text).success).toBe(false);
});
