import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { changedThresholds } from '../../../src/config/file/alert-thresholds.ts';
import { loadConfig } from '../../../src/config/file/load.ts';
import type { Config } from '../../../src/config/values/config.ts';
import { ConfigError } from '../../../src/config/values/config-error.ts';
import { anyText, propertyRuns } from '../../fixtures/properties.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const folder = join(import.meta.dirname, 'fixtures');

const environment = {
  HOST: 'api.example.com',
  NAME: 'shop',
  NUMBER: '12345',
  YAML: '{a: [b, &c *c # "]}',
  EMPTY: '',
};

function fixtures(ending: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.endsWith(ending));
}

function expected(fixture: string, ending: string): string {
  return readFileSync(join(folder, fixture.replace(/\.yml$/, ending)), 'utf8').replaceAll('<fixtures>', folder);
}

/** The configuration as JSON, with secrets revealed. */
function toPlain(config: Config): unknown {
  const accounts = config.accounts.map((account) => {
    const { credentials } = account;
    const secret =
      credentials.kind === 'password'
        ? { password: credentials.password.reveal() }
        : { token: credentials.token.reveal() };
    return { ...account, alerts: changedThresholds(account.alerts), credentials: { ...credentials, ...secret } };
  });
  return JSON.parse(JSON.stringify({ ...config, accounts }));
}

