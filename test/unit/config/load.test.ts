import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/config/config-error.ts';
import { loadConfig } from '../../../src/config/load.ts';

test('without a file, one account comes from the environment', () => {
  const { config, warnings } = loadConfig(undefined, {
    HOSTING_BASE_URL: 'https://api.example.com/api/',
    HOSTING_LOGIN: 'u12345',
    HOSTING_PASSWORD: 'open sesame',
  });

  expect(warnings).toEqual([]);
  expect(config.accounts.map(({ name, api }) => [name, api.baseUrl])).toEqual([
    ['u12345', 'https://api.example.com/api'],
  ]);
});

test('with neither file nor environment, all that is missing is named at once', () => {
  expect(() => loadConfig(undefined, {})).toThrow(
    new ConfigError([
      {
        source: 'HOSTING_BASE_URL',
        message: "is not set; set it to the API's address, or give a file by --config.file",
      },
      {
        source: 'HOSTING_LOGIN',
        message: "is not set; set it to the account's login, or give a file by --config.file",
      },
      {
        source: 'HOSTING_PASSWORD',
        message:
          'is not set; set it, or HOSTING_PASSWORD_FILE, HOSTING_TOKEN or HOSTING_TOKEN_FILE, or give a file by --config.file',
      },
    ]),
  );
});
