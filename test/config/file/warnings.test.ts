import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { collectors } from '../../../src/collectors/list.ts';
import type { Environment } from '../../../src/config/file/environment.ts';
import { loadConfig } from '../../../src/config/file/load.ts';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { makePrivateAuthority } from '../../fixtures/private-authority.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

async function warningsOf(content: string, environment: Environment = {}): Promise<readonly string[]> {
  const path = join(folder, 'config.yml');
  writeFileSync(path, content, { mode: 0o600 });
  const { warnings } = await loadConfig(path, environment);
  return warnings.map((warning) => warning.replaceAll(`${folder}/`, ''));
}

const api = 'api: { base_url: https://api.example.com }\n';
const oneAccount = `${api}accounts:\n  - { name: shop, login: u1, password: hunter2 }\n`;
const byEnvironment: Environment = {
  HOSTING_BASE_URL: 'https://api.example.com',
  HOSTING_LOGIN: 'u1',
  HOSTING_PASSWORD: 'hunter2',
};

test('warns of HOSTING_* variables that --config.file overrides', async () => {
  expect(await warningsOf(oneAccount, { ...byEnvironment, HOSTING_TOKEN: '' })).toEqual([
    'HOSTING_BASE_URL, HOSTING_LOGIN, HOSTING_PASSWORD: ignored because of --config.file=config.yml; unset them, or use them in the file',
  ]);
});

test('does not warn of HOSTING_* variables that the file uses', async () => {
  const content = `api: { base_url: "\${HOSTING_BASE_URL}" }\naccounts:\n  - { name: a, login: "\${HOSTING_LOGIN}", password: "\${HOSTING_PASSWORD}" }\n`;

  expect(await warningsOf(content, byEnvironment)).toEqual([]);
});

test('does not warn of other variables, such as those that Kubernetes sets for a service', async () => {
  expect(await warningsOf(oneAccount, { HOSTING_SERVICE_HOST: '10.0.0.1', HOSTING_PORT: 'tcp://10.0.0.1:80' })).toEqual(
    [],
  );
});

test('does not warn of a world-readable file of certificates, which contains no secret', async () => {
  const cleanups = new Cleanups();
  onTestFinished(cleanups.end);
  const { caFile } = makePrivateAuthority(temporaryFolder(cleanups));
  chmodSync(caFile, 0o644);

  expect(await warningsOf(oneAccount.replace('.com', `.com, ca_file: ${caFile}`))).toEqual([]);
});

test('warns of a second account with the same API and login', async () => {
  const accounts = [
    '{ name: shop, login: u1, password: p }',
    '{ name: blog, login: u2, password: p }',
    '{ name: copy, login: u1, password: q }',
    '{ name: elsewhere, login: u1, password: p, api: { base_url: https://api.example.net } }',
    '{ name: slash, login: u2, password: p, api: { base_url: https://api.example.com/ } }',
  ];

  const warnings = await warningsOf(`${api}accounts:\n${accounts.map((account) => `  - ${account}\n`).join('')}`);

  const advice =
    "both accounts share the provider's limit of calls and the lower requests_per_minute; remove one of them";
  expect(warnings).toEqual([
    `config.yml:5:26: accounts[2].login: is also the login of accounts[0] on the same API, at config.yml:3:26; ${advice}`,
    `config.yml:7:27: accounts[4].login: is also the login of accounts[1] on the same API, at config.yml:4:26; ${advice}`,
  ]);
});

const [first, ...others] = collectors.filter(({ offByDefault }) => offByDefault !== true).map(({ name }) => name);
const allDisabled = `{ ${first}: &off { enabled: false }, ${others.map((name) => `${name}: *off`).join(', ')} }`;

test('warns of an account whose collectors are all disabled, with the places that disable them', async () => {
  const accounts = `accounts:
  - { name: shop, login: u1, password: p }
  - { name: blog, login: u2, password: p, collectors: { account: { enabled: true } } }
  - { name: gallery, login: u3, password: p, collectors: { account: { every: 1h } } }
`;

  const advice = 'enable one, or remove the account';
  expect(await warningsOf(`${api}collectors: ${allDisabled}\n${accounts}`)).toEqual([
    `config.yml:4:5: accounts[0]: is never polled, because all its collectors are disabled at config.yml:2:13; ${advice}`,
    `config.yml:6:5: accounts[2]: is never polled, because all its collectors are disabled at config.yml:2:13 and config.yml:6:58; ${advice}`,
  ]);
});

