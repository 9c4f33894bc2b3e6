import { expect, test } from 'vitest';
import { parseListenAddress } from '../../../src/config/values/validators.ts';

test.each([
  [':10380', undefined, 10_380],
  ['127.0.0.1:0', '127.0.0.1', 0],
  ['[::1]:65535', '::1', 65_535],
  ['localhost:80', 'localhost', 80],
])('parses %s as host %s and port %i', (text, host, port) => {
  expect(parseListenAddress(text)).toEqual({ host, port });
});

test.each(['', '10380', ':', ':65536', '::1:80', 'host', 'http://host:80', ':80/', 'a b:80', '[::1]'])(
  'refuses %j',
  (text) => {
    expect(parseListenAddress(text)).toBeUndefined();
  },
);
