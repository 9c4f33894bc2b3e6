import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import { nextMessage } from '../next-message.ts';
import type { DecodedBody } from './decoding.ts';
import { assemble } from './pieces.ts';

/** What the worker needs to read a body. */
export interface DecodingJob {
  readonly bytes: Uint8Array;
  readonly payload: PayloadReference;
  readonly maxItems: number;
}

/** How to find a schema in another thread: schemas contain functions, which cannot be sent. */
export interface PayloadReference {
  readonly name: string;
  readonly notation: unknown;
}

/** Milliseconds without a job after which the worker ends, to release its memory. */
const idleTime = 60_000;

/** Mebibytes of a worker's heap: several times what the largest response needs. */
const maxHeap = 1024;

const workerFile = new URL(`../decoding-worker${extname(import.meta.url)}`, import.meta.url);

/** One body at a time, because each needs much memory. */
const queue = new PQueue({ concurrency: 1 });
let current: Worker | undefined;
let idleTimer: NodeJS.Timeout | undefined;

/** Reads a body in a worker thread, and takes its bytes away. Rejects with the signal's reason if the signal aborts. */
export async function decodeInThread<T>(job: DecodingJob, signal: AbortSignal): Promise<DecodedBody<T>> {
  // Without the signal, with which the queue would start the next job before this one has given its worker up.
  const pieces = await queue.add(() => run(job, signal));
  if (pieces === 'out of memory') return { kind: 'invalid', problem: 'the response needs too much memory to be read' };
  const decoded = await assemble(pieces);
  signal.throwIfAborted();
  return decoded as DecodedBody<T>;
}

async function run(job: DecodingJob, signal: AbortSignal): Promise<readonly Uint8Array[] | 'out of memory'> {
  signal.throwIfAborted();
  clearTimeout(idleTimer);
  const worker = current ?? startWorker();
  current = worker;
  worker.ref();
  try {
    const bytes = inOwnMemory(job.bytes);
    worker.postMessage({ ...job, bytes }, [bytes.buffer]);
    return await nextMessage<readonly Uint8Array[]>(worker, signal);
  } catch (error) {
    // The body may take long, and its result is no longer wanted.
    current = undefined;
    void worker.terminate();
    signal.throwIfAborted();
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return 'out of memory';
    throw error;
  } finally {
    worker.unref();
    idleTimer = setTimeout(stopWorker, idleTime).unref();
  }
}

/** Copies the bytes only if their memory contains others, too. */
function inOwnMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, length } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === length;
  return isAlone ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

function startWorker(): Worker {
  const worker = new Worker(workerFile, { name: 'decoding', resourceLimits: { maxOldGenerationSizeMb: maxHeap } });
  worker.on('error', () => {
    if (current === worker) current = undefined;
  });
  return worker;
}

function stopWorker(): void {
  void current?.terminate();
  current = undefined;
}
