import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Comparison } from './bcrypt-worker.ts';

/** `.ts` in a checkout, `.js` in the built program. */
const workerFile = new URL(`./bcrypt-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * Compares passwords with bcrypt hashes in a thread, because a comparison takes a tenth of a second or more. The thread
 * starts with the first comparison and does not keep the process alive.
 */
export class BcryptThread {
  #worker: Worker | undefined;

  /** Expects that the previous comparison has ended. Rejects if the thread dies. */
  async compare(comparison: Comparison): Promise<boolean> {
    const worker = this.#worker ?? new Worker(workerFile, { resourceLimits: { maxOldGenerationSizeMb: 32 } });
    this.#worker = worker;
    worker.unref();
    const ended = new AbortController();
    try {
      worker.postMessage(comparison);
      const { signal } = ended;
      const died = once(worker, 'exit', { signal }).then(() => {
        throw new Error('the bcrypt thread exited');
      });
      const [matches] = await Promise.race([once(worker, 'message', { signal }), died]);
      return matches === true;
    } catch (error) {
      this.#worker = undefined;
      throw error;
    } finally {
      // Removes the listeners of this comparison.
      ended.abort();
    }
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate();
  }
}
