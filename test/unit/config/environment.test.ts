import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Environment } from '../../../src/config/environment.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const password: Environment = {
  HOSTING_BASE_URL: 'https://api.example.com/api/',
  HOSTING_LOGIN: 'u12345',
  HOSTING_PASSWORD: 'hunter2',
};

const token: Environment = { HOSTING_BASE_URL: 'https://api.example.com/api', HOSTING_TOKEN: 'hunter2' };

test('login and password make an account that is named after the login', () => {
  const { config, warnings } = loadConfig(undefined, password);

  const [account] = config.accounts;
  expect(account).toMatchObject({
    name: 'u12345',
    credentials: { kind: 'password', login: 'u12345' },
    api: { baseUrl: 'https://api.example.com/api', timeout: 30_000, requestsPerMinute: 30, timeZone: 'UTC' },
  });
  expect(account?.credentials.kind === 'password' && account.credentials.password.reveal()).toBe('hunter2');
  expect(config.accounts).toHaveLength(1);
  expect(warnings).toEqual([]);
});

test('a token makes an account with the name default', () => {
  const { config } = loadConfig(undefined, token);

  const [account] = config.accounts;
  expect(account).toMatchObject({ name: 'default', credentials: { kind: 'token' } });
  expect(account?.credentials.kind === 'token' && account.credentials.token.reveal()).toBe('hunter2');
});

test('HOSTING_ACCOUNT names the account', () => {
  const { config } = loadConfig(undefined, { ...password, HOSTING_ACCOUNT: 'Пекарня' });

  expect(config.accounts[0]?.name).toBe('Пекарня');
});

test('a value is taken as it is: variables within it are not expanded', () => {
  const { config } = loadConfig(undefined, { ...password, HOSTING_PASSWORD: `\${HOSTING_LOGIN}` });

  const credentials = config.accounts[0]?.credentials;
  expect(credentials?.kind === 'password' && credentials.password.reveal()).toBe(`\${HOSTING_LOGIN}`);
});

test('a password may come from a file, with a warning where everyone may read it', () => {
  const file = join(temporaryFolder(), 'password');
  writeFileSync(file, 'from a file\n');
  chmodSync(file, 0o644);

  const { config, warnings } = loadConfig(undefined, {
    ...password,
    HOSTING_PASSWORD: '',
    HOSTING_PASSWORD_FILE: file,
  });

  const credentials = config.accounts[0]?.credentials;
  expect(credentials?.kind === 'password' && credentials.password.reveal()).toBe('from a file');
  expect(warnings).toEqual([
    'HOSTING_PASSWORD_FILE: the file may be read by every user of this machine; run chmod o-r on it',
  ]);
});

const elsewhere = 'or give a file by --config.file';
const noUrl = `HOSTING_BASE_URL: is not set; set it to the API's address, ${elsewhere}`;
const noLogin = `HOSTING_LOGIN: is not set; set it to the account's login, ${elsewhere}`;
const noPassword = `HOSTING_PASSWORD: is not set; set it, or HOSTING_PASSWORD_FILE, HOSTING_TOKEN or HOSTING_TOKEN_FILE, ${elsewhere}`;

test.each<[string, Environment, readonly string[]]>([
  ['nothing', {}, [noUrl, noLogin, noPassword]],
  ['empty variables', { HOSTING_BASE_URL: '', HOSTING_LOGIN: '', HOSTING_TOKEN: '' }, [noUrl, noLogin, noPassword]],
  ['a token alone', { HOSTING_TOKEN: 'hunter2' }, [noUrl]],
  ['no login', { ...password, HOSTING_LOGIN: undefined }, [noLogin]],
  ['no secret', { ...password, HOSTING_PASSWORD: undefined }, [noPassword]],
  [
    'a misspelt variable',
    { ...token, HOSTING_BASE_URL: undefined, HOSTING_BASE_URI: 'https://api.example.com' },
    [`${noUrl} (HOSTING_BASE_URI is misspelt?)`],
  ],
  [
    'password and token, and more that is wrong',
    { ...password, ...token, HOSTING_BASE_URL: 'http://api.example.com', HOSTING_ACCOUNT: ' shop' },
    [
      'HOSTING_PASSWORD, HOSTING_TOKEN: are set together; keep one of them',
      'HOSTING_BASE_URL: would send the password unencrypted; use https:// (http:// is for localhost only)',
      'HOSTING_ACCOUNT: begins or ends with a space; remove it',
    ],
  ],
  [
    'login and token',
    { ...token, HOSTING_LOGIN: 'u12345' },
    ['HOSTING_LOGIN: is of no use with HOSTING_TOKEN; unset it, or give a password'],
  ],
  [
    'password and its file',
    { ...password, HOSTING_PASSWORD_FILE: '/nowhere/at/all' },
    [
      'HOSTING_PASSWORD, HOSTING_PASSWORD_FILE: are set together; keep one of them',
      'HOSTING_PASSWORD_FILE: the file does not exist; create it, or correct the path',
    ],
  ],
  [
    'a token of two lines',
    { ...token, HOSTING_TOKEN: 'hunter2\nhunter2' },
    ['HOSTING_TOKEN: has more than one line; write the token, and nothing else'],
  ],
])('%s: all that is wrong is told by variable', (_, environment, messages) => {
  expect(() => loadConfig(undefined, environment)).toThrow(
    expect.objectContaining({ name: 'ConfigError', message: messages.join('\n') }),
  );
});
