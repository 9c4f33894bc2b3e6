import { rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { ConfigError } from '../../../src/config/values/config-error.ts';
import { fileSecret, inlineSecret, readSecretFile } from '../../../src/config/values/secret.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'password');
});

/** Writes a file with a modification time of an hour ago. */
function write(content: string | Uint8Array, path = file): void {
  writeFileSync(path, content);
  const hourAgo = Date.now() / 1000 - 3600;
  utimesSync(path, hourAgo, hourAgo);
}

test('shows an inline secret only through reveal', () => {
  const secret = inlineSecret('hunter2');

  const shown = [
    String(secret),
    `${secret}`,
    JSON.stringify({ secret }),
    inspect(secret),
    inspect({ deep: { secret } }, { depth: 9, showHidden: true }),
    inspect(secret, { customInspect: false, showHidden: true, depth: 9 }),
    Object.values(secret).join(),
    new Error('failed', { cause: secret }).stack ?? '',
  ].join('\n');

  expect(secret.reveal()).toBe('hunter2');
  expect(shown).not.toContain('hunter2');
  expect(`${secret} ${JSON.stringify({ secret })} ${inspect({ secret })}`).toBe(
    '[secret] {"secret":"[secret]"} { secret: [secret] }',
  );
});

test('shows the secret of a file only through reveal', () => {
  write('hunter2');
  const secret = fileSecret(file, 'password');

  secret.reveal();

  expect(
    `${secret} ${JSON.stringify(secret)} ${inspect(secret, { customInspect: false, showHidden: true, depth: 9 })}`,
  ).not.toContain('hunter2');
});

test.each([
  ['hunter2', 'hunter2'],
  ['hunter2\n', 'hunter2'],
  ['hunter2\r\n', 'hunter2'],
  [' hunter2 ', ' hunter2 '],
  ['\ufeffhunter2\n', 'hunter2'],
  ['пароль\n', 'пароль'],
])('reads the content %j as the password %j', (content, password) => {
  write(content);

  expect(fileSecret(file, 'password').reveal()).toBe(password);
});

test.each([
  ['an empty file', '', 'is empty; write the password'],
  ['only a line feed', '\n', 'is empty; write the password'],
  ['only a Windows line ending', '\r\n', 'is empty; write the password'],
  ['an empty first line', '\nhunter2', 'has more than one line; write only the password'],
  ['an empty second line', 'hunter2\n\n', 'has more than one line; write only the password'],
  ['a second line after a carriage return', 'hunter2\rhunter2', 'has more than one line; write only the password'],
  ['too many bytes', 'x'.repeat(65_537), 'is larger than 65536 bytes; check the path'],
])('refuses %s', (_what, content, message) => {
  write(content);

  expect(() => fileSecret(file, 'password').reveal()).toThrow(new ConfigError([{ source: file, message }]));
});

test('has a digest by which a changed secret is noticed, without showing it', () => {
  const digests = ['hunter2', 'hunter3', 'hunter2'].map((secret) => inlineSecret(secret).digest);

  expect(digests[0]).toBe(digests[2]);
  expect(digests[0]).not.toBe(digests[1]);
  write('hunter2\n');
  expect(digests[0]).toBe(fileSecret(file, 'password').digest);
  expect(digests[0]).not.toContain('hunter2');
});

test('refuses a token that cannot be sent as a header', () => {
  write('abc déf');

  expect(readSecretFile(file, 'token')).toEqual({
    failure: 'contains a space or another character that is not allowed in a token; write only the token',
  });
});

test('reads a file that changes faster than its modification time', () => {
  writeFileSync(file, '0000');
  const secret = fileSecret(file, 'password');

  const stale = Array.from({ length: 500 }, (_, index) => String(1000 + index)).filter((written) => {
    writeFileSync(file, written);
    return secret.reveal() !== written;
  });

  expect(stale).toEqual([]);
});

test('throws while the file is missing or empty, and reads it when it is back', () => {
  write('first');
  const secret = fileSecret(file, 'password');
  secret.reveal();

  truncateSync(file);
  expect(() => secret.reveal()).toThrow(`${file}: is empty; write the password`);
  rmSync(file);
  expect(() => secret.reveal()).toThrow(`${file}: does not exist; create it, or correct the path`);
  write('again');
  expect(secret.reveal()).toBe('again');
});
