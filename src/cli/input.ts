import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type CommandContext, ExitError } from './command.ts';

/** Reads a password from a file or pipe. One newline at the end, such as the newline that `echo` writes, is not part of the password. */
export async function readPassword({ stdin }: CommandContext): Promise<string> {
  return validText((await text(stdin())).replace(/\r?\n$/, ''));
}

/** Asks on a terminal, and shows what the user types unless it is `hidden`. Resolves with undefined if the user cancels. */
export async function ask(question: string, context: CommandContext, hidden = false): Promise<string | undefined> {
  context.stderr.write(question);
  // With `terminal` and an output, readline would show what the user types. Without an output, it only handles the editing keys.
  const input = createInterface({ input: context.stdin(), terminal: hidden, historySize: 0, signal: context.signal });
  const line = await new Promise<string | undefined>((resolve) => {
    input.once('line', resolve);
    input.once('close', () => resolve(undefined));
  });
  input.close();
  if (hidden) context.stderr.write('\n');
  return line === undefined ? undefined : validText(line);
}

/** Throws ExitError if the text contains the replacement character, which means that the input was not valid UTF-8. */
function validText(written: string): string {
  if (!written.includes('\ufffd')) return written;
  throw new ExitError(2, 'error: the password is not UTF-8 text; convert it, for example with iconv');
}
