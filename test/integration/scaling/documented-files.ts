import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(join(import.meta.dirname, '../../../docs/scaling.md'), 'utf8');

/** The files that docs/scaling.md shows, by name: a line with the name in backquotes and a colon, then a block of code. */
export const documentedFiles: ReadonlyMap<string, string> = new Map(
  [...page.matchAll(/^`([^`]+)`:\n\n```\w+\n(.*?)^```$/gms)].map(([, name = '', text = '']) => [name, text]),
);

/** The text of one of them; throws where there is none. */
export function documentedFile(name: string): string {
  const text = documentedFiles.get(name);
  if (text === undefined) throw new Error(`docs/scaling.md shows no ${name}`);
  return text;
}

/** The command lines that docs/scaling.md shows, each split into its words, without the program. */
export const documentedCommands: readonly (readonly string[])[] = [
  ...page.matchAll(/^hosting-account-exporter (.*)$/gm),
].map(([, words = '']) => words.split(' '));
