import { chmodSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { ConfigError } from '../../../src/config/config-error.ts';
import { fileSecret, inlineSecret, readSecretFile } from '../../../src/config/secret.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'password');
});

/** Writes a file that was last changed an hour ago, so that its time of change can be relied on. */
function write(content: string | Uint8Array, path = file): void {
  writeFileSync(path, content);
  const hourAgo = Date.now() / 1000 - 3600;
  utimesSync(path, hourAgo, hourAgo);
}

test('a secret shows itself to nobody but reveal', () => {
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

test('a secret of a file shows itself to nobody but reveal, even once it was read', () => {
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
])('of a file that holds %j, the password is %j', (content, password) => {
  write(content);

  expect(fileSecret(file, 'password').reveal()).toBe(password);
});

test.each([
  ['', 'is empty; write the password'],
  ['\n', 'is empty; write the password'],
  ['\r\n', 'is empty; write the password'],
  ['hunter2\n\n', 'has more than one line; write the password, and nothing else'],
  ['hunter2\rhunter2', 'has more than one line; write the password, and nothing else'],
  ['x'.repeat(65_537), 'is larger than 65536 bytes; is it the right file?'],
])('a file that begins with %.10j is refused', (content, message) => {
  write(content);

  expect(() => fileSecret(file, 'password').reveal()).toThrow(new ConfigError([{ source: file, message }]));
});

test('a file that is no UTF-8 is refused with the line', () => {
  write(Buffer.from([0x61, 0x0a, 0xff]));

  expect(readSecretFile(file, 'password')).toEqual({
    complaint: 'is not UTF-8 text (line 2); save it as UTF-8, or name another file',
  });
});

test('a token that could not be sent as a header is refused', () => {
  write('abc déf');

  expect(readSecretFile(file, 'token')).toEqual({
    complaint: 'holds a space or another character that no token has; write the token, and nothing else',
  });
});

test('a file that was written again is read again', () => {
  write('first');
  const secret = fileSecret(file, 'password');
  secret.reveal();

  write('other');
  writeFileSync(file, 'other');

  expect(secret.reveal()).toBe('other');
});

test('a file that was replaced by another of the same size and time is read again', () => {
  write('first');
  const secret = fileSecret(file, 'password');
  secret.reveal();
  const { atime, mtime } = statSync(file);

  const replacement = join(folder, 'replacement');
  writeFileSync(replacement, 'other');
  utimesSync(replacement, atime, mtime);
  renameSync(replacement, file);

  expect(secret.reveal()).toBe('other');
});

test('a link that points to another file is followed again, as Kubernetes changes its secrets', () => {
  write('first', join(folder, 'one'));
  write('other', join(folder, 'two'));
  symlinkSync('one', file);
  const secret = fileSecret(file, 'password');
  secret.reveal();

  symlinkSync('two', join(folder, 'link'));
  renameSync(join(folder, 'link'), file);

  expect(secret.reveal()).toBe('other');
});

test('a file that changes faster than its time of change can tell is read each time', () => {
  writeFileSync(file, '0000');
  const secret = fileSecret(file, 'password');

  const stale = Array.from({ length: 500 }, (_, index) => String(1000 + index)).filter((written) => {
    writeFileSync(file, written);
    return secret.reveal() !== written;
  });

  expect(stale).toEqual([]);
});

test('a file that vanished or was emptied takes the secret away, and gives it back when it is there again', () => {
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

test.each([
  [0o600, false],
  [0o640, false],
  [0o644, true],
  [0o604, true],
])('of a file with mode %o, being readable by everyone is %s', (mode, worldReadable) => {
  write('hunter2');

  chmodSync(file, mode);

  expect(readSecretFile(file, 'password')).toMatchObject({ worldReadable });
});
