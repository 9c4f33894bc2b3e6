import { describe, expect, it, vi } from 'vitest';
import { inlineSecret } from '../../src/config/values/secret.ts';
import { pollAll, startApp } from '../fixtures/app.ts';
import { accountConfig, config as configOf } from '../fixtures/config.ts';
import { fakeClock, polledAccount, statusOf } from '../fixtures/polled-account.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';
import { httpServer } from '../fixtures/servers.ts';
import { until } from '../fixtures/waiting.ts';

const minute = 60_000;
const rejected = { refuse: 'AUTH_ERROR', text: 'Username/password incorrect' } as const;
const info = { result: { plan_name: 'Business', server_name: 'germes', disk_usage: '1 GB', disk_limit: '2 GB' } };

async function pollableAccount() {
  const api = await scriptedApi({ 'user/getAccountInfo': info });
  const config = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['account', 'databases', 'domains'] });
  const polled = polledAccount(config);
  /** The calls during this time. Answers arrive within a second. */
  const callsDuring = async (milliseconds: number) => {
    api.newCalls();
    for (let passed = 0; passed < milliseconds; passed += 1000) {
      await vi.advanceTimersByTimeAsync(1000);
      await api.settle();
      await polled.idle();
    }
    return api.newCalls();
  };
  return { api, callsDuring, accountPoller: polled.poller('account'), domains: polled.poller('domains'), ...polled };
}

describe('an account that the API accepts again', () => {
  it('is polled by every rejected collector as soon as one attempt is accepted', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const { api, callsDuring, account, metricValue, startSchedule } = await pollableAccount();
    for (const method of ['user/getAccountInfo', 'mysql/getList', 'domain/getList']) api.answer(method, rejected);
    await account.pollOnce();
    startSchedule();

    api.answer('user/getAccountInfo', info);
    api.answer('mysql/getList', { result: [] });
    api.answer('domain/getList', { result: [{ fqdn: 'a.example', is_subdomain: 0 }] });

    expect((await callsDuring(6000)).toSorted()).toEqual(['domain/getList', 'mysql/getList', 'user/getAccountInfo']);
    expect(await metricValue('hosting_exporter_collector_success', { collector: 'domains' })).toBe(1);
    expect(await metricValue('hosting_up')).toBe(1);
  });

  it('is called in another section before a rejection counts as rejected credentials', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const { api, domains, callsDuring, account, startSchedule } = await pollableAccount();
    await account.pollOnce();
    startSchedule();
    api.answer('domain/getList', rejected);
    await domains.poll();

    const calls = await callsDuring(2 * minute);

    expect(calls.filter((name) => name === 'domain/getList').length).toBeLessThanOrEqual(2);
    expect(statusOf(account).map(({ failure }) => failure?.reason)).toEqual([undefined, undefined, 'permission']);
  });

  it('is asked for a list, which takes one call, even if a fan-out is in the same section', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const api = await scriptedApi();
    const { account, poller, idle, startSchedule } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['database_load', 'database_load_detail'] }),
    );
    await account.pollOnce();
    startSchedule();
    api.answer('stat/getDbListLoad', rejected);
    await poller('database_load').poll();
    api.newCalls();

    await vi.advanceTimersByTimeAsync(5000);
    await api.settle();
    await idle();

    expect(api.newCalls()).toEqual(['stat/getDbListLoad']);
  });

  it('is asked for the rest at once, and not at the time of the next attempt, if another password is accepted before', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const api = await scriptedApi({
      'mysql/getList': rejected,
      'domain/getList': { result: [{ fqdn: 'a.example', is_subdomain: 0 }] },
    });
    let current = 'old';
    const password = { ...inlineSecret(current), reveal: () => current };
    const { account, poller, idle, startSchedule } = polledAccount(
      accountConfig({
        api: { baseUrl: api.baseUrl },
        collectors: ['databases', 'domains'],
        credentials: { kind: 'password', login: 'shop', password },
      }),
    );
    await account.pollOnce();
    startSchedule();
    current = 'new';
    api.answer('mysql/getList', { result: [] });
    await poller('databases').poll();
    const callsAfter = async (milliseconds: number) => {
      api.newCalls();
      await vi.advanceTimersByTimeAsync(milliseconds);
      await api.settle();
      await idle();
      return api.newCalls();
    };

    expect(await callsAfter(1000)).toEqual(['domain/getList']);
    expect(await callsAfter(2 * minute)).toEqual([]);
  });

  it('does not repeat polls that succeeded or lack a permission', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const { api, accountPoller, callsDuring, account, startSchedule } = await pollableAccount();
    api.answer('mysql/getList', { refuse: 'PERMISSION_DENIED', text: 'Access to the method is forbidden' });
    api.answer('domain/getList', { result: [{ fqdn: 'a.example', is_subdomain: 0 }] });
    await account.pollOnce();
    startSchedule();
    api.answer('user/getAccountInfo', rejected);
    await accountPoller.poll();

    api.answer('user/getAccountInfo', info);

    // The attempt is made in another section.
    expect(await callsDuring(6000)).toEqual(['domain/getList', 'user/getAccountInfo']);
  });
});

