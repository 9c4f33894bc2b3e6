import { hashPassword, validatePassword } from '../web/door/password-hash.ts';
import { type CommandContext, defineCommand } from './command.ts';
import { ExitError } from './exit-code.ts';
import { numberFrom } from './flags.ts';
import { charactersOf, readAll, readLine } from './input.ts';

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
