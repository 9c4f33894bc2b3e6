import { resolve } from 'node:path';
import type { KeyPath } from './key-path.ts';
import { readSecretFile } from './secret.ts';
import { readTextFile, type TextFile, type Unread } from './text-file.ts';

/** A file that the configuration names. */
export interface ReferencedFile {
  readonly path: KeyPath;
  readonly isSecret: boolean;
  readonly content: TextFile | Unread;
}

type Read = (file: string) => TextFile | Unread;

const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['password_file', (file) => readSecretFile(file, 'password')],
  ['token_file', (file) => readSecretFile(file, 'token')],
  ['ca_file', readCertificates],
]);

/**
 * Reads every file that a configuration names, be the rest of it right or wrong: what is wrong with the files is to be
 * told together with what is wrong with the keys. Relative paths begin at `folderAt` of their place.
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
    return [{ path: [...path, key], isSecret: key !== 'ca_file', content: read(resolve(folderAt(path), child)) }];
  });
}

function readCertificates(file: string): TextFile | Unread {
  const content = readTextFile(file, { largest: 4 * 1024 * 1024, regularOnly: true });
  if ('complaint' in content || content.text.includes('-----BEGIN CERTIFICATE-----')) return content;
  return { complaint: 'holds no certificate in PEM form; name a file that begins with -----BEGIN CERTIFICATE-----' };
}
