/** Where in the configuration something is, as zod's issues have it. */
export type KeyPath = readonly PropertyKey[];

/** The path as messages show it: `accounts[0].api.timeout`. */
export function formatKeyPath(path: KeyPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(String(part))) text += text === '' ? String(part) : `.${String(part)}`;
    else text += `[${quote(String(part))}]`;
  }
  return text;
}

/** Text of the file as a message may repeat it: in quotes, on one line, short, and without invisible characters. */
export function quote(text: string): string {
  const short = JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
  return short.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
