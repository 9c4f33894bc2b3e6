import { type BigIntStats, closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

export interface TextFile {
  readonly text: string;
  /** Differs where the file was changed or replaced. */
  readonly version: string;
  /** Unix milliseconds of its last change. */
  readonly changed: number;
  readonly worldReadable: boolean;
}

/** Why a file could not be read, and what to do about it: the end of a sentence that names the file. */
export interface Unread {
  readonly complaint: string;
}

interface Limits {
  /** In bytes. */
  readonly largest: number;
  /** Refuses pipes and devices, which can be read only once or never end. */
  readonly regularOnly: boolean;
}

/** A file's text, with version and mode of the same moment, even while the file is being replaced. */
export function readTextFile(path: string, { largest, regularOnly }: Limits): TextFile | Unread {
  let descriptor: number | undefined;
  try {
    const before = statSync(path);
    if (before.isDirectory()) return { complaint: 'is a directory; name a file' };
    if (regularOnly && !before.isFile()) return { complaint: 'is no regular file; name one that can be read again' };
    descriptor = openSync(path, 'r');
    const found = fstatSync(descriptor, { bigint: true });
    const bytes = readAtMost(descriptor, largest + 1);
    if (bytes.length > largest) return { complaint: `is larger than ${largest} bytes; is it the right file?` };
    const text = decode(bytes);
    if (text === undefined) {
      return { complaint: `is not UTF-8 text (line ${firstBadLine(bytes)}); save it as UTF-8, or name another file` };
    }
    return {
      text,
      version: describeVersion(found),
      changed: Number(found.mtimeMs),
      worldReadable: (found.mode & 0o004n) !== 0n,
    };
  } catch (error) {
    return { complaint: complaintOf(error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The version that `readTextFile` would report; undefined where the file can't be found. */
export function versionOf(path: string): string | undefined {
  try {
    return describeVersion(statSync(path, { bigint: true }));
  } catch {
    return undefined;
  }
}

function describeVersion({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

function readAtMost(descriptor: number, most: number): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total < most) {
    const chunk = Buffer.alloc(Math.min(65_536, most - total));
    const length = readSync(descriptor, chunk);
    if (length === 0) break;
    chunks.push(chunk.subarray(0, length));
    total += length;
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function firstBadLine(bytes: Buffer): number {
  let line = 1;
  let start = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    if (decode(bytes.subarray(start, end)) === undefined) return line;
    line += 1;
    start = end + 1;
  }
  return line;
}

/** What the system says when a path can't be had, and what to do about it. */
export function complaintOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist; create it, or correct the path';
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by this user; correct its owner or mode';
    case 'ERR_INVALID_ARG_VALUE':
      return 'has the character with code 0 in its path; remove it';
    default:
      return `can not be read (${String(code ?? 'unknown reason')}); correct the path`;
  }
}
