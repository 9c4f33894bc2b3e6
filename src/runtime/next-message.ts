import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';

/** Waits for a message. Rejects with the worker's error, with an Error if the worker exits first, or with an AbortError. */
export async function nextMessage<T>(worker: Worker, signal?: AbortSignal): Promise<T> {
  const ended = new AbortController();
  const options = { signal: AbortSignal.any([ended.signal, ...(signal === undefined ? [] : [signal])]) };
  try {
    const exited = once(worker, 'exit', options).then(() => {
      throw new Error('the thread exited before its message');
    });
    const [message] = await Promise.race([once(worker, 'message', options), exited]);
    return message;
  } finally {
    // Removes the listeners.
    ended.abort();
  }
}
