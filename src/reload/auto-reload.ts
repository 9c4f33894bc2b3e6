import type { ConfigInputs } from '../config/file/load.ts';
import { ContentHashes, type Hashes } from './content-hashes.ts';

/** Milliseconds between two checks. A change is applied when two consecutive checks find the same new content. */
const interval = 3000;

/** With fewer files than this, every check reads all files. A check of 20 000 files takes 0.3 s of CPU. */
const filesPerInterval = 1000;

/** Reloads when the content of a file changes. Call it directly after loading the files. Resolves with a function that stops watching. */
export async function reloadOnChange(inputs: () => ConfigInputs, reload: () => Promise<unknown>): Promise<() => void> {
  const contents = new ContentHashes();
  let loaded = await contents.of(inputs());
  let seen = loaded;
  let isSettled = true;
  /** Number of coming checks that read only the folders; 0 if there are few files. */
  let skips = 0;
  const check = async () => {
    if (isSettled && skips > 0 && !(await contents.haveFoldersChanged())) {
      skips -= 1;
      return;
    }
    const current = await contents.of(inputs());
    skips = Math.floor(current.size / filesPerInterval);
    isSettled = isSame(current, seen);
    seen = current;
    if (!isSettled || isSame(current, loaded)) return;
    await reload();
    // Keep the hashes from before the reload, so that the next check detects changes during the reload.
    const after = await contents.of(inputs());
    loaded = new Map([...after].map(([path, hash]) => [path, current.get(path) ?? hash]));
    skips = 0;
  };
  let timer: NodeJS.Timeout | undefined;
  const schedule = () => {
    timer = setTimeout(() => void check().then(() => timer && schedule()), interval).unref();
  };
  schedule();
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}

function isSame(one: Hashes, other: Hashes): boolean {
  return one.size === other.size && [...one].every(([path, hash]) => other.get(path) === hash);
}
