import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { nextMessage } from '../../runtime/next-message.ts';
import type { Comparison } from './bcrypt-worker.ts';

/** `.ts` in a checkout, `.js` in the built program. */
const workerFile = new URL(`./bcrypt-worker${extname(import.meta.url)}`, import.meta.url);

/** Compares passwords with hashes in a thread, because a comparison takes 0.1 s or more. The first comparison starts the thread. */
export class BcryptThread {
  #worker: Worker | undefined;

  /** Must not be called during another comparison. Rejects if the thread dies. */
  async compare(comparison: Comparison): Promise<boolean> {
    const worker = this.#worker ?? new Worker(workerFile, { resourceLimits: { maxOldGenerationSizeMb: 32 } });
    this.#worker = worker;
    worker.unref();
    try {
      worker.postMessage(comparison);
      return await nextMessage<boolean>(worker);
    } catch (error) {
      this.#worker = undefined;
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate();
  }
}
