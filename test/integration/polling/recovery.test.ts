import { describe, expect, it } from 'vitest';
import { accountConfig } from '../../fixtures/config.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';
import { fakeClock, until, watchUnderTest } from '../../fixtures/watch.ts';

const rejected = { refuse: 'AUTH_ERROR', text: 'Username/password incorrect' } as const;
const info = { result: { plan_name: 'Business', server_name: 'germes', disk_usage: '1 GB', disk_limit: '2 GB' } };

async function watchAccount() {
  const api = await scriptedApi({ 'user/getAccountInfo': info });
  const config = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['account', 'databases', 'domains'] });
  const under = watchUnderTest(config);
  const [account, domains] = ['account', 'domains'].map((name) =>
    under.watch.pollers.find(({ collector }) => collector.name === name),
  );
  const idle = () => until(() => under.watch.status().every(({ polling }) => !polling));
  return { api, account, domains, idle, ...under };
}

describe('an account that the API lets in again', () => {
  it('is polled at once by every collector that was refused, however far its turn', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const { api, account, idle, watch, figure } = await watchAccount();
    for (const method of ['user/getAccountInfo', 'mysql/getList', 'domain/getList']) api.answer(method, rejected);
    await watch.pollOnce();
    api.newCalls();

    api.answer('user/getAccountInfo', info);
    api.answer('mysql/getList', { result: [] });
    api.answer('domain/getList', { result: [] });
    await account?.turn();
    await idle();

    expect(api.newCalls().toSorted()).toEqual(['domain/getList', 'mysql/getList', 'user/getAccountInfo']);
    expect(await figure('hosting_exporter_collector_success', { collector: 'domains' })).toBe(1);
  });

  it('is polled at once by a collector that was refused between two polls of the account', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const { api, account, domains, idle, watch, figure } = await watchAccount();
    await watch.pollOnce();
    api.answer('domain/getList', rejected);
    await domains?.turn();
    api.newCalls();

    api.answer('domain/getList', { result: [] });
    await account?.turn();
    await idle();

    expect(api.newCalls()).toEqual(['user/getAccountInfo', 'domain/getList']);
    expect(await figure('hosting_exporter_collector_success', { collector: 'domains' })).toBe(1);
  });

  it('is asked but once more for a section that is refused all the same', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const { api, account, domains, idle, watch } = await watchAccount();
    await watch.pollOnce();
    api.answer('domain/getList', rejected);
    await domains?.turn();
    api.newCalls();

    for (let turn = 0; turn < 3; turn += 1) {
      await account?.turn();
      await idle();
    }

    expect(api.newCalls().filter((name) => name === 'domain/getList')).toHaveLength(1);
    expect(watch.status().map(({ failure }) => failure?.reason)).toEqual([undefined, undefined, 'permission']);
  });

  it('is not asked anew for what it brought, or for what it may not have', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const { api, account, idle, watch } = await watchAccount();
    api.answer('mysql/getList', { refuse: 'PERMISSION_DENIED', text: 'Access to the method is forbidden' });
    await watch.pollOnce();
    api.answer('user/getAccountInfo', rejected);
    await account?.turn();
    api.newCalls();

    api.answer('user/getAccountInfo', info);
    await account?.turn();
    await idle();

    expect(api.newCalls()).toEqual(['user/getAccountInfo']);
  });

  it('is polled no more than before while the account collector succeeds and another one fails', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const { api, account, idle, watch } = await watchAccount();
    api.answer('mysql/getList', { status: 500 });
    await watch.pollOnce();
    api.newCalls();

    await account?.turn();
    await account?.turn();
    await idle();

    expect(api.newCalls()).toEqual(['user/getAccountInfo', 'user/getAccountInfo']);
  });
});
