import { resolve } from 'node:path';
import { readCertificateFile } from './certificates.ts';
import { mapConcurrently } from './concurrency.ts';
import type { KeyPath } from './key-path.ts';
import { readSecretFile } from './secret.ts';
import type { ReadFailure, TextFile } from './text-file.ts';

/** A file that the configuration names. */
export interface ReferencedFile {
  readonly path: KeyPath;
  /** Absolute path. */
  readonly file: string;
  readonly isSecret: boolean;
  readonly content: TextFile | ReadFailure;
}

/** Where a configuration names a file. */
type Reference = Omit<ReferencedFile, 'content'>;

type Read = (file: string) => Promise<TextFile | ReadFailure>;

const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['password_file', (file) => readSecretFile(file, 'password')],
  ['token_file', (file) => readSecretFile(file, 'token')],
  ['ca_file', readCertificateFile],
]);

/**
 * Reads every file that a configuration names, even if the configuration is invalid, so that problems of files and keys
 * are reported together. Reads a file once even if several accounts name it. `folderAt` returns the directory that paths
 * at a key are relative to.
 */
export async function readReferencedFiles(
  value: unknown,
  folderAt: (path: KeyPath) => string,
  signal?: AbortSignal,
): Promise<readonly ReferencedFile[]> {
  const references = findReferences(value, folderAt);
  const distinct = new Map(references.map(({ path, file }) => [readId(path, file), { path, file }]));
  const contents = new Map(
    await mapConcurrently(
      [...distinct],
      async ([id, { path, file }]) => [id, await reader(path)(file)] as const,
      signal,
    ),
  );
  return references.flatMap((reference) => {
    const content = contents.get(readId(reference.path, reference.file));
    return content === undefined ? [] : [{ ...reference, content }];
  });
}

/** A file of another kind is validated differently. */
function readId(path: KeyPath, file: string): string {
  return `${String(path.at(-1))} ${file}`;
}

function reader(path: KeyPath): Read {
  return readers.get(String(path.at(-1))) ?? readCertificateFile;
}

function findReferences(value: unknown, folderAt: (path: KeyPath) => string, path: KeyPath = []): readonly Reference[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: (readonly [PropertyKey, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([key, child]) => {
    if (!readers.has(String(key))) return findReferences(child, folderAt, [...path, key]);
    if (typeof child !== 'string' || child === '') return [];
    return [{ path: [...path, key], file: resolve(folderAt(path), child), isSecret: key !== 'ca_file' }];
  });
}
