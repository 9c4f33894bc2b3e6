import { afterEach, expect, test, vi } from 'vitest';
import { Connections } from '../../../src/api/connections.ts';
import { ConfigError } from '../../../src/config/config-error.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('reports a proxy variable that is not a URL as a configuration error', () => {
  vi.stubEnv('HTTP_PROXY', 'nonsense');

  expect(() => new Connections(undefined)).toThrow(ConfigError);
  expect(() => new Connections(undefined)).toThrow(
    /^HTTP_PROXY or HTTPS_PROXY: is not a URL \(.*\); write one such as http:\/\/proxy\.example:3128$/,
  );
});
