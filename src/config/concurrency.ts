import PQueue from 'p-queue';

/** Files that are read at the same time: enough for a slow network file system, far below the limit of open files. */
const concurrency = 32;

/** Applies an asynchronous function to all items, in bounded numbers at a time. Rejects if the signal aborts. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
  signal?: AbortSignal,
): Promise<readonly Result[]> {
  const queue = new PQueue({ concurrency });
  return queue.addAll(
    items.map((item) => () => map(item)),
    signal === undefined ? {} : { signal },
  );
}
