import { expect, it, vi } from 'vitest';
import { startSandbox } from '../../sandbox/src/server.ts';
import { sandboxAccountConfig } from '../fixtures/config.ts';
import { fakeClock, polledAccount } from '../fixtures/polled-account.ts';
import { until } from '../fixtures/waiting.ts';

const requestsPerMinute = 6;

it('with a tight budget, every collector shows figures within twice the calls that one call for each site takes', async () => {
  fakeClock('2026-06-03T12:00:00Z');
  const sandbox = await startSandbox({ requestsPerMinute: 0, dialect: 'provider' });
  const names = ['account', 'sites', 'domains', 'databases', 'site_load', 'database_load'];
  const fanOuts = ['site_load_detail', 'database_load_detail', 'mailboxes'];
  const settings = { collectors: [...names, ...fanOuts], api: { requestsPerMinute, timeout: 3_600_000 } };
  const { account, startSchedule } = polledAccount(sandboxAccountConfig(sandbox, 'agency', settings));
  const sites = sandbox.account('agency').sites.length;
  const shown = () => account.pollers.filter(({ collector }) => account.store.results(collector.name).size > 0);

  startSchedule();
  for (let calls = 1; calls <= 2 * sites; calls += 1) {
    await vi.advanceTimersByTimeAsync(60_000 / requestsPerMinute);
    await until('the API has answered a call', () => account.calls.sent >= calls);
  }

  expect(shown()).toEqual(account.pollers);
  // The fan-outs took turns.
  const results = fanOuts.map((name) => account.store.results(name).size);
  expect(Math.max(...results) - Math.min(...results)).toBeLessThanOrEqual(2);
  expect(Math.min(...results)).toBeGreaterThan(10);
  await sandbox.close();
});
