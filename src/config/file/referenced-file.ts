import { resolve } from 'node:path';
import { readCertificateFile } from '../values/certificates.ts';
import { mapConcurrently } from '../values/concurrency.ts';
import type { KeyPath } from '../values/key-path.ts';
import { readSecretFile } from '../values/secret.ts';
import type { ReadFailure, TextFile } from '../values/text-file.ts';

export interface ReferencedFile {
  readonly path: KeyPath;
  /** Absolute path of the file. */
  readonly file: string;
  readonly isSecret: boolean;
  readonly content: TextFile | ReadFailure;
}

interface Reference extends Omit<ReferencedFile, 'content'> {
  /** Key and path of the file. A file under two keys is read twice, because the keys have different validations. */
  readonly id: string;
  read(): Promise<TextFile | ReadFailure>;
}

const readers: ReadonlyMap<string, (file: string) => Promise<TextFile | ReadFailure>> = new Map([
  ['password_file', (file: string) => readSecretFile(file, 'password')],
  ['token_file', (file: string) => readSecretFile(file, 'token')],
  ['ca_file', readCertificateFile],
]);

/** Reads all files that a configuration names, even if it is invalid, so that all problems are reported together. */
export async function readReferencedFiles(
  value: unknown,
  folderAt: (path: KeyPath) => string,
  signal?: AbortSignal,
): Promise<readonly ReferencedFile[]> {
  const contents = new Map<string, Promise<TextFile | ReadFailure>>();
  const readOnce = async ({ id, path, file, isSecret, read }: Reference) => {
    const content = contents.get(id) ?? read();
    contents.set(id, content);
    return { path, file, isSecret, content: await content };
  };
  return mapConcurrently(findReferences(value, folderAt), readOnce, signal);
}

function findReferences(value: unknown, folderAt: (path: KeyPath) => string, path: KeyPath = []): readonly Reference[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: (readonly [PropertyKey, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([key, child]) => {
    const reader = readers.get(String(key));
    if (reader === undefined) return findReferences(child, folderAt, [...path, key]);
    if (typeof child !== 'string' || child === '') return [];
    const file = resolve(folderAt(path), child);
    const isSecret = key !== 'ca_file';
    return [{ id: `${String(key)} ${file}`, path: [...path, key], file, isSecret, read: () => reader(file) }];
  });
}
