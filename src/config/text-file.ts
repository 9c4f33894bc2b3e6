import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

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
export async function readTextFile(path: string, limits: Limits): Promise<TextFile | ReadFailure> {
  let handle: FileHandle | undefined;
  try {
    // Opening a pipe would wait for its writer.
    const refusal = refuse(await stat(path), limits);
    if (refusal !== undefined) return refusal;
    handle = await open(path, 'r');
    const stats = await handle.stat();
    const chunks = new Chunks(limits.maxSize);
    while (chunks.wanted > 0) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(bufferSize(stats, chunks.wanted)));
      if (!chunks.add(buffer, bytesRead, stats)) break;
    }
    return interpret(chunks.bytes, stats, limits);
  } catch (error) {
    return { failure: describeReadError(error) };
  } finally {
    await handle?.close();
  }
}

/** As `readTextFile`, but blocks. For what is read immediately before its use: secrets, and the web configuration. */
export function readTextFileSync(path: string, limits: Limits): TextFile | ReadFailure {
  let descriptor: number | undefined;
  try {
    const refusal = refuse(statSync(path), limits);
    if (refusal !== undefined) return refusal;
    descriptor = openSync(path, 'r');
    const stats = fstatSync(descriptor);
    const chunks = new Chunks(limits.maxSize);
    while (chunks.wanted > 0) {
      const buffer = Buffer.alloc(bufferSize(stats, chunks.wanted));
      if (!chunks.add(buffer, readSync(descriptor, buffer), stats)) break;
    }
    return interpret(chunks.bytes, stats, limits);
  } catch (error) {
    return { failure: describeReadError(error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function refuse(stats: Stats, { regularOnly }: Limits): ReadFailure | undefined {
  if (stats.isDirectory()) return { failure: 'is a directory; name a file' };
  if (regularOnly && !stats.isFile()) return { failure: 'is not a regular file; name one that can be read again' };
  return undefined;
}

/** The bytes read so far, up to one more than allowed: the size of a pipe or device is unknown. */
class Chunks {
  readonly #chunks: Buffer[] = [];
  wanted: number;

  constructor(maxSize: number) {
    this.wanted = maxSize + 1;
  }

  /** False at the end of the file. */
  add(buffer: Buffer, length: number, stats: Stats): boolean {
    this.#chunks.push(buffer.subarray(0, length));
    this.wanted -= length;
    return length > 0 && !(stats.isFile() && length < buffer.length);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

/** One byte more than the file, so that one short read proves its end. */
function bufferSize({ size }: Stats, wanted: number): number {
  return Math.min(Math.max(size + 1, 4096), 65_536, wanted);
}

function interpret(bytes: Buffer, { mode }: Stats, { maxSize }: Limits): TextFile | ReadFailure {
  if (bytes.length > maxSize) return { failure: `is larger than ${maxSize} bytes; check the path` };
  const text = decode(bytes);
  if (text === undefined) {
    return { failure: `is not UTF-8 text (line ${firstInvalidLine(bytes)}); save it as UTF-8, or name another file` };
  }
  return { text, worldReadable: (mode & 0o004) !== 0 };
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
