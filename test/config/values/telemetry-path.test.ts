import { expect, test } from 'vitest';
import { validateTelemetryPath } from '../../../src/config/values/validators.ts';

test.each(['/metrics', '/a/b.c-d_e~f', '/sda', '/-a', '/status/x', '/accountsx', '/a/sd', '/a/accounts'])(
  'accepts %s',
  (path) => {
    expect(validateTelemetryPath(path)).toBeUndefined();
  },
);

test.each([
  '',
  '/',
  'metrics',
  'a/metrics',
  '/a/',
  '/a?b',
  '/:a',
  '/*',
  '/a b',
  '/-/ready',
  '/-',
  '/sd',
  '/state',
  '/status',
  '/style',
  '/style/x',
  '/accounts',
  '/accounts.json',
  '/calendar.ics',
  '/money',
  '/accounts/x',
  '//',
  '/a/../b',
])('refuses %j', (path) => {
  expect(validateTelemetryPath(path)).toMatch(/^is reserved by the exporter|^is not a path/);
});
