import { hashPassword, validatePassword } from '../web/door/login.ts';
import { type CommandContext, defineCommand, ExitError } from './command.ts';
import { numberFrom } from './flags.ts';
import { ask, readPassword } from './input.ts';

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
    const password = await (context.stdin().isTTY ? askTwice(context) : readPassword(context));
    if (password === undefined) return 1;
    const problem = validatePassword(password);
    if (problem !== undefined) throw new ExitError(2, `error: ${problem}`);
    context.stdout.write(`${await hashPassword(password, cost)}\n`);
    return 0;
  },
);

async function askTwice(context: CommandContext): Promise<string | undefined> {
  const password = await ask('Password: ', context, true);
  const repeated = password && (await ask('Repeat the password: ', context, true));
  if (password !== undefined && repeated !== undefined && password !== repeated)
    throw new ExitError(2, 'error: the passwords differ; run the command again');
  return repeated;
}
