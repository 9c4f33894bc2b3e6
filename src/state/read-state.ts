import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { readRegularFile } from '../config/values/regular-file.ts';
import { maxSize } from './atomic-file.ts';
import { type PayloadVersions, parseState, type ReadState } from './state-file.ts';

const nameLength = 32;

const inflate = promisify(gunzip);

/** Reads an account's state file, even while an exporter uses it. Drops a file of another `name` or `identity`. Never rejects. */
export async function readState(
  directory: string,
  { name, identity }: { readonly name: string; readonly identity: string },
  versions: PayloadVersions,
): Promise<ReadState> {
  try {
    const { bytes } = await readRegularFile(join(directory, fileNameOf(name)), maxSize);
    const text = (await inflate(bytes, { maxOutputLength: maxSize })).toString('utf8');
    const read = await parseState(text, versions);
    const isForeign = read.state !== undefined && (read.state.account !== name || read.state.identity !== identity);
    return isForeign ? { state: undefined, dropped: { foreign: 1 } } : read;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return { state: undefined, dropped: isMissing ? {} : { damaged: 1 } };
  }
}

export function fileNameOf(account: string): string {
  return `${createHash('sha256').update(account).digest('hex').slice(0, nameLength)}.jsonl.gz`;
}