describe('rejected credentials', () => {
  async function rejectedAccount() {
    const api = await scriptedApi();
    const methods = ['user/getAccountInfo', 'mysql/getList', 'stat/getSitesListLoad', 'site/getList', 'domain/getList'];
    for (const method of [...methods, 'cron/getList', 'ftp/getList']) api.answer(method, rejected);
    const config = accountConfig({
      api: { baseUrl: api.baseUrl, requestsPerMinute: 30 },
      collectors: ['account', 'databases', 'site_load', 'sites', 'domains', 'cron_tasks', 'ftp_accounts'],
    });
    const under = polledAccount(config);
    under.startSchedule();
    const pass = async (milliseconds: number, step = 5000) => {
      for (let passed = 0; passed < milliseconds; passed += step) {
        await vi.advanceTimersByTimeAsync(step);
        for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const acceptAll = () => {
      api.answer('user/getAccountInfo', info);
      for (const method of [...methods.slice(1), 'cron/getList', 'ftp/getList']) api.answer(method, { result: [] });
    };
    return { api, pass, acceptAll, ...under };
  }

  it('cause at most 3 calls in the first minute, and at most one an hour in the end', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const { api, pass, account } = await rejectedAccount();

    await pass(minute, 100);
    const first = api.newCalls().length;
    await pass(5 * 60 * minute);
    const early = api.newCalls().length;
    await pass(3 * 60 * minute);

    // The retries come after 5 s and 20 s; then after 1, 2, 5, 15, 30 and 60 minutes, and hourly.
    expect([first, early, api.newCalls().length]).toEqual([3, 9, 3]);
    expect(new Set(statusOf(account).map(({ failure }) => failure?.reason))).toEqual(new Set(['auth']));
  });

  it('are tried again by an account that only has collectors with several calls', async () => {
    fakeClock('2026-06-03T12:00:30Z');
    const api = await scriptedApi({ 'backup/getFileBackupList': rejected, 'backup/getMysqlBackupList': rejected });
    const config = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['backups'] });
    const { account, metricValue, startSchedule } = polledAccount(config);
    await account.pollOnce();
    startSchedule();

    api.answer('backup/getFileBackupList', { result: [] });
    api.answer('backup/getMysqlBackupList', { result: [] });
    await vi.advanceTimersByTimeAsync(5000);
    await until(async () => (await metricValue('hosting_exporter_collector_success')) === 1);

    expect(await metricValue('hosting_up')).toBe(1);
  });

  it.each([0, 1000, 25_000, 55_000])(
    'cost at most 3 attempts in the first minute, even without a budget and if the API answers after %i ms',
    async (delay) => {
      fakeClock('2026-06-03T12:00:30Z');
      let attempts = 0;
      const baseUrl = await httpServer((_request, response) => {
        attempts += 1;
        const refusal = JSON.stringify({ status: 'error', error_code: 'AUTH_ERROR', error_text: 'no' });
        setTimeout(() => response.end(refusal), delay);
      });
      const { startSchedule } = polledAccount(accountConfig({ api: { baseUrl } }));
      startSchedule();

      for (let passed = 0; passed < minute; passed += 250) {
        await vi.advanceTimersByTimeAsync(250);
        for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      }

      expect(attempts).toBeGreaterThan(0);
      expect(attempts).toBeLessThanOrEqual(3);
    },
  );

  it('of two accounts with the same login are tried once each, and the accepted one of a third account is not held back', async () => {
    const passwords: (string | null)[] = [];
    const baseUrl = await httpServer((_request, response, body) => {
      const password = new URLSearchParams(body).get('passwd');
      passwords.push(password);
      const refusal = { status: 'error', error_code: 'AUTH_ERROR', error_text: 'no' };
      response.end(JSON.stringify(password === 'right' ? { status: 'success', result: [] } : refusal));
    });
    const accounts = ['wrong', 'old', 'right'].map((name) =>
      accountConfig({
        name,
        credentials: { kind: 'password', login: 'shop', password: inlineSecret(name) },
        api: { baseUrl },
        collectors: ['databases', 'sites', 'site_load', 'ftp_accounts'],
      }),
    );
    const subject = await startApp(configOf(...accounts));

    await pollAll(subject);
    await pollAll(subject);

    const counts = Object.entries(Object.groupBy(passwords, String)).map(([name, sent]) => [name, sent?.length]);
    expect(Object.fromEntries(counts)).toEqual({ wrong: 1, old: 1, right: 8 });
  });
});
