import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

export interface Comparison {
  readonly password: string;
  readonly hash: string;
}

parentPort?.on('message', ({ password, hash }: Comparison) => {
  parentPort?.postMessage(compareSync(password, hash));
});
