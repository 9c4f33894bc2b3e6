import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';

export interface TextFile {
  readonly text: string;
  readonly worldReadable: boolean;
}

/** Why a file could not be read, and what to do about it. Messages print this text after the path of the file. */
export interface ReadFailure {
  readonly failure: string;
}

/** Reads a file of UTF-8 text. With `regularOnly`, refuses pipes and devices, which may be endless, or readable only once. */
export function readTextFileSync(path: string, maxSize: number, { regularOnly = true } = {}): TextFile | ReadFailure {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return { failure: 'is a directory; name a file' };
    if (regularOnly && !stats.isFile()) return { failure: 'is not a regular file; name one that can be read again' };
    const bytes = stats.size > maxSize ? undefined : readFileSync(path);
    if (bytes === undefined || bytes.length > maxSize)
      return { failure: `is larger than ${maxSize} bytes; check the path` };
    if (!isUtf8(bytes)) return { failure: describeEncoding(bytes) };
    // Use TextDecoder, because `toString` would keep a byte order mark.
    return { text: new TextDecoder().decode(bytes), worldReadable: (stats.mode & 0o004) !== 0 };
  } catch (error) {
    return { failure: describeReadError(error) };
  }
}

function describeEncoding(bytes: Buffer): string {
  // Read as latin1, each byte becomes one character, so no byte is lost.
  const lines = bytes.toString('latin1').split('\n');
  const line = lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1'))) + 1;
  return `is not UTF-8 text (line ${line}); save it as UTF-8, or name another file`;
}

export function describeReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  if (['ENOENT', 'ENOTDIR'].includes(code)) return 'does not exist; create it, or correct the path';
  if (['EACCES', 'EPERM'].includes(code)) return 'is not readable by this user; correct its owner or mode';
  if (['EMFILE', 'ENFILE'].includes(code)) return `cannot be read (${code}); raise the limit of open files`;
  return `cannot be read (${code}); correct the path`;
}

/**
 * Returns a text that changes when a file is written, renamed or replaced. Undefined if the newest change was less than `minAge`
 * milliseconds ago, because the next change could have the same time stamp.
 */
export function fileVersion(path: string, minAge = 2000): string | undefined {
  try {
    const stats = statSync(path, { bigint: true });
    if (!stats.isFile()) return 'is not a regular file';
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = stats;
    if (Math.abs(Date.now() - Number(ctimeMs)) < minAge) return undefined;
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    return describeReadError(error);
  }
}
