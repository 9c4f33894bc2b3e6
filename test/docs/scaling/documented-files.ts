import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(join(import.meta.dirname, '../../../docs/scaling.md'), 'utf8');

/** Files in docs/scaling.md by name: a line with the name in backquotes and a colon, then a code block. */
export const documentedFiles: ReadonlyMap<string, string> = new Map(
  [...page.matchAll(/^`([^`]+)`:\n\n```\w+\n(.*?)^```$/gms)].map(([, name = '', text = '']) => [name, text]),
);

/** The text of one file. Throws if the page does not show it. */
export function documentedFile(name: string): string {
  const text = documentedFiles.get(name);
  if (text === undefined) throw new Error(`docs/scaling.md shows no ${name}`);
  return text;
}

/** Arguments of the command lines in docs/scaling.md. */
export const documentedCommands: readonly (readonly string[])[] = [
  ...page.matchAll(/^hosting-account-exporter (.*)$/gm),
].map(([, words = '']) => words.split(' '));
