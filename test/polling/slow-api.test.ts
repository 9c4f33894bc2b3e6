import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { accountConfig } from '../fixtures/config.ts';
import { fakeClock, polledAccount } from '../fixtures/polled-account.ts';
import { httpServer } from '../fixtures/servers.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** An API that answers each call after 55 seconds, and what it has received. */
async function startSlowApi() {
  const started: number[] = [];
  const open = new Set<number>();
  let mostAtOnce = 0;
  const baseUrl = await httpServer((request, response) => {
    const number = started.push(Date.now());
    open.add(number);
    mostAtOnce = Math.max(mostAtOnce, open.size);
    const isList = request.url?.endsWith('/getDbListLoad') === true;
    const databases = Array.from({ length: 10 }, (_, index) => ({ name: `base${index}`, cp: '1' }));
    const days = [2, 1, 0].map((ago) => ({
      date: new Date(Date.now() - ago * 24 * hour).toISOString().slice(0, 10),
      cpu_time: 7,
    }));
    const load = request.url?.endsWith('/getDbLoad') === true ? { days } : [];
    setTimeout(() => {
      open.delete(number);
      response.setHeader('date', new Date().toUTCString());
      response.end(JSON.stringify({ status: 'success', result: isList ? databases : load }));
    }, 55 * second);
  });
  return { baseUrl, started, mostAtOnce: () => mostAtOnce };
}

it('an API that answers each call after 55 seconds is polled for hours without a failure or an expired figure', async () => {
  fakeClock('2026-06-03T20:00:00Z');
  const api = await startSlowApi();
  const { account, metricValue, series, startSchedule } = polledAccount(
    accountConfig({
      api: { baseUrl: api.baseUrl, timeout: minute, requestsPerMinute: 6 },
      collectors: ['databases', 'database_load', 'database_load_detail'],
    }),
  );
  startSchedule();
  const missing: string[] = [];

  for (let time = 0; time < 6 * hour; time += 5 * second) {
    await vi.advanceTimersByTimeAsync(5 * second);
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    if (time < 30 * minute || time % (5 * minute) !== 0) continue;
    const shown = (await series('hosting_database_load_daily')).length;
    if (shown !== 10) missing.push(`${shown} databases after ${time / minute} min`);
  }

  const failures = account.pollers.flatMap(({ newest }) => newest?.failures ?? []);
  expect([failures, missing]).toEqual([[], []]);
  expect(await metricValue('hosting_databases')).toBe(0);
  expect(api.mostAtOnce()).toBeLessThanOrEqual(4);
  // At the start and every hour: one call for each of the two lists, and one for each of the ten databases.
  expect(api.started.length).toBeGreaterThanOrEqual(6 * (2 + 10));
  expect(api.started.length).toBeLessThanOrEqual(7 * (2 + 10));
});
