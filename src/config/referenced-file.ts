import { resolve } from 'node:path';
import type { KeyPath } from './key-path.ts';
import { readSecretFile } from './secret.ts';
import { type ReadFailure, readTextFile, type TextFile } from './text-file.ts';

/** A file that the configuration names. */
export interface ReferencedFile {
  readonly path: KeyPath;
  /** Absolute path. */
  readonly file: string;
  readonly isSecret: boolean;
  readonly content: TextFile | ReadFailure;
}

type Read = (file: string) => TextFile | ReadFailure;

const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['password_file', (file) => readSecretFile(file, 'password')],
  ['token_file', (file) => readSecretFile(file, 'token')],
  ['ca_file', readCertificates],
]);

/**
 * Reads every file that a configuration names, even if the configuration is invalid, so that problems of files and keys
 * are reported together. `folderAt` returns the directory that paths at a key are relative to.
 */
export function readReferencedFiles(
  value: unknown,
  folderAt: (path: KeyPath) => string,
  path: KeyPath = [],
): readonly ReferencedFile[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: (readonly [PropertyKey, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([key, child]) => {
    const read = readers.get(String(key));
    if (read === undefined) return readReferencedFiles(child, folderAt, [...path, key]);
    if (typeof child !== 'string' || child === '') return [];
    const file = resolve(folderAt(path), child);
    return [{ path: [...path, key], file, isSecret: key !== 'ca_file', content: read(file) }];
  });
}

function readCertificates(file: string): TextFile | ReadFailure {
  const content = readTextFile(file, { maxSize: 4 * 1024 * 1024, regularOnly: true });
  if ('failure' in content || content.text.includes('-----BEGIN CERTIFICATE-----')) return content;
  return { failure: 'contains no PEM certificate; name a file that starts with -----BEGIN CERTIFICATE-----' };
}
