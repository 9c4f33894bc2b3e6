import { createInterface } from 'node:readline';
import type { CommandContext } from './command.ts';
import { ExitError } from './exit-code.ts';

/** Maximum number of bytes from stdin, which may be endless. A password is much shorter. */
const maxInput = 65_536;

/** Reads a password from a file or pipe. One newline at the end, such as the newline that `echo` writes, is not part of the password. */
export async function readPassword({ stdin }: CommandContext): Promise<string> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of stdin()) {
    bytes = Buffer.concat([bytes, Buffer.from(chunk)]);
    if (bytes.length > maxInput)
      throw new ExitError(2, 'error: stdin is too long for a password; write only the password');
  }
  return validText(bytes.toString().replace(/\r?\n$/, ''));
}

/** Asks on a terminal, and shows what the user types unless it is `hidden`. Resolves with undefined if the user cancels. */
export async function ask(question: string, context: CommandContext, hidden = false): Promise<string | undefined> {
  context.stderr.write(question);
  // With `terminal`, readline would show the keys. Without an output, it only handles the editing keys.
  const input = createInterface({ input: context.stdin(), terminal: hidden, historySize: 0, signal: context.signal });
  const line = await new Promise<string | undefined>((resolve) => {
    input.once('line', resolve);
    input.once('close', () => resolve(undefined));
  });
  input.close();
  if (hidden) context.stderr.write('\n');
  return line === undefined ? undefined : validText(line);
}

/** Rejects a text with a replaced character, because it differs from what the user has written. */
function validText(text: string): string {
  if (!text.includes('\ufffd')) return text;
  throw new ExitError(2, 'error: the password is not UTF-8 text; convert it, for example with iconv');
}
