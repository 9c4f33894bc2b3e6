import { gzipSync } from 'node:zlib';

/** Lines of a page, ready to be sent: as they are, and as a gzip member of their own. Members may follow each other. */
export interface Block {
  readonly text: Buffer;
  readonly gzip: Buffer;
}

/** A block of text that is not empty; compressed once, here. */
export function makeBlock(text: string): Block {
  const bytes = Buffer.from(text, 'utf8');
  return { text: bytes, gzip: gzipSync(bytes) };
}
