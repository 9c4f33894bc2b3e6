import { afterEach, expect, test, vi } from 'vitest';
import { createDispatcher } from '../../../src/api/transport.ts';
import { ConfigError } from '../../../src/config/config-error.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('an address of a proxy that makes no sense is a mistake of the configuration', () => {
  vi.stubEnv('HTTP_PROXY', 'nonsense');

  expect(() => createDispatcher(undefined)).toThrow(ConfigError);
  expect(() => createDispatcher(undefined)).toThrow(/^HTTP_PROXY or HTTPS_PROXY: is not right: .*; write a URL$/);
});
