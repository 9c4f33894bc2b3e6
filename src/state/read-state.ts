import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { inTurns } from '../in-turns.ts';
import { type PayloadVersions, parseState, type ReadState } from './state-file.ts';

/** Bytes of a file without its compression: a hundred times the largest account that was tried. */
const maxSize = 64 * 1024 * 1024;

/** Characters to handle before other work continues: a few milliseconds. */
const stepSize = 64 * 1024;

/** Characters of the name of a file: enough to distinguish all accounts. */
const nameLength = 32;

const inflate = promisify(gunzip);

/** The account that a file must be about. */
interface FileOwner {
  readonly name: string;
  /** A hash of server, login and notation: figures of another identity are not used. */
  readonly identity: string;
}

/** Reads the file of an account, also while an exporter uses the directory. Never rejects. */
export async function readState(
  directory: string,
  { name, identity }: FileOwner,
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
  const { state, dropped } = await inTurns(parseState(text, versions), stepSize);
  const isForeign = state !== undefined && (state.account !== name || state.identity !== identity);
  return isForeign ? { state: undefined, dropped: { foreign: 1 } } : { state, dropped };
}

/** The name of the file of an account. */
export function fileNameOf(account: string): string {
  return `${createHash('sha256').update(account).digest('hex').slice(0, nameLength)}.jsonl.gz`;
}
