import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

export interface TextFile {
  readonly text: string;
  readonly worldReadable: boolean;
}

/** The reason why a file could not be read, with advice. Messages show the reason after the path of the file. */
export interface ReadFailure {
  readonly failure: string;
}

interface Limits {
  /** Maximum number of bytes of the file. */
  readonly maxSize: number;
  /** Refuses pipes and devices: some can be read only once, some are endless. */
  readonly regularOnly: boolean;
}

/** Reads a file of UTF-8 text. Text and mode come from the same file, even if another file replaces it meanwhile. */
export async function readTextFile(path: string, limits: Limits): Promise<TextFile | ReadFailure> {
  let handle: FileHandle | undefined;
  try {
    // Check the type before opening, because opening a pipe would wait for a process that writes to the pipe.
    const refusal = refuse(await stat(path), limits);
    if (refusal !== undefined) return refusal;
    handle = await open(path, 'r');
    const stats = await handle.stat();
    return refuse(stats, limits) ?? interpret(await readAll(handle, stats, limits), stats, limits);
  } catch (error) {
    return { failure: describeReadError(error) };
  } finally {
    await handle?.close();
  }
}

/** A stream needs 64 KiB of memory for each file, so only pipes and devices are read by one. */
async function readAll(handle: FileHandle, stats: Stats, { maxSize }: Limits): Promise<Buffer> {
  if (stats.isFile()) return handle.readFile();
  // `end` is inclusive, so up to `maxSize` + 1 bytes are read. The last byte shows that a pipe or device is too large.
  return Buffer.concat(await handle.createReadStream({ end: maxSize, autoClose: false }).toArray());
}

/** Reads a regular file synchronously, immediately before its text is used. */
export function readTextFileSync(path: string, maxSize: number): TextFile | ReadFailure {
  const limits = { maxSize, regularOnly: true };
  let descriptor: number | undefined;
  try {
    const refusal = refuse(statSync(path), limits);
    if (refusal !== undefined) return refusal;
    descriptor = openSync(path, 'r');
    const stats = fstatSync(descriptor);
    // Check again, because the file may have been replaced since the first check.
    return refuse(stats, limits) ?? interpret(readFileSync(descriptor), stats, limits);
  } catch (error) {
    return { failure: describeReadError(error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function refuse(stats: Stats, { maxSize, regularOnly }: Limits): ReadFailure | undefined {
  if (stats.isDirectory()) return { failure: 'is a directory; name a file' };
  if (regularOnly && !stats.isFile()) return { failure: 'is not a regular file; name one that can be read again' };
  return stats.isFile() && stats.size > maxSize ? tooLarge(maxSize) : undefined;
}

function interpret(bytes: Buffer, { mode }: Stats, { maxSize }: Limits): TextFile | ReadFailure {
  if (bytes.length > maxSize) return tooLarge(maxSize);
  if (!isUtf8(bytes)) {
    return { failure: `is not UTF-8 text (line ${firstInvalidLine(bytes)}); save it as UTF-8, or name another file` };
  }
  // Use TextDecoder, because `toString` would keep a byte order mark.
  return { text: new TextDecoder().decode(bytes), worldReadable: (mode & 0o004) !== 0 };
}

function tooLarge(maxSize: number): ReadFailure {
  return { failure: `is larger than ${maxSize} bytes; check the path` };
}

function firstInvalidLine(bytes: Buffer): number {
  // In latin1, each byte is one character, so that no byte is lost.
  const lines = bytes.toString('latin1').split('\n');
  return lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1'))) + 1;
}

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
