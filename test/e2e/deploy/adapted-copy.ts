import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Cleanups } from '../../fixtures/cleanups.ts';
import { readText } from '../../fixtures/repository.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

/** Copies a file of the repository and replaces texts. Throws if a text does not occur. Returns the path of the copy. */
export function adaptedCopy(cleanups: Cleanups, path: string, replacements: Readonly<Record<string, string>>): string {
  let text = readText(path);
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  const copy = join(temporaryFolder(cleanups), basename(path));
  writeFileSync(copy, text, { mode: 0o600 });
  return copy;
}
