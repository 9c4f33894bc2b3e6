import { expect, test } from 'vitest';
import { formatKeyPath } from '../../../src/config/values/config-error.ts';
import { closest, quote } from '../../../src/config/values/wording.ts';

test.each([
  [['accounts', 0, 'api', 'time_out-2'], 'accounts[0].api.time_out-2'],
  [['_a', 'B9'], '_a.B9'],
  [['a b', 'c'], '["a b"].c'],
  [['a', '9b'], 'a["9b"]'],
  [['a', 'b!'], 'a["b!"]'],
  [['a', ''], 'a[""]'],
  [[], ''],
])('shows the keys %j as %s', (path, text) => {
  expect(formatKeyPath(path)).toBe(text);
});

test.each([
  ['a "b"', '"a \\"b\\""'],
  ['a\u200bb\u2028', '"a\\u{200b}b\\u{2028}"'],
  ['x'.repeat(60), `"${'x'.repeat(60)}"`],
  ['x'.repeat(61), `"${'x'.repeat(57)}..."`],
])('quotes %j as %s', (text, quoted) => {
  expect(quote(text)).toBe(quoted);
});

const keys = ['timeout', 'time_zone', 'base_url', 'ca_file', 'requests_per_minute', 'warning'];

test.each([
  ['timout', 'timeout'],
  ['tiemout', 'timeout'],
  ['Timeout', 'timeout'],
  ['timezone', 'time_zone'],
  ['time-zone', 'time_zone'],
  ['url', 'base_url'],
  ['warn', 'warning'],
  ['requests_per_hour', 'requests_per_minute'],
  ['ca_fiel', 'ca_file'],
  ['tmie_zone', 'time_zone'],
])('suggests for %s: %s', (word, expected) => {
  expect(closest(word, keys)).toBe(expected);
});

test.each(['', 'e', 'ur', 'ime', 'verify', 'proxy', 'retries'])('suggests nothing for %j', (word) => {
  expect(closest(word, keys)).toBeUndefined();
});
