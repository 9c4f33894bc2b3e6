import { expect, test } from 'vitest';
import { telemetryPathComplaint } from '../../../src/config/telemetry-path.ts';

test.each(['/metrics', '/a/b.c-d_e~f', '/sda', '/-a'])('%s is a path for metrics', (path) => {
  expect(telemetryPathComplaint(path)).toBeUndefined();
});

test.each(['', '/', 'metrics', '/a/', '/a?b', '/:a', '/*', '/a b', '/-/ready', '/-', '/sd', '//'])(
  '%j is no path for metrics',
  (path) => {
    expect(telemetryPathComplaint(path)).toMatch(/^is a path of the exporter itself|^is not a path/);
  },
);
