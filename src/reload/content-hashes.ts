import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findFiles } from '../config/file/file-pattern.ts';
import type { ConfigInputs } from '../config/file/load.ts';
import { mapConcurrently } from '../config/values/concurrency.ts';
import { versionOf } from '../config/values/file-version.ts';
import { readRegularFile } from '../config/values/regular-file.ts';

/** Maximum number of bytes of a file. The configuration refuses files that are much smaller than this limit. */
const maxSize = 64 * 1024 * 1024;

/** Hashes of files by path. A file that cannot be read has an error code instead of a hash. */
export type Hashes = ReadonlyMap<string, string>;

/** Hashes the contents of files. Reads a file again only if its time stamps, size or inode have changed. */
export class ContentHashes {
  #known = new Map<string, { readonly version: string; readonly hash: string }>();

  async of({ files, patterns }: ConfigInputs): Promise<Hashes> {
    const matches = patterns.flatMap(({ pattern, from }) => findFiles(pattern, from).files);
    const paths = [...new Set([...files, ...matches.map((path) => resolve(path))])];
    const entries = await mapConcurrently(paths, async (path) => [path, await this.#hashOf(path)] as const);
    this.#known = new Map([...this.#known].filter(([path]) => paths.includes(path)));
    return new Map(entries);
  }

  async #hashOf(path: string): Promise<string> {
    try {
      const version = versionOf(await stat(path, { bigint: true }));
      const known = this.#known.get(path);
      if (version !== undefined && known?.version === version) return known.hash;
      const { bytes } = await readRegularFile(path, maxSize);
      const hash = createHash('sha256').update(bytes).digest('hex');
      if (version !== undefined) this.#known.set(path, { version, hash });
      return hash;
    } catch (error) {
      return `unreadable ${error instanceof Error && 'code' in error ? String(error.code) : ''}`;
    }
  }
}
