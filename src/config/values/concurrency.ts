/** Number of concurrent operations: enough for a slow network file system, and far below the limit of open files. */
const concurrency = 32;

/** Maps items concurrently, and limits how many files are open. Rejects if the signal aborts. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
  signal?: AbortSignal,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const entries = items.entries();
  const work = async () => {
    for (const [index, item] of entries) {
      signal?.throwIfAborted();
      results[index] = await map(item);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results;
}
