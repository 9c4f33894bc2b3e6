import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Environment } from '../../../src/config/file/environment.ts';
import { loadConfig } from '../../../src/config/file/load.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const password: Environment = {
  HOSTING_BASE_URL: 'https://api.example.com/api/',
  HOSTING_LOGIN: 'u12345',
  HOSTING_PASSWORD: 'hunter2',
};

const token: Environment = { HOSTING_BASE_URL: 'https://api.example.com/api', HOSTING_TOKEN: 'hunter2' };

test('names an account with a password after its login', async () => {
  const { config, warnings } = await loadConfig(undefined, password);

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

test('gives an account with a token the name default', async () => {
  const { config } = await loadConfig(undefined, token);

  const [account] = config.accounts;
  expect(account).toMatchObject({ name: 'default', credentials: { kind: 'token' } });
  expect(account?.credentials.kind === 'token' && account.credentials.token.reveal()).toBe('hunter2');
});

test('HOSTING_ACCOUNT names the account', async () => {
  const { config } = await loadConfig(undefined, { ...password, HOSTING_ACCOUNT: 'Пекарня' });

  expect(config.accounts[0]?.name).toBe('Пекарня');
});

test('HOSTING_TIME_ZONE is the time zone of the account, and is named if it does not exist', async () => {
  const { config } = await loadConfig(undefined, { ...token, HOSTING_TIME_ZONE: 'Europe/Moscow' });

  expect(config.accounts[0]?.api.timeZone).toBe('Europe/Moscow');
  await expect(loadConfig(undefined, { ...token, HOSTING_TIME_ZONE: 'Europe/Mosow' })).rejects.toThrow(
    /^HOSTING_TIME_ZONE: .*Europe\/Moscow/,
  );
});

test('does not expand references in values', async () => {
  const { config } = await loadConfig(undefined, { ...password, HOSTING_PASSWORD: `\${HOSTING_LOGIN}` });

  const credentials = config.accounts[0]?.credentials;
  expect(credentials?.kind === 'password' && credentials.password.reveal()).toBe(`\${HOSTING_LOGIN}`);
});

test('reads a password from a file, and warns if the file is world-readable', async () => {
  const file = join(temporaryFolder(), 'password');
  writeFileSync(file, 'from a file\n');
  chmodSync(file, 0o644);

  const { config, warnings } = await loadConfig(undefined, {
    ...password,
    HOSTING_PASSWORD: '',
    HOSTING_PASSWORD_FILE: file,
  });

  const credentials = config.accounts[0]?.credentials;
  expect(credentials?.kind === 'password' && credentials.password.reveal()).toBe('from a file');
  expect(warnings).toEqual([`HOSTING_PASSWORD_FILE: the file ${file} is world-readable; run chmod o-r on it`]);
});

const elsewhere = 'or use --config.file';
const noUrl = `HOSTING_BASE_URL: is not set; set it to the URL of the API, ${elsewhere}`;
const noLogin = `HOSTING_LOGIN: is not set; set it to the login of the account, ${elsewhere}`;
const noPassword = `HOSTING_PASSWORD: is not set; set it, or HOSTING_PASSWORD_FILE, HOSTING_TOKEN or HOSTING_TOKEN_FILE, ${elsewhere}`;

test.each<[string, Environment, readonly string[]]>([
  ['nothing', {}, [noUrl, noLogin, noPassword]],
  ['empty variables', { HOSTING_BASE_URL: '', HOSTING_LOGIN: '', HOSTING_TOKEN: '' }, [noUrl, noLogin, noPassword]],
  ['a token alone', { HOSTING_TOKEN: 'hunter2' }, [noUrl]],
  ['no login', { ...password, HOSTING_LOGIN: undefined }, [noLogin]],
  ['no secret', { ...password, HOSTING_PASSWORD: undefined }, [noPassword]],
  [
    'a misspelled variable',
    { ...token, HOSTING_BASE_URL: undefined, HOSTING_BASE_URI: 'https://api.example.com' },
    [`${noUrl} (is HOSTING_BASE_URI misspelled?)`],
  ],
  [
    'password and token, and other errors',
    { ...password, ...token, HOSTING_BASE_URL: 'http://api.example.com', HOSTING_ACCOUNT: ' shop' },
    [
      'HOSTING_PASSWORD, HOSTING_TOKEN: are mutually exclusive; keep one of them',
      'HOSTING_BASE_URL: sends the password unencrypted; use https:// (http:// is allowed for localhost only)',
      'HOSTING_ACCOUNT: starts or ends with a space; remove it',
    ],
  ],
  [
    'login and token',
    { ...token, HOSTING_LOGIN: 'u12345' },
    ['HOSTING_LOGIN: is not used with HOSTING_TOKEN; unset it, or use a password'],
  ],
  [
    'password and its file',
    { ...password, HOSTING_PASSWORD_FILE: '/nowhere/at/all' },
    [
      'HOSTING_PASSWORD, HOSTING_PASSWORD_FILE: are mutually exclusive; keep one of them',
      'HOSTING_PASSWORD_FILE: the file does not exist; create it, or correct the path',
    ],
  ],
  [
    'a token of two lines',
    { ...token, HOSTING_TOKEN: 'hunter2\nhunter2' },
    ['HOSTING_TOKEN: has more than one line; write only the token'],
  ],
])('reports all errors by variable: %s', (_, environment, messages) => {
  return expect(loadConfig(undefined, environment)).rejects.toThrow(
    expect.objectContaining({ name: 'ConfigError', message: messages.join('\n') }),
  );
});
