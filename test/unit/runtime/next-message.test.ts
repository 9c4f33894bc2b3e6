import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { nextMessage } from '../../../src/runtime/next-message.ts';

let worker: Worker;

function start(source: string): Worker {
  worker = new Worker(`const { parentPort } = require('node:worker_threads'); ${source}`, { eval: true });
  return worker;
}

afterEach(() => worker.terminate());

describe('the next message of a thread', () => {
  it('is what the thread sends', async () => {
    start(`parentPort.on('message', (text) => parentPort.postMessage(text.toUpperCase()))`);

    const messages: string[] = [];
    for (const text of ['one', 'two']) {
      worker.postMessage(text);
      messages.push(await nextMessage(worker));
    }

    expect(messages).toEqual(['ONE', 'TWO']);
  });

  it('never comes if the thread exits', async () => {
    start('process.exit(0)');

    await expect(nextMessage(worker)).rejects.toThrow('the thread exited before its message');
  });

  it('never comes if the thread fails', async () => {
    start('throw new RangeError("no such payload")');

    await expect(nextMessage(worker)).rejects.toThrow('no such payload');
  });

  it('is no longer awaited when the signal aborts', async () => {
    start('setInterval(() => {}, 1000)');
    const stop = new AbortController();

    const message = nextMessage(worker, stop.signal);
    stop.abort();

    await expect(message).rejects.toThrow('aborted');
  });

  it('leaves no listener behind', async () => {
    start('parentPort.postMessage(1); setInterval(() => {}, 1000)');

    await nextMessage(worker);

    expect(['message', 'exit', 'error'].map((event) => worker.listenerCount(event))).toEqual([0, 0, 0]);
  });
});
