import { hashPassword, validatePassword } from '../web/door/password-hash.ts';
import { defineCommand } from './command.ts';
import type { CommandContext, InputStream } from './command-context.ts';
import { ExitError } from './exit-code.ts';
import { numberFrom } from './flags.ts';

export const command = defineCommand(
  'Read a password from stdin, or from the terminal without showing it, and print its bcrypt hash, for basic_auth_users in the file of --web.config.file.',
  (command) =>
    command.option(
      '--cost <number>',
      'cost of the hash, from 10 to 14; each step doubles the time of a login',
      numberFrom(10, 14, /^\d{2}$/, 'It is not a cost from 10 to 14.'),
      10,
    ),
  async ({ cost }, context) => {
    const password = context.stdin.isTTY === true ? await askTwice(context) : await readAll(context.stdin);
    if (password === undefined) return 1;
    const problem = validatePassword(password);
    if (problem !== undefined) throw new ExitError(2, `error: ${problem}`);
    context.stdout.write(`${await hashPassword(password, cost)}\n`);
    return 0;
  },
);

/** Reads a password from stdin. One newline at the end, such as the newline that `echo` writes, is not part of the password. */
async function readAll(stdin: InputStream): Promise<string> {
  let text = '';
  for await (const character of charactersOf(stdin)) text += character;
  return text.replace(/\r?\n$/, '');
}

/** Refuses other encodings than UTF-8: the hash of replaced characters would not match the password. */
async function* charactersOf(stdin: InputStream): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decode = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new ExitError(2, 'error: the password is not UTF-8 text; convert it, for example with iconv');
    }
  };
  for await (const bytes of stdin) yield* decode(bytes);
  yield* decode();
}

/** Asks for a password and for its repetition. Resolves with undefined if the user cancels. */
async function askTwice({ stdin, stderr }: CommandContext): Promise<string | undefined> {
  stdin.setRawMode?.(true);
  const keys = charactersOf(stdin);
  try {
    stderr.write('Password: ');
    const password = await readLine(keys);
    stderr.write('\nRepeat the password: ');
    const repeated = password === undefined ? undefined : await readLine(keys);
    stderr.write('\n');
    if (password === undefined || repeated === undefined) return undefined;
    if (password !== repeated) throw new ExitError(2, 'error: the passwords differ; run the command again');
    return password;
  } finally {
    stdin.setRawMode?.(false);
  }
}

/** Reads a line from a raw terminal, which passes on every key, including those that usually edit the line or stop the program. */
async function readLine(keys: AsyncGenerator<string, undefined>): Promise<string | undefined> {
  let line = '';
  for (;;) {
    const { value: key, done } = await keys.next();
    if (done === true || key === undefined || key === '\u0003' || key === '\u0004') return undefined;
    if (key === '\r' || key === '\n') return line;
    if (key === '\u007f' || key === '\b') line = [...line].slice(0, -1).join('');
    else line += key;
  }
}
