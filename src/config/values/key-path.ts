/** The keys from the top of the configuration to a value, as in the paths of zod's issues. */
export type KeyPath = readonly PropertyKey[];

/** Formats the path for messages, such as `accounts[0].api.timeout`. */
export function formatKeyPath(path: KeyPath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(String(part))) text += text === '' ? String(part) : `.${String(part)}`;
    else text += `[${quote(String(part))}]`;
  }
  return text;
}

/** Makes text safe for a message: quoted, on one line, shortened, with invisible characters escaped. */
export function quote(text: string): string {
  const short = JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
  return short.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