async function messageOf(path: string | undefined): Promise<string> {
  try {
    await loadConfig(path, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error(`${path} was accepted`);
}

test.each(fixtures('.good.yml'))('loads %s', async (fixture) => {
  const { config } = await loadConfig(join(folder, fixture), environment);

  expect(toPlain(config)).toMatchObject(JSON.parse(expected(fixture, '.json')));
});

test.each(fixtures('.bad.yml'))('reports all errors in %s', async (fixture) => {
  const message = await messageOf(join(folder, fixture));

  expect(`${message.replaceAll(`${folder}/`, '')}\n`).toBe(expected(fixture, '.txt'));
});

test.each(fixtures('.bad.yml'))('shows no secret and no value of the environment in errors of %s', async (fixture) => {
  const message = await messageOf(join(folder, fixture));

  expect(message).not.toMatch(/hunter2|open sesame|12345(?!")|\[b, &c/i);
});

let temporary: string;

beforeEach(() => {
  temporary = temporaryFolder();
});

function temporaryFile(content: string | Uint8Array, mode = 0o600): string {
  const path = join(temporary, 'config.yml');
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

const minimal = readFileSync(join(folder, 'minimal.good.yml'), 'utf8');

test.each([
  ['a byte order mark', `\ufeff${minimal}`],
  ['Windows line endings', minimal.replaceAll('\n', '\r\n')],
  ['no final newline', minimal.trimEnd()],
  [
    'JSON',
    '{"api":{"base_url":"https://api.example.com/api"},"accounts":[{"name":"shop","login":"u","password":"p"}]}',
  ],
])('loads a file with %s', async (_, content) => {
  const { config } = await loadConfig(temporaryFile(content), environment);

  expect(config.accounts.map(({ name, api }) => [name, api.baseUrl])).toEqual([
    ['shop', 'https://api.example.com/api'],
  ]);
});

test('refuses a file that is nested too deeply', async () => {
  const path = temporaryFile(`accounts: ${'['.repeat(5000)}${']'.repeat(5000)}`);

  expect(await messageOf(path)).toMatch(
    /^\S+:1:\d+: invalid YAML; check indentation, quotes and brackets of this line and the previous line$/,
  );
});

test.each([
  [49, ''],
  [50, ''],
  [51, 'and 1 more error'],
  [1000, 'and 950 more errors'],
])('prints at most 50 of %i errors', async (count, rest) => {
  const keys = Array.from({ length: count }, (_, index) => `  a${index}: 1\n`);
  const path = temporaryFile(`${minimal}\nweb:\n${keys.join('')}`);

  const lines = (await messageOf(path)).split('\n');

  expect(lines.filter((line) => line.includes('unknown key'))).toHaveLength(Math.min(count, 50));
  expect(lines.slice(50).join()).toBe(rest);
});

const inline = 'is world-readable and contains a password or token';

test.each([
  ['a password', 'password: hunter2', '644', true],
  ['a password', 'password: hunter2', '640', false],
  ['a password from a variable', `password: "\${NAME}"`, '644', false],
  ['a password with a variable in it', `password: "hunter2\${NAME}"`, '644', true],
  ['an escaped variable', `password: "$\${NAME}"`, '644', true],
])('%s (%s) in a file of mode %s triggers a warning: %s', async (_, secret, mode, warned) => {
  const path = temporaryFile(
    minimal.replace('password: open sesame', () => secret),
    Number.parseInt(mode, 8),
  );

  const { warnings } = await loadConfig(path, environment);

  expect(warnings).toEqual(warned ? [`${path}: ${inline}; run chmod o-r on it, or use password_file`] : []);
});

test.each([
  ['state: { directory: data }\n', {}, 'data'],
  ['state: { directory: /var/lib/x }\n', { STATE_DIRECTORY: '/a' }, '/var/lib/x'],
  ['', { STATE_DIRECTORY: '/a:/b' }, '/a'],
])('with %j and the environment %j, the state directory is %s', async (state, variables, directory) => {
  const { config } = await loadConfig(temporaryFile(`${minimal}${state}`), { ...environment, ...variables });

  expect(config.stateDirectory).toBe(resolve(temporary, directory));
});

test('has no state directory by default', async () => {
  const { config } = await loadConfig(temporaryFile(minimal), { ...environment, STATE_DIRECTORY: '' });

  expect(config).not.toHaveProperty('stateDirectory');
});

/** The configuration or the message of its ConfigError. Any other error fails the test. */
async function outcomeOf(content: string | Uint8Array): Promise<string> {
  try {
    return JSON.stringify(await loadConfig(temporaryFile(content), environment));
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

test('throws only ConfigError, for any file', async () => {
  const words = readdirSync(folder)
    .filter((name) => name.endsWith('.yml'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split(/(?<=[\s:{}[\],&*!"'])/));
  const yaml = fc.array(fc.oneof(fc.constantFrom(...words), anyText()), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        yaml.map((parts) => parts.join('')),
        anyText(),
        fc.uint8Array(),
      ),
      async (content) => {
        await outcomeOf(content);
      },
    ),
    { numRuns: propertyRuns(1000) },
  );
});

test('throws only ConfigError, for any structure', async () => {
  const keys = [
    'api',
    'accounts',
    'collectors',
    'alerts',
    'name',
    'login',
    'password',
    'timeout',
    'every',
    'databases',
  ];
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 6 },
      fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null)),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), tie('node'), { maxKeys: 5 }),
    ),
  })).node;
  await fc.assert(
    fc.asyncProperty(tree, async (value) => {
      await outcomeOf(JSON.stringify(value));
    }),
    { numRuns: propertyRuns(1000) },
  );
});

test('shows no unknown key, even one that resembles a known key', async () => {
  const known = fc.constantFrom('password', 'token', 'login', 'api', 'alerts');
  const addition = fc.stringMatching(/^[A-Za-z0-9 :=_.-]{0,7}[A-Z0-9]$/);
  const key = fc.tuple(known, addition).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(key, async (unknown) => {
      const message = await outcomeOf(
        minimal.replace('password: open', () => `${JSON.stringify(unknown)}: 1, password: open`),
      );

      expect(message).toContain('unknown key');
      expect(message).not.toContain(unknown);
    }),
  );
});

