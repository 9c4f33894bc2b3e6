import { expect, test } from 'vitest';
import { closest } from '../../../../src/config/values/suggestion.ts';

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
