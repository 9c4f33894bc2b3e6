import type { InputStream } from './command.ts';
import { ExitError } from './exit-code.ts';

/** Maximum number of characters from stdin, which may be endless. A password is much shorter. */
const maxInput = 65_536;

/** Reads a password from stdin. One newline at the end, such as the newline that `echo` writes, is not part of the password. */
export async function readAll(stdin: InputStream): Promise<string> {
  let text = '';
  for await (const character of charactersOf(stdin)) {
    text += character;
    if (text.length > maxInput)
      throw new ExitError(2, 'error: stdin is too long for a password; write only the password');
  }
  return text.replace(/\r?\n$/, '');
}

/** Yields the characters of the input. Refuses bytes that are not UTF-8, because replaced characters would change the password. */
export async function* charactersOf(stdin: InputStream): AsyncGenerator<string, undefined> {
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

/** Reads a line and handles the editing keys of a raw terminal. Returns undefined if the input ends or the user cancels. */
export async function readLine(keys: AsyncGenerator<string, undefined>): Promise<string | undefined> {
  let line = '';
  for (;;) {
    const { value: key, done } = await keys.next();
    if (done === true || key === undefined || key === '\u0003' || key === '\u0004') return undefined;
    if (key === '\r' || key === '\n') return line;
    if (key === '\u007f' || key === '\b') line = [...line].slice(0, -1).join('');
    else line += key;
  }
}