test.each([
  ['for all accounts', `${api.replace(' }', ', max_items: 10001 }')}`, '', 'config.yml:1:54: api.max_items'],
  ['for one account', api, ', api: { max_items: 10001 }', 'config.yml:4:63: accounts[1].api.max_items'],
])('warns once of a raised max_items %s', async (_, common, own, place) => {
  const accounts = ['shop', 'blog'].map(
    (name) => `  - { name: ${name}, login: ${name}, password: p${name === 'blog' ? own : ''} }\n`,
  );

  expect(await warningsOf(`${common}accounts:\n${accounts.join('')}`)).toEqual([
    `${place}: is above 10000; reading so long a list delays pages and scrapes, so keep the default unless a list is longer`,
  ]);
});

const padding =
  'starts or ends with white space, which is sent as part of the password; remove it unless it belongs to the password';

test.each([
  ['in the file', '" hunter2"', `config.yml:3:40: accounts[0].password: ${padding}`],
  [
    'from a variable',
    `"\${PASSWORD}"`,
    `config.yml:3:40: accounts[0].password: the environment variable PASSWORD ${padding}`,
  ],
])('warns of white space around a password %s', async (_, password, warning) => {
  const content = `${api}accounts:\n  - { name: shop, login: u1, password: ${password} }\n`;

  expect(await warningsOf(content, { PASSWORD: 'hunter2\t' })).toEqual([warning]);
});

test.each([
  ['hunter2', []],
  ['hunter2\n', []],
  ['hunter2\r\n', []],
  ['hun ter2\n', []],
  ['hunter2 \n', [`config.yml:3:45: accounts[0].password_file: the file secret ${padding}`]],
  ['\thunter2', [`config.yml:3:45: accounts[0].password_file: the file secret ${padding}`]],
])('warns of white space in a password file of %j: %j', async (content, warnings) => {
  writeFileSync(join(folder, 'secret'), content, { mode: 0o600 });

  expect(await warningsOf(`${api}accounts:\n  - { name: shop, login: u1, password_file: secret }\n`)).toEqual(warnings);
});

test('warns of white space in HOSTING_PASSWORD', async () => {
  const { warnings } = await loadConfig(undefined, { ...byEnvironment, HOSTING_PASSWORD: 'hunter2 ' });

  expect(warnings).toEqual([`HOSTING_PASSWORD: ${padding}`]);
});

test.each([
  ['s#1', []],
  ["'s #1' # rotated", []],
  ["'&word rest'", []],
  [`\${PASSWORD} # from the vault`, []],
  ['s #1', ['ends before " #", which starts a comment']],
  ['&word rest', ['starts with &, which names an unused anchor']],
])('warns if YAML omits a part of the line from the password %s', async (password, cuts) => {
  const content = `${api}accounts:\n  - name: shop\n    login: u1\n    password: ${password}\n`;
  const rest = 'so that this part of the line is not part of the password; put the whole password in single quotes';

  expect(await warningsOf(content, { PASSWORD: 'p' })).toEqual(
    cuts.map((cut) => expect.stringMatching(`^config.yml:5:\\d+: accounts\\[0\\].password: ${cut}, ${rest}$`)),
  );
});

test('does not warn of an anchor that an alias uses', async () => {
  const accounts = '- { name: a, login: u1, password: &same p }\n- { name: b, login: u2, password: *same }\n';

  expect(await warningsOf(`${api}accounts:\n${accounts}`)).toEqual([]);
});

test.each([' u1', 'u1\n', 'u1\t', 'u\u200b1'])('refuses the login %j', async (login) => {
  const environment = { ...byEnvironment, HOSTING_LOGIN: login, HOSTING_ACCOUNT: 'shop' };

  await expect(loadConfig(undefined, environment)).rejects.toThrow(
    /^HOSTING_LOGIN: (?:starts or ends with white space|contains an invisible character); remove it$/,
  );
});
