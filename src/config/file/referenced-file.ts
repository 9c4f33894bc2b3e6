import { resolve } from 'node:path';
import { readCertificateFile } from '../values/certificates.ts';
import { mapConcurrently } from '../values/concurrency.ts';
import type { KeyPath } from '../values/key-path.ts';
import { readSecretFile } from '../values/secret.ts';
import type { ReadFailure, TextFile } from '../values/text-file.ts';

/** `file`: the absolute path of the file. */
export type ReferencedFile = Awaited<ReturnType<typeof readReferencedFiles>>[number];

type Reader = (file: string) => Promise<TextFile | ReadFailure>;
type Reference = { readonly path: KeyPath; readonly file: string; readonly read: Reader };

const readers: ReadonlyMap<unknown, Reader> = new Map([
  ['password_file', (file: string) => readSecretFile(file, 'password')],
  ['token_file', (file: string) => readSecretFile(file, 'token')],
  ['ca_file', readCertificateFile],
]);

/** Reads all files that a configuration names, so that all problems are reported together. The configuration may be invalid. */
export async function readReferencedFiles(value: unknown, folderAt: (path: KeyPath) => string, signal?: AbortSignal) {
  const contents = new Map<string, ReturnType<Reader>>();
  const readOnce = async ({ path, file, read }: Reference) => {
    const key = path.at(-1);
    // If different keys name the same file, read it once for each key, because each key validates the content differently.
    const id = `${String(key)} ${file}`;
    const content = contents.get(id) ?? read(file);
    contents.set(id, content);
    return { path, file, isSecret: key !== 'ca_file', content: await content };
  };
  return mapConcurrently(findReferences(value, folderAt), readOnce, signal);
}

function findReferences(value: unknown, folderAt: (path: KeyPath) => string, path: KeyPath = []): readonly Reference[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: (readonly [PropertyKey, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([key, child]) => {
    const read = readers.get(key);
    if (read === undefined) return findReferences(child, folderAt, [...path, key]);
    if (typeof child !== 'string' || child === '') return [];
    return [{ path: [...path, key], file: resolve(folderAt(path), child), read }];
  });
}
