import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { mapConcurrently } from './concurrency.ts';
import type { ConfigInputs } from './config-inputs.ts';
import { findFiles } from './file-pattern.ts';

/** Hashes of files by path. A file that cannot be read has a text in place of its hash. */
export type Hashes = ReadonlyMap<string, string>;

/** Milliseconds in which a file can change twice without a new time stamp, on file systems with coarse clocks. */
const timestampGranularity = 2000;

/** Reads a file again only if its time stamps, size or inode changed. */
export class ContentHashes {
  #known = new Map<string, { readonly version: string; readonly hash: string }>();

  /** The hashes of all files that belong to a configuration. */
  async of({ files, patterns }: ConfigInputs): Promise<Hashes> {
    const matches = patterns.flatMap(({ pattern, from }) => findFiles(pattern, from).files);
    const paths = [...new Set([...files, ...matches.map((path) => resolve(path))])];
    const entries = await mapConcurrently(paths, async (path) => [path, await this.#hashOf(path)] as const);
    this.#known = new Map([...this.#known].filter(([path]) => paths.includes(path)));
    return new Map(entries);
  }

  async #hashOf(path: string): Promise<string> {
    try {
      const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = await stat(path, { bigint: true });
      const version = [dev, ino, size, mtimeNs, ctimeNs].join(' ');
      const known = this.#known.get(path);
      if (known?.version === version) return known.hash;
      const hash = createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
      const isSettled = Math.abs(Date.now() - Number(ctimeMs)) > timestampGranularity;
      if (isSettled) this.#known.set(path, { version, hash });
      return hash;
    } catch (error) {
      return `unreadable ${error instanceof Error && 'code' in error ? String(error.code) : ''}`;
    }
  }
}
