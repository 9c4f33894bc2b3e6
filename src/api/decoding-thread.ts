import { extname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import type { Notation } from '../payloads/scalars.ts';
import { nextMessage } from '../runtime/next-message.ts';
import { addSlice, type DecodedBody } from './decoding.ts';

export interface DecodingJob {
  readonly bytes: Uint8Array;
  /** Identifies the schema. The schema itself contains functions and cannot be sent. */
  readonly payloadName: string;
  readonly notation: Notation;
  readonly maxItems: number;
  /** The worker sends the decoded body with empty lists to this port, and then the elements of the lists in slices. */
  readonly port: MessagePort;
}

/** The worker ends after this many milliseconds without a job, to release its memory. */
const idleTime = 60_000;

/** Maximum heap of the worker in mebibytes. The largest response needs only a fraction of this limit. */
const maxHeap = 1024;

const workerFile = new URL(`../decoding-worker${extname(import.meta.url)}`, import.meta.url);

/** Decodes one body at a time, because decoding a large body needs much memory. */
const queue = new PQueue({ concurrency: 1 });
let current: Worker | undefined;
let idleTimer: NodeJS.Timeout | undefined;

/** Decodes a body in a worker thread. The caller must not use the bytes afterwards. Rejects with the signal's reason on abort. */
export async function decodeInThread<T>(job: Omit<DecodingJob, 'port'>, signal: AbortSignal): Promise<DecodedBody<T>> {
  const { port1: port, port2 } = new MessageChannel();
  try {
    // Do not pass the signal to the queue: on abort, the queue would start the next job before this job releases the worker.
    const outcome = await queue.add(() => run({ ...job, port: port2 }, signal));
    if (outcome === 'out of memory')
      return { kind: 'invalid', problem: 'the response needs too much memory to be read' };
    const body: DecodedBody<T> = receiveMessageOnPort(port)?.message;
    // Receive one message in each turn of the event loop, because deserializing a large message blocks the event loop.
    for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
      addSlice(body, next.message);
      await setImmediate();
    }
    signal.throwIfAborted();
    return body;
  } finally {
    port.close();
  }
}

async function run(job: DecodingJob, signal: AbortSignal): Promise<'decoded' | 'out of memory'> {
  signal.throwIfAborted();
  clearTimeout(idleTimer);
  const worker = current ?? startWorker();
  current = worker;
  worker.ref();
  try {
    const bytes = inOwnMemory(job.bytes);
    worker.postMessage({ ...job, bytes }, [bytes.buffer, job.port]);
    return await nextMessage<'decoded'>(worker, signal);
  } catch (error) {
    // An aborted job must not occupy the worker.
    stopWorker();
    signal.throwIfAborted();
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return 'out of memory';
    throw error;
  } finally {
    worker.unref();
    idleTimer = setTimeout(stopWorker, idleTime).unref();
  }
}

/** Returns the bytes in a buffer that can be transferred. Copies them only if their buffer also contains other bytes. */
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
