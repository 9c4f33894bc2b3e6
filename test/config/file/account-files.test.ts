import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { loadWithFlags } from '../../../src/cli/config-flags.ts';
import { loadConfig } from '../../../src/config/file/load.ts';
import { ConfigError } from '../../../src/config/values/config-error.ts';
import { recordedContext } from '../../fixtures/command-context.ts';
import { anyText, propertyRuns } from '../../fixtures/properties.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

function write(name: string, content: string, mode = 0o600): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

function writeMain(accountsFrom: string, rest = ''): string {
  return write('config.yml', `api: { base_url: https://api.example.com }\naccounts_from: ${accountsFrom}\n${rest}`);
}

function account(name: string): string {
  return `name: ${name}\nlogin: ${name}\npassword: hunter2\n`;
}

async function namesIn(path: string): Promise<readonly string[]> {
  const { config } = await loadConfig(path, {});
  return config.accounts.map(({ name }) => name);
}

async function messageOf(path: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  try {
    await loadConfig(path, environment);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replaceAll(`${folder}/`, '');
    throw error;
  }
}

test('reports a pattern of the wrong type where it is written, although files have accounts', async () => {
  const path = writeMain('["accounts/*.yml", 5]');
  for (const name of ['bakery', 'shop']) write(`accounts/${name}.yml`, account(name));

  expect(await messageOf(path)).toMatch(/^config\.yml:2:35: accounts_from\[1\]: /);
});

test('orders accounts by path, not by pattern', async () => {
  const path = writeMain(
    '[c/*.yml, "[ab]/*.yml"]',
    `accounts:\n  - ${JSON.stringify({ name: 'own', token: 'hunter2' })}\n`,
  );
  for (const name of ['c/1', 'a/2', 'b/1', 'a/10', 'a/1']) write(`${name}.yml`, account(name));

  const names = await namesIn(path);

  expect(names).toEqual(['own', 'a/1', 'a/10', 'a/2', 'b/1', 'c/1']);
});

test('follows symbolic links, as in Kubernetes mounts', async () => {
  write('accounts/..2026_01_01/shop.yml', account('shop'));
  symlinkSync('..2026_01_01', join(folder, 'accounts/..data'));
  symlinkSync('..data/shop.yml', join(folder, 'accounts/shop.yml'));

  const names = await namesIn(writeMain('accounts/*.yml'));

  expect(names).toEqual(['shop']);
});

test('warns of a world-readable file that contains a secret', async () => {
  const path = writeMain('accounts/*.yml');
  chmodSync(path, 0o644);
  write('accounts/closed.yml', account('closed'));
  write('accounts/open.yml', account('open'), 0o644);
  write('accounts/variable.yml', `name: variable\ntoken: \${TOKEN}\n`, 0o644);
  write('accounts/file.yml', 'name: file\ntoken_file: token\n', 0o644);
  write('accounts/token', 'hunter2', 0o644);

  const { warnings } = await loadConfig(path, { TOKEN: 'hunter2' });

  expect(warnings.map((warning) => warning.replaceAll(`${folder}/`, ''))).toEqual([
    'accounts/open.yml: is world-readable and contains a password or token; run chmod o-r on it, or use password_file',
    'accounts/file.yml:2:13: token_file: the file accounts/token is world-readable; run chmod o-r on it',
  ]);
});

test('validates the file of a password as a password, and the file of a token as a token', async () => {
  write('secret', 'two words');
  const path = writeMain('accounts/*.yml');
  write('accounts/shop.yml', 'name: shop\nlogin: shop\npassword_file: ../secret\n');
  const valid = await namesIn(path);
  write('accounts/zoo.yml', 'name: zoo\ntoken_file: ../secret\n');

  expect(valid).toEqual(['shop']);
  expect(await messageOf(path)).toMatch(/^accounts\/zoo\.yml:2:13: token_file: .*not allowed in a token/);
});

test('loads a thousand files, and reports the first 50 errors in the order of the files', async () => {
  const path = writeMain('accounts/*.yml');
  const names = Array.from({ length: 1000 }, (_, index) => `a${String(index).padStart(3, '0')}`);
  for (const name of names) write(`accounts/${name}.yml`, account(name));

  const loaded = await namesIn(path);
  for (const name of names) write(`accounts/${name}.yml`, account('same'));
  const message = await messageOf(path);

  expect(loaded).toEqual(names);
  expect(message.split('\n')).toEqual([
    ...names
      .slice(1, 51)
      .map(
        (name) =>
          `accounts/${name}.yml:1:7: name: "same" is also the name of another account, at accounts/a000.yml:1:7; names must be unique`,
      ),
    'and 949 more errors',
  ]);
});

test('throws only ConfigError and shows no secret, for any file', async () => {
  const path = writeMain('accounts/*.yml');
  const marked = anyText({ maxLength: 8 }).map((text) => `zyzzyva${text}zyzzyva`);
  const layouts = [
    (secret: string) => `name: shop\nlogin: u1\npassword: ${secret}\n`,
    (secret: string) => `name: shop\ntimeout: 1\ntoken: "${secret}"\n`,
    (secret: string) => `password: [${secret}]\ntoken_file: ${secret}\n`,
    (secret: string) => `- password: '${secret}'\n`,
    (secret: string) => `name: "\${SECRET}"\ntoken: "\${SECRET}"\nlogin: "${secret}\${NOPE}"\n`,
    (secret: string) => secret,
  ];
  await fc.assert(
    fc.asyncProperty(marked, fc.constantFrom(...layouts), async (secret, layout) => {
      write('accounts/shop.yml', layout(secret));

      const message = await messageOf(path, { SECRET: secret });

      const lines = message.split('\n');
      expect(lines.filter((line) => line.includes('zyzzyva'))).toEqual([]);
    }),
    { numRuns: propertyRuns(500) },
  );
});

test('throws only ConfigError, for any pattern', async () => {
  const wildcards = fc.constantFrom('*', '?', '[a', 'b]', '{a,b', '}', '!(', '+(a|', ')', '/', 'a', '.yml', '\0', '\\');
  const patterns = fc.array(fc.oneof(wildcards, anyText()), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(patterns, async (parts) => {
      const path = writeMain(JSON.stringify(`accounts/${parts.join('').replaceAll('..', '')}`));

      await messageOf(path);
    }),
    { numRuns: propertyRuns(500) },
  );
});

test('refuses a long pattern without searching for it', async () => {
  expect(await messageOf(writeMain(`"${'{a,b}'.repeat(20_000)}"`))).toMatch(
    /^config\.yml:2:16: accounts_from: .* is longer than 1000 characters; shorten it$/,
  );
});

test('finds the same accounts in the shards as in the whole configuration', async () => {
  const path = writeMain('accounts/*.yml', 'accounts: [{ name: listed, token: hunter2 }]\n');
  const names = Array.from({ length: 30 }, (_, index) => `customer-${index}.example`);
  for (const name of names) write(`accounts/${name}.yml`, account(name));
  const shards = await Promise.all(
    [1, 2, 3].map((index) => {
      const shard = { index, count: 3 };
      return loadWithFlags({ 'config.file': path, shard }, recordedContext(), () => {});
    }),
  );

  const polled = shards.map(({ accounts }) => accounts.map(({ name }) => name));

  expect(polled.flat().sort()).toEqual([...names, 'listed'].sort());
  for (const { accounts, otherAccounts = [] } of shards) expect(accounts.length + otherAccounts.length).toBe(31);
});
