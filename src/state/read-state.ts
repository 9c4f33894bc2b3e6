import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type PayloadVersions, parseState, type ReadState } from './state-file.ts';

/** Bytes after decompression. The largest account in our tests has a hundredth of it. */
const maxSize = 64 * 1024 * 1024;

const nameLength = 32;

const inflate = promisify(gunzip);

/** Reads an account's state file, even while an exporter uses it. Drops a file of another `name` or `identity`. Never rejects. */
export async function readState(
  directory: string,
  { name, identity }: { readonly name: string; readonly identity: string },
  versions: PayloadVersions,
): Promise<ReadState> {
  let text: string;
  try {
    const compressed = await readFile(join(directory, fileNameOf(name)));
    text = (await inflate(compressed, { maxOutputLength: maxSize })).toString('utf8');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return { state: undefined, dropped: isMissing ? {} : { damaged: 1 } };
  }
  const { state, dropped } = await parseState(text, versions);
  const isForeign = state !== undefined && (state.account !== name || state.identity !== identity);
  return isForeign ? { state: undefined, dropped: { foreign: 1 } } : { state, dropped };
}

export function fileNameOf(account: string): string {
  return `${createHash('sha256').update(account).digest('hex').slice(0, nameLength)}.jsonl.gz`;
}
