import { Readable } from 'node:stream';
import { compare } from 'bcryptjs';
import { expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { recordedContext, terminalContext } from '../fixtures/command-context.ts';

type Chunks = readonly (string | Buffer)[];

/** The hash of a password from a file or pipe. */
async function hashOf(chunks: Chunks, argv: readonly string[] = []) {
  const context = recordedContext({ stdin: () => Readable.from(chunks, { objectMode: false }) });
  const exitCode = await run(['hash-password', ...argv], context);
  return { exitCode, ...context.printed };
}

/** The hash of a password that is typed on a terminal. */
async function typedHashOf(answers: Chunks) {
  const context = terminalContext(answers);
  const exitCode = await run(['hash-password'], context);
  return { exitCode, modes: context.modes, ...context.printed };
}

it.each([
  ['secret', 'secret'],
  ['secret\n', 'secret'],
  ['secret\r\n', 'secret'],
  [' with spaces ', ' with spaces '],
  ['пароль', 'пароль'],
  ['x'.repeat(72), 'x'.repeat(72)],
])('prints the bcrypt hash of %j from stdin', async (input, password) => {
  const { exitCode, stdout } = await hashOf([input]);

  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^\$2b\$10\$\S{53}\n$/);
  expect(await compare(password, stdout.trim())).toBe(true);
});

it('puts a character together that arrives in two pieces', async () => {
  const bytes = Buffer.from('пароль');
  const { stdout } = await hashOf([bytes.subarray(0, 3), bytes.subarray(3)]);

  expect(await compare('пароль', stdout.trim())).toBe(true);
});

it('uses the cost of --cost', async () => {
  expect((await hashOf(['x'], ['--cost=11'])).stdout).toMatch(/^\$2b\$11\$/);
});

it.each([
  ['', 'error: the password is empty; write the password\n'],
  ['\n', 'error: the password is empty; write the password\n'],
  ['a\nb\n', 'error: the password has more than one line; write only the password\n'],
  ['a\0b', 'error: the password contains a null character; remove it\n'],
  ['я'.repeat(37), 'error: the password has 74 bytes, of which bcrypt uses only 72; shorten it\n'],
])('refuses %j', async (input, message) => {
  expect(await hashOf([input])).toMatchObject({ exitCode: 2, stdout: '', stderr: message });
});

it.each([
  ['of ISO 8859-1', [Buffer.from('gr\u00fcn', 'latin1')]],
  ['that end within a character', [Buffer.from('пароль').subarray(0, 11)]],
  ['of UTF-16', [Buffer.from('\ufeffsecret', 'utf16le')]],
])('refuses bytes %s, from stdin and from a terminal', async (_, input) => {
  const message = 'error: the password is not UTF-8 text; convert it, for example with iconv\n';

  const piped = await hashOf(input);
  const typed = await typedHashOf([Buffer.concat([...input, Buffer.from('\r')])]);

  expect(piped).toMatchObject({ exitCode: 2, stdout: '', stderr: message });
  expect(typed).toMatchObject({ exitCode: 2, stdout: '', stderr: `Password: \n${message}`, modes: [true, false] });
});

it('reads a password twice from a terminal, and does not show it', async () => {
  const { exitCode, stdout, stderr, modes } = await typedHashOf(['sex\u007fcret\r', 'secret\r']);

  expect(exitCode).toBe(0);
  expect(stderr).toBe('Password: \nRepeat the password: \n');
  expect(modes).toEqual([true, false, true, false]);
  expect(await compare('secret', stdout.trim())).toBe(true);
});

it.each([
  ['\u007f', 'secre😀\u007ft\r'],
  ['\b', 'secre😀\bt\r'],
  ['\n', 'secret\n'],
])('understands the key %j', async (_, keys) => {
  const { exitCode, stdout } = await typedHashOf([keys, 'secret\r']);

  expect(exitCode).toBe(0);
  expect(await compare('secret', stdout.trim())).toBe(true);
});

it('refuses two different passwords', async () => {
  const { exitCode, stderr } = await typedHashOf(['one\r', 'two\r']);

  expect([exitCode, stderr.split('\n').at(-2)]).toEqual([2, 'error: the passwords differ; run the command again']);
});

it.each([[['\u0003']], [['\u0004']], [['abc\u0003']], [['\u0003secret\r', 'secret\r']], [['abc\r', '\u0003']], [[]]])(
  'stops without output at %j',
  async (answers) => {
    const { exitCode, stdout, modes } = await typedHashOf(answers);

    expect([exitCode, stdout, modes.at(-1)]).toEqual([1, '', false]);
  },
);
