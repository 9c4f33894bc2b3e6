import { describe, expect, it } from 'vitest';
import { accountConfig } from '../../fixtures/config.ts';
import { fakeClock, polledAccount } from '../../fixtures/polled-account.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';

const rejected = { refuse: 'AUTH_ERROR', text: 'Username/password incorrect' } as const;
const info = { result: { plan_name: 'Business', server_name: 'germes', disk_usage: '1 GB', disk_limit: '2 GB' } };

async function pollableAccount() {
  const api = await scriptedApi({ 'user/getAccountInfo': info });
  const config = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['account', 'databases', 'domains'] });
  const polled = polledAccount(config);
  return { api, accountPoller: polled.poller('account'), domains: polled.poller('domains'), ...polled };
}

describe('an account that the API accepts again', () => {
  it('is polled immediately by every rejected collector, regardless of its next run', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const { api, accountPoller, idle, account, metricValue } = await pollableAccount();
    for (const method of ['user/getAccountInfo', 'mysql/getList', 'domain/getList']) api.answer(method, rejected);
    await account.pollOnce();
    api.newCalls();

    api.answer('user/getAccountInfo', info);
    api.answer('mysql/getList', { result: [] });
    api.answer('domain/getList', { result: [] });
    await accountPoller.poll();
    await idle();

    expect(api.newCalls().toSorted()).toEqual(['domain/getList', 'mysql/getList', 'user/getAccountInfo']);
    expect(await metricValue('hosting_exporter_collector_success', { collector: 'domains' })).toBe(1);
  });

  it('is polled immediately by a collector that was rejected between two polls of the account', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const { api, accountPoller, domains, idle, account, metricValue } = await pollableAccount();
    await account.pollOnce();
    api.answer('domain/getList', rejected);
    await domains.poll();
    api.newCalls();

    api.answer('domain/getList', { result: [] });
    await accountPoller.poll();
    await idle();

    expect(api.newCalls()).toEqual(['user/getAccountInfo', 'domain/getList']);
    expect(await metricValue('hosting_exporter_collector_success', { collector: 'domains' })).toBe(1);
  });

  it('retries a refused section only once', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const { api, accountPoller, domains, idle, account } = await pollableAccount();
    await account.pollOnce();
    api.answer('domain/getList', rejected);
    await domains.poll();
    api.newCalls();

    for (let poll = 0; poll < 3; poll += 1) {
      await accountPoller.poll();
      await idle();
    }

    expect(api.newCalls().filter((name) => name === 'domain/getList')).toHaveLength(1);
    expect(account.status().map(({ failure }) => failure?.reason)).toEqual([undefined, undefined, 'permission']);
  });

  it('does not repeat polls that succeeded or lack a permission', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const { api, accountPoller, idle, account } = await pollableAccount();
    api.answer('mysql/getList', { refuse: 'PERMISSION_DENIED', text: 'Access to the method is forbidden' });
    await account.pollOnce();
    api.answer('user/getAccountInfo', rejected);
    await accountPoller.poll();
    api.newCalls();

    api.answer('user/getAccountInfo', info);
    await accountPoller.poll();
    await idle();

    expect(api.newCalls()).toEqual(['user/getAccountInfo']);
  });

  it('does not retry a collector that failed for another reason', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const { api, accountPoller, idle, account } = await pollableAccount();
    api.answer('mysql/getList', { status: 500 });
    await account.pollOnce();
    api.newCalls();

    await accountPoller.poll();
    await accountPoller.poll();
    await idle();

    expect(api.newCalls()).toEqual(['user/getAccountInfo', 'user/getAccountInfo']);
  });
});
