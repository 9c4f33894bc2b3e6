import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Reloader } from '../../../src/config/reload.ts';
import type { Config } from '../../../src/config/values/config.ts';
import { ConfigError } from '../../../src/config/values/config-error.ts';
import { silentLog } from '../../../src/log.ts';

/** A queue whose reloads end when the test says so. */
function controlledQueue() {
  const reloads: PromiseWithResolvers<Config>[] = [];
  const load = () => {
    const reload = Promise.withResolvers<Config>();
    reloads.push(reload);
    return reload.promise;
  };
  const queue = new Reloader(
    async () => void (await load()),
    () => {},
    silentLog,
  );
  return { queue, reloads };
}

const config: Config = { accounts: [], web: { listenAddresses: [], telemetryPath: '/metrics' } };
const invalid = new ConfigError([{ source: 'config.yml', message: 'is empty' }]);

test('merges all requests during a reload into the next one', async () => {
  const { queue, reloads } = controlledQueue();

  const first = queue.request();
  await setImmediate();
  const later = Array.from({ length: 50 }, () => queue.request());
  reloads[0]?.reject(invalid);
  const outcome = await first;
  await setImmediate();
  const started = reloads.length;
  reloads[1]?.resolve(config);

  expect(outcome).toBe(invalid);
  expect(started).toBe(2);
  expect(new Set(await Promise.all(later))).toEqual(new Set(['applied']));
  expect(reloads).toHaveLength(2);
});

test('a request after a reload starts another reload', async () => {
  const { queue, reloads } = controlledQueue();
  const first = queue.request();
  await setImmediate();
  reloads[0]?.resolve(config);
  await first;

  const second = queue.request();
  await setImmediate();
  reloads[1]?.reject(invalid);

  expect(await second).toBe(invalid);
});

test('closing cancels the running, the pending and later reloads', async () => {
  const { queue, reloads } = controlledQueue();
  const requests = [queue.request()];
  await setImmediate();
  requests.push(queue.request());

  const closed = queue.close();
  reloads[0]?.resolve(config);
  await closed;
  requests.push(queue.request());

  expect(await Promise.all(requests)).toEqual(requests.map(() => 'cancelled'));
  expect(reloads).toHaveLength(1);
});

test('a bug in a reload rejects the request and does not stop the next reload', async () => {
  const { queue, reloads } = controlledQueue();
  const first = queue.request();
  await setImmediate();
  const second = queue.request();

  reloads[0]?.reject(new Error('bug'));
  await expect(first).rejects.toThrow('bug');
  await setImmediate();
  reloads[1]?.resolve(config);

  expect(await second).toBe('applied');
});
