import { hashPassword as hash, validatePassword } from '../login/new-hash.ts';
import type { HashPasswordArguments } from './arguments.ts';
import type { ExitCode } from './exit-code.ts';
import type { Host, Input } from './host.ts';
import { UsageError } from './usage-error.ts';

/** Reads a password from stdin, or from a terminal without showing it, and prints its bcrypt hash. */
export async function hashPassword({ cost }: HashPasswordArguments, host: Host): Promise<ExitCode> {
  const password = host.stdin.isTTY === true ? await askTwice(host) : await readAll(host.stdin);
  if (password === undefined) return 1;
  const problem = validatePassword(password);
  if (problem !== undefined) throw new UsageError(`error: ${problem}`);
  host.stdout.write(`${await hash(password, cost)}\n`);
  return 0;
}

/** One newline at the end, as of `echo`, is not part of the password. */
async function readAll(stdin: Input): Promise<string> {
  let text = '';
  stdin.setEncoding('utf8');
  for await (const chunk of stdin) text += String(chunk);
  return text.replace(/\r?\n$/, '');
}

/** Undefined if the user gives up. */
async function askTwice({ stdin, stderr }: Host): Promise<string | undefined> {
  stdin.setEncoding('utf8');
  stdin.setRawMode?.(true);
  const keys = keysOf(stdin);
  try {
    stderr.write('Password: ');
    const password = await readLine(keys);
    stderr.write('\nRepeat the password: ');
    const repeated = password === undefined ? undefined : await readLine(keys);
    stderr.write('\n');
    if (password === undefined || repeated === undefined) return undefined;
    if (password !== repeated) throw new UsageError('error: the passwords differ; run the command again');
    return password;
  } finally {
    stdin.setRawMode?.(false);
  }
}

async function* keysOf(stdin: Input): AsyncGenerator<string, undefined> {
  for await (const chunk of stdin) yield* String(chunk);
}

/** A raw terminal passes on every key, including those that usually edit the line or stop the program. */
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
