import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { findFiles } from '../config/file/file-pattern.ts';
import type { ConfigInputs } from '../config/file/load.ts';
import { mapConcurrently } from '../config/values/concurrency.ts';
import { versionOf } from '../config/values/file-version.ts';
import { readRegularFile } from '../config/values/regular-file.ts';

/** Maximum number of bytes of a file. The limits for configuration files are lower. */
const maxSize = 64 * 1024 * 1024;

/** Hashes of files by path. A file that cannot be read has an error code instead of a hash. */
export type Hashes = ReadonlyMap<string, string>;

/** Hashes the contents of files. Reads a file again only if its time stamps, size or inode have changed. */
export class ContentHashes {
  readonly #known = new Map<string, { readonly version: string; readonly hash: string }>();
  #inputs: ConfigInputs | undefined;
  /** The files that match the patterns of the inputs. */
  #matches: readonly string[] = [];
  /** The folders of the files and patterns, each with its version at the time when the matches were listed. */
  #folders: readonly (readonly [string, string | undefined])[] = [];

  async of(inputs: ConfigInputs): Promise<Hashes> {
    if (inputs !== this.#inputs || (await this.haveFoldersChanged())) await this.#list(inputs);
    const paths = new Set([...inputs.files, ...this.#matches]);
    const entries = await mapConcurrently([...paths], async (path) => [path, await this.#hashOf(path)] as const);
    for (const path of this.#known.keys()) if (!paths.has(path)) this.#known.delete(path);
    return new Map(entries);
  }

  /** Whether a file was added, renamed or removed. The kubelet, for example, updates a volume by renaming a link in its folder. */
  async haveFoldersChanged(): Promise<boolean> {
    const versions = await mapConcurrently(this.#folders, ([folder]) => folderVersion(folder));
    return this.#folders.some(([, version], index) => version === undefined || version !== versions[index]);
  }

  async #list(inputs: ConfigInputs): Promise<void> {
    this.#inputs = inputs;
    const found = await mapConcurrently(inputs.patterns, async ({ pattern, from }) => ({
      // If this name contains a wildcard, the folder has no version, so each check lists all files.
      folder: resolve(dirname(from), dirname(pattern)),
      files: (await findFiles(pattern, from)).files.map((path) => resolve(path)),
    }));
    this.#matches = found.flatMap(({ files }) => files);
    const folders = [...inputs.files].map((path) => dirname(path));
    const distinct = new Set([...folders, ...found.map(({ folder }) => folder)]);
    // If a file has appeared since the listing, the version of its folder is undefined. The next check then lists all files again.
    this.#folders = await mapConcurrently([...distinct], async (path) => [path, await folderVersion(path)] as const);
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

/** Undefined if the folder has just changed or cannot be read. */
async function folderVersion(folder: string): Promise<string | undefined> {
  return stat(folder, { bigint: true }).then(versionOf, () => undefined);
}
