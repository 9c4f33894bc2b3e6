import { setTimeout } from 'node:timers/promises';

/** Bytes on V8's heap and in buffers after several garbage collections, because buffers are freed some time later. */
export async function memoryInUse(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error('start with --expose-gc');
  for (let collection = 0; collection < 5; collection += 1) {
    globalThis.gc();
    await setTimeout(200);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
