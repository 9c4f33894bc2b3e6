import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A TypeScript file. */
export interface Source {
  /** Relative to the folder that was read, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Reads all TypeScript files below a folder. */
export function readSources(folder: string): readonly Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}

/** All lines, with comments and empty ones. */
export function linesOf(sources: readonly Source[]): number {
  return sources.reduce((sum, { text }) => sum + text.split('\n').length - (text.endsWith('\n') ? 1 : 0), 0);
}

/** The files in the folder itself, and the names of the folders in it. */
export function topLevelOf(sources: readonly Source[]): {
  readonly files: readonly string[];
  readonly folders: readonly string[];
} {
  const files = sources.map(({ path }) => path).filter((path) => !path.includes('/'));
  const folders = sources.flatMap(({ path }) => (path.includes('/') ? (path.split('/')[0] ?? []) : []));
  return { files, folders: [...new Set(folders)] };
}

/** Whether the first comment gives the reason for a long file, with the words "in one file, because". */
export function statesWhyLong({ text }: Source): boolean {
  const [comment = ''] = /^[ \t]*(?:\/\*.*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*)/ms.exec(text) ?? [];
  return /\bin one file,? because\b/.test(comment.replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' '));
}
