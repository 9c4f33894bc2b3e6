import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type ReloadOutcome, ReloadQueue } from '../../../src/reload/queue.ts';

/** A queue whose reloads end when the test says so. */
function controlledQueue() {
  const reloads: PromiseWithResolvers<ReloadOutcome>[] = [];
  const queue = new ReloadQueue((signal) => {
    const reload = Promise.withResolvers<ReloadOutcome>();
    signal.addEventListener('abort', () => reload.reject(signal.reason));
    reloads.push(reload);
    return reload.promise;
  });
  return { queue, reloads };
}

const applied = { kind: 'applied' } as const;
const failed = { kind: 'failed', problems: 'config.yml: is empty' } as const;

test('merges all requests during a reload into the next one', async () => {
  const { queue, reloads } = controlledQueue();

  const first = queue.request();
  const later = Array.from({ length: 50 }, () => queue.request());
  reloads[0]?.resolve(failed);
  const outcome = await first;
  await setImmediate();
  const started = reloads.length;
  reloads[1]?.resolve(applied);

  expect(outcome).toEqual(failed);
  expect(started).toBe(2);
  expect(new Set(await Promise.all(later))).toEqual(new Set([applied]));
  expect(reloads).toHaveLength(2);
});

test('a request after a reload starts another one', async () => {
  const { queue, reloads } = controlledQueue();
  const first = queue.request();
  reloads[0]?.resolve(applied);
  await first;

  const second = queue.request();
  reloads[1]?.resolve(failed);

  expect(await second).toEqual(failed);
});

test('closing interrupts the running reload, and cancels the pending and later ones', async () => {
  const { queue, reloads } = controlledQueue();
  const requests = [queue.request(), queue.request()];

  await queue.close();
  requests.push(queue.request());

  expect(await Promise.all(requests)).toEqual(requests.map(() => ({ kind: 'cancelled' })));
  expect(reloads).toHaveLength(1);
});

test('a bug in a reload rejects its request and does not stop the next one', async () => {
  const { queue, reloads } = controlledQueue();
  const first = queue.request();
  const second = queue.request();

  reloads[0]?.reject(new Error('bug'));
  await expect(first).rejects.toThrow('bug');
  await setImmediate();
  reloads[1]?.resolve(applied);

  expect(await second).toEqual(applied);
});
