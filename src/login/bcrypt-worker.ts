import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

/** A comparison that the main thread asks for. */
export interface Comparison {
  readonly password: string;
  readonly hash: string;
}

// One comparison at a time; the main thread sends the next one when it has the result.
parentPort?.on('message', ({ password, hash }: Comparison) => {
  parentPort?.postMessage(compareSync(password, hash));
});