test('shows no secret in a message, for any broken file', async () => {
  const marked = anyText({ maxLength: 8 }).map((text) => `zyzzyva${text}zyzzyva`);
  const layouts = [
    (secret: string) => minimal.replace('open sesame', () => secret),
    (secret: string) => `accounts:\n  - name: shop\n    password: ${secret}\n    login: u1\n`,
    (secret: string) => `accounts:\n  - name: shop\n    token: "${secret}"\n    timeout: 1\n`,
    (secret: string) => `accounts:\n  - password: '${secret}'\n    token: ${secret}\n`,
    (secret: string) => `accounts:\n  - password: [${secret}]\n  - token: { ${secret}: ${secret} }\n`,
    (secret: string) =>
      `accounts:\n  - password: &a ${secret}\n    login: *a\n    name: *a\n    api: { timeout: *a }\n`,
    (secret: string) => `api: { base_url: "https://u:${secret}@api.example.com" }\n`,
    (secret: string) => secret,
    (secret: string) => `accounts:\n  - name: shop\n    password:${secret}:\n`,
    (secret: string) => `accounts:\n  - name: shop\n    password ${secret}:\n    password=${secret}: x\n`,
    (secret: string) =>
      `accounts:\n  - name: shop\n    ${secret}: x\n    collectors: { ${secret}: , alerts: { ${secret}: off } }\n`,
    (secret: string) =>
      `accounts:\n  - ${secret}: { password_file: x, ${secret}: "\${NOPE}", ${secret}a: *a, <<: *b }\n`,
    (secret: string) =>
      `accounts:\n  - login: ${secret}\n    token: t\n    api:\n      timeout: 30s\n        ${secret}\n`,
    (secret: string) => `accounts: { ${secret}: { name: 5 } }\napi: { alerts: { ${secret}: { every: 1 } } }\n`,
    (secret: string) => `? ${secret}\n: { ${JSON.stringify(secret)}: 1 }\n`,
    (secret: string) => `${secret}:\n`,
    (secret: string) => `${secret}\n${secret}: ${secret}\n`,
    (secret: string) => `root:${secret}:0:0\n`,
    (secret: string) => `user: ${secret}\n${secret}: user\n`,
    (secret: string) => `PASSWORD=${secret}\n`,
    (secret: string) => `[client]\npassword=${secret}\n`,
    (secret: string) => `machine api.example.com\nlogin u1\npassword ${secret}\n`,
    (secret: string) =>
      JSON.stringify({ private_key: secret, [secret]: { [secret]: secret }, accounts: [{ [secret]: 1 }] }),
    (secret: string) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`,
    (secret: string) => `-----BEGIN RSA PRIVATE KEY-----\nDEK-Info: ${secret}\n\n${secret}\n`,
  ];
  await fc.assert(
    fc.asyncProperty(marked, fc.constantFrom(...layouts), async (secret, layout) => {
      const message = await outcomeOf(layout(secret));
      const lines = message.split('\n');

      expect(lines.filter((line) => line.includes('zyzzyva'))).toEqual([]);
    }),
    { numRuns: propertyRuns(2000) },
  );
});

test('shows no value of the environment in a message, for any key', async () => {
  const leaves = ['base_url', 'timeout', 'size_units', 'time_zone', 'input_format', 'ca_file', 'requests_per_minute'];
  await fc.assert(
    fc.asyncProperty(anyText({ minLength: 1 }), fc.constantFrom(...leaves), async (text, leaf) => {
      const value = `zyzzyva${text}`;
      const path = temporaryFile(
        `api: { ${leaf}: "\${VALUE}" }\naccounts:\n  - name: "\${VALUE}"\n    login: "\${VALUE}\${NOPE}"\n` +
          `    token: "\${VALUE}"\n    password_file: "\${VALUE}"\n` +
          `    collectors: { account: { schedule: "\${VALUE}", every: "\${VALUE}" } }\nweb: { telemetry_path: "\${VALUE}" }\n`,
      );

      await expect(loadConfig(path, { VALUE: value })).rejects.toThrow(
        expect.objectContaining({ name: 'ConfigError', message: expect.not.stringContaining('zyzzyva') }),
      );
    }),
  );
});
