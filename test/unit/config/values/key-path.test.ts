import { expect, test } from 'vitest';
import { formatKeyPath, quote } from '../../../../src/config/values/key-path.ts';

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
