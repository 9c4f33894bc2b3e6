import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

export interface TextFile {
  readonly text: string;
  readonly worldReadable: boolean;
}

/** Why a file could not be read, and what to do. Continues a sentence that starts with the file. */
export interface ReadFailure {
  readonly failure: string;
}

interface Limits {
  /** Bytes. */
  readonly maxSize: number;
  /** Refuses pipes and devices, which can be read only once or are endless. */
  readonly regularOnly: boolean;
}

/** Reads a file of UTF-8 text. Text and mode belong to the same file even if the file is replaced meanwhile. */
export function readTextFile(path: string, { maxSize, regularOnly }: Limits): TextFile | ReadFailure {
  let descriptor: number | undefined;
  try {
    // Opening a pipe would wait for its writer.
    const before = statSync(path);
    if (before.isDirectory()) return { failure: 'is a directory; name a file' };
    if (regularOnly && !before.isFile()) return { failure: 'is not a regular file; name one that can be read again' };
    descriptor = openSync(path, 'r');
    const { mode } = fstatSync(descriptor);
    const bytes = readAtMost(descriptor, maxSize + 1);
    if (bytes.length > maxSize) return { failure: `is larger than ${maxSize} bytes; check the path` };
    const text = decode(bytes);
    if (text === undefined) {
      return { failure: `is not UTF-8 text (line ${firstInvalidLine(bytes)}); save it as UTF-8, or name another file` };
    }
    return { text, worldReadable: (mode & 0o004) !== 0 };
  } catch (error) {
    return { failure: describeReadError(error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Reads to the end or up to a number of bytes: the size of a pipe or device is unknown. */
function readAtMost(descriptor: number, maxBytes: number): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total < maxBytes) {
    const chunk = Buffer.alloc(Math.min(65_536, maxBytes - total));
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

function firstInvalidLine(bytes: Buffer): number {
  let line = 1;
  let start = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    if (decode(bytes.subarray(start, end)) === undefined) return line;
    line += 1;
    start = end + 1;
  }
  return line;
}

/** Why the system refused to read a path, and what to do. */
export function describeReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist; create it, or correct the path';
    case 'EACCES':
    case 'EPERM':
      return 'is not readable by this user; correct its owner or mode';
    case 'ERR_INVALID_ARG_VALUE':
      return 'has a null character in its path; remove it';
    default:
      return `cannot be read (${String(code ?? 'unknown reason')}); correct the path`;
  }
}
