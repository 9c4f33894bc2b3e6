import { expect, it } from 'vitest';
import { checkAccount } from '../../src/cli/check/check.ts';
import { inlineSecret } from '../../src/config/values/secret.ts';
import { AccountStore } from '../../src/store/account-store.ts';
import { Clock } from '../../src/store/clock.ts';
import { timeZoneDoubt } from '../../src/store/time-zone-doubt.ts';
import { accountConfig } from '../fixtures/config.ts';
import { polledAccount } from '../fixtures/polled-account.ts';
import { openSandbox } from '../fixtures/sandbox.ts';

const hour = 3_600_000;

/** A quarter past an hour by the provider's clock. */
const providerTime = Date.parse('2026-01-03T12:15:00Z');

/** A store with load histories, whose newest hours begin these numbers of hours after the current one. They are longer than a stack. */
function storeOf(...newest: readonly number[]): AccountStore {
  const store = new AccountStore(new Clock());
  const times = { answered: Date.now(), providerTime, complete: true, expires: Number.POSITIVE_INFINITY };
  for (const [index, hours] of newest.entries()) {
    const start = providerTime - hour / 4 + hours * hour;
    const rows = Array.from({ length: 45_000 }, (_, age) => ({ period: { start: start - age * hour }, value: 1 }));
    const payload = JSON.stringify({ hours: rows, days: [] });
    store.set('site_load_detail', `site ${index}`, { families: [], payload, dropped: 0, ...times });
  }
  return store;
}

it.each([
  [[], 'UTC', undefined],
  [[0, 0, 0], 'UTC', undefined],
  [[-2], 'UTC', undefined],
  [[-9, 0], 'Europe/Moscow', undefined],
  [[-1, 3], 'UTC', { hours: 3, likely: 'Europe/Moscow' }],
  [[-3, -4], 'Europe/Moscow', { hours: -3, likely: 'UTC' }],
  [[-8], 'Asia/Singapore', { hours: -8, likely: 'UTC' }],
  [[30], 'UTC', { hours: 30, likely: undefined }],
])('the newest of the hours %j in %s', (newest, timeZone, doubt) => {
  expect(timeZoneDoubt(storeOf(...newest), timeZone)).toEqual(doubt);
});

/** An account of a provider in Moscow. */
async function accountIn(timeZone: string) {
  const sandbox = await openSandbox({ dialect: 'provider', timeZone: 'Europe/Moscow' });
  const { login, password } = sandbox.account('shop');
  return accountConfig({
    credentials: { kind: 'password', login, password: inlineSecret(password) },
    api: { baseUrl: sandbox.baseUrl, timeZone, requestsPerMinute: 60_000 },
    collectors: ['account', 'site_load', 'site_load_detail'],
  });
}

it.each([
  [
    'UTC',
    ["The newest load is dated 3 hours ahead of the API's clock: check time_zone. A zone that fits is Europe/Moscow."],
  ],
  ['Europe/Moscow', []],
])('check with the time zone %s gives the right advice', async (timeZone, advice) => {
  const options = { signal: new AbortController().signal, onPause: () => {} };

  expect((await checkAccount(await accountIn(timeZone), options)).advice).toEqual(advice);
});

it.each([
  ['UTC', 1],
  ['Europe/Moscow', 0],
])('the log says once that the time zone %s may be wrong', async (timeZone, count) => {
  const { account, logLines, poller, idle } = polledAccount(await accountIn(timeZone));

  await account.pollOnce();
  await poller('site_load_detail').poll();
  await idle();

  const lines = logLines.filter((line) => line.includes('check time_zone'));
  expect(lines).toHaveLength(count);
  for (const line of lines) expect(line).toContain('Europe/Moscow');
});
