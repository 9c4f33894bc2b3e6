import { describe, expect, it, vi } from 'vitest';
import type { AccountConfig } from '../../../src/config/values/config.ts';
import { RestoreReport } from '../../../src/results/snapshot.ts';
import { TimeSlice } from '../../../src/runtime/time-slice.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { fakeClock, ofEarlierProcess, type PolledAccount, polledAccount } from '../../fixtures/polled-account.ts';
import { type ScriptedAnswer, scriptedApi } from '../../fixtures/scripted-api.ts';
import { until } from '../../fixtures/waiting.ts';

const start = Date.parse('2026-06-03T12:00:30Z');
const minute = 60_000;
const hour = 60 * minute;

type Collectors = NonNullable<NonNullable<Parameters<typeof accountConfig>[0]>['collectors']>;

interface Setting {
  readonly answers?: Readonly<Record<string, ScriptedAnswer>>;
  readonly collectors?: Collectors;
  /** Milliseconds between the end of the first account and the start of the second. */
  readonly pause?: number;
  readonly retryFailed?: boolean;
  /** The collectors of the second account. */
  readonly newCollectors?: Collectors;
  /** Milliseconds after which a call is given up. */
  readonly timeout?: number;
}

/** An account that continues where another one with the same settings stopped. */
async function restoredAccount({
  answers = {},
  collectors = ['account', 'databases'],
  pause = minute,
  retryFailed = false,
  newCollectors = collectors,
  timeout = minute,
}: Setting = {}) {
  fakeClock(new Date(start).toISOString());
  const api = await scriptedApi({ 'user/getAccountInfo': { result: { user_quota: 5 } }, ...answers });
  const configWith = (names: Collectors): AccountConfig =>
    accountConfig({ api: { baseUrl: api.baseUrl, timeout }, collectors: names });
  const first = polledAccount(configWith(collectors));
  await first.account.pollOnce();
  await first.idle();
  const snapshot = ofEarlierProcess(first.account.snapshot());
  const shownBefore = await figuresOf(first);
  first.account.stop();
  api.newCalls();
  await vi.advanceTimersByTimeAsync(pause);
  const second = polledAccount(configWith(newCollectors));
  const report = new RestoreReport();
  await second.account.restore(snapshot, retryFailed, report);
  /** The calls after this time. */
  const callsAfter = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    await api.settle();
    await second.idle();
    return api.newCalls();
  };
  return { api, shownBefore, report, callsAfter, ...second };
}

/** The page without the metrics about the exporter. */
async function figuresOf({ page }: PolledAccount) {
  const families = await page();
  return families
    .filter(({ name }) => /^hosting_(?!exporter_|up$)/.test(name))
    .map(({ name, samples }) => [name, samples]);
}

const twoDatabases = {
  'stat/getDbListLoad': { result: [{ name: 'a' }, { name: 'b' }] },
  'stat/getDbLoad': { result: { days: [{ date: '2020-01-01', cpu_time: 7 }] } },
} as const;

const failing = { 'mysql/getList': { status: 500 } } as const;

describe('a restored account', () => {
  it('shows the figures of before, and reports their number', async () => {
    const restored = await restoredAccount({ answers: { 'mysql/getList': { result: [{ name: 'a', size: 5 }] } } });

    const figures = await figuresOf(restored);

    expect(figures).toEqual(restored.shownBefore);
    expect(figures.length).toBeGreaterThan(2);
    expect(restored.report).toEqual({
      series: figures.reduce((total, [, samples = []]) => total + samples.length, 0),
      dropped: {},
    });
  });

  it('lets other work continue in between if it has a time slice', async () => {
    const collectors = ['database_load_detail'];
    const { account } = await restoredAccount({ answers: twoDatabases, collectors });
    const snapshot = ofEarlierProcess(account.snapshot());
    const next = polledAccount(accountConfig({ collectors })).account;
    let pauses = 0;
    const slice = new TimeSlice();
    slice.pause = () => {
      pauses += 1;
      return undefined;
    };

    await next.restore(snapshot, false, new RestoreReport(), slice);

    expect(pauses).toBeGreaterThanOrEqual(2);
  });

  it('drops the figures of a collector that is not enabled any more', async () => {
    const { report, metricValue } = await restoredAccount({ newCollectors: ['account'] });

    expect(report.dropped).toEqual({ unknown: 1 });
    expect(await metricValue('hosting_databases')).toBeUndefined();
  });

  it('does not poll again what is fresh, but asks after a minute whether it is up', async () => {
    const { account, callsAfter } = await restoredAccount();
    const before = account.up;
    void account.start();

    const calls = [await callsAfter(0), await callsAfter(minute - 1), await callsAfter(1)];

    expect(calls).toEqual([[], [], ['user/getAccountInfo']]);
    expect([before, account.up]).toEqual([undefined, true]);
  });

  it.each([
    ['its first list', ['databases', 'database_load', 'database_load_detail'], ['mysql/getList']],
    ['its list and not the items', ['database_load_detail', 'domains'], ['domain/getList']],
    ['the items', ['database_load_detail'], ['stat/getDbListLoad', 'stat/getDbLoad a', 'stat/getDbLoad b']],
  ])('polls %s after a minute, to learn whether it is up, without the collector account', async (_what, ...names) => {
    const [collectors, confirming] = names;
    const { account, callsAfter } = await restoredAccount({ answers: twoDatabases, collectors });
    void account.start();

    const calls = [await callsAfter(minute - 1), await callsAfter(1)];

    expect(calls).toEqual([[], confirming]);
  });

  it('does not ask whether it is up if it knows by then', async () => {
    const { account, poller, callsAfter } = await restoredAccount();
    void account.start();
    await callsAfter(minute / 2);

    await poller('account').poll();

    expect(await callsAfter(minute)).toEqual(['user/getAccountInfo']);
  });

  it('retries what the credentials were rejected for at once', async () => {
    const { account, callsAfter } = await restoredAccount({
      answers: { 'mysql/getList': { refuse: 'AUTH_ERROR' } },
      pause: 0,
    });
    void account.start();

    expect(await callsAfter(0)).toContain('mysql/getList');
  });

  it('asks after a minute whether it is up, even if what is due takes longer', async () => {
    const { account, api, acceptSecret } = await restoredAccount({
      answers: { 'domain/getList': 'silence' },
      newCollectors: ['account', 'databases', 'domains'],
      timeout: hour,
    });
    acceptSecret();
    void account.start();

    await vi.advanceTimersByTimeAsync(minute);
    await api.settle();

    expect(api.newCalls()).toEqual(['domain/getList', 'user/getAccountInfo']);
  });

  it('restores no more collectors if it is stopped meanwhile', async () => {
    const { account } = await restoredAccount({
      answers: { ...twoDatabases, 'domain/getList': { status: 500 } },
      collectors: ['databases', 'domains'],
    });
    const snapshot = ofEarlierProcess(account.snapshot());
    account.stop();
    const next = polledAccount(accountConfig({ collectors: ['databases', 'domains'] })).account;
    const slice = new TimeSlice();
    slice.pause = () => {
      next.stop();
      return undefined;
    };

    await next.restore(snapshot, false, new RestoreReport(), slice);

    expect([next.polled, next.nextAttempt]).toEqual([false, undefined]);
  });

  it('has another revision after its restore, new settings and a poll without a call', async () => {
    const { account } = await restoredAccount({
      answers: { 'mysql/getList': { status: 500 } },
      collectors: ['databases'],
    });
    const next = polledAccount(accountConfig({ collectors: ['databases'] }));
    const revisions = [next.account.revision];

    await next.account.restore(ofEarlierProcess(account.snapshot()), false, new RestoreReport());
    revisions.push(next.account.revision);
    next.account.configure(accountConfig());
    revisions.push(next.account.revision);
    next.account.onPoll(next.poller('databases'), undefined);
    revisions.push(next.account.revision);

    expect(new Set(revisions).size).toBe(4);
  });

  it('has been polled, and runs at the times of before', async () => {
    const { account, poller } = await restoredAccount();

    const { nextRun = 0, newest } = poller('databases');

    expect(account.polled).toBe(true);
    expect([newest?.lastSuccess, newest?.isFromEarlierProcess]).toEqual([start, true]);
    expect(nextRun).toBeGreaterThan(start + minute);
    expect(nextRun).toBeLessThanOrEqual(start + minute + hour);
  });

  it.each<readonly [string, Setting, boolean]>([
    ['if a poll without figures is not due yet', { answers: failing }, true],
    ['if a due poll has figures', { pause: 61 * minute }, true],
    ['unless a due poll has no figures', { answers: failing, pause: 61 * minute }, false],
    ['unless a collector is new', { newCollectors: ['account', 'databases', 'domains'] }, false],
  ])('has been polled %s', async (_when, setting, polled) => {
    const { account } = await restoredAccount(setting);

    expect(account.polled).toBe(polled);
  });

  it('makes up for a run that was missed', async () => {
    const { account, callsAfter } = await restoredAccount({ pause: 61 * minute });
    void account.start();

    expect((await callsAfter(0)).toSorted()).toEqual(['mysql/getList', 'user/getAccountInfo']);
  });

  it('counts failed polls on', async () => {
    const { account, poller, api, callsAfter } = await restoredAccount({
      answers: { 'mysql/getList': { status: 500 } },
      pause: 0,
    });
    const failedPolls = () => poller('databases').newest?.failedPolls;
    const before = failedPolls();
    void account.start();

    await callsAfter(minute);
    const after = failedPolls();
    api.answer('mysql/getList', { result: [] });
    await poller('databases').poll();

    expect([before, after, failedPolls()]).toEqual([1, 2, 0]);
  });
});

describe('a failed poll', () => {
  const denied = { 'mysql/getList': { refuse: 'PERMISSION_DENIED' } } as const;

  it('whose retry is far away is retried within a minute of the restart', async () => {
    const { account, callsAfter } = await restoredAccount({ answers: denied });
    void account.start();

    const calls = [await callsAfter(0), await callsAfter(minute - 1), await callsAfter(1)];

    expect(calls.map((names) => names.includes('mysql/getList'))).toEqual([false, false, true]);
  });

  it('without a permission has its next run within a minute of the restart', async () => {
    const { poller } = await restoredAccount({ answers: denied });

    expect(poller('databases').isRefused).toBe(true);
    expect(poller('databases').nextRun).toBe(Date.now() + minute);
  });

  it('whose retry is near is retried at its time', async () => {
    const { account, callsAfter } = await restoredAccount({
      answers: { 'mysql/getList': { status: 500 } },
      pause: 0,
    });
    void account.start();

    // 15 seconds after the failure, with a jitter of 25 %.
    const calls = [await callsAfter(11_000), await callsAfter(8000)];

    expect(calls.map((names) => names.includes('mysql/getList'))).toEqual([false, true]);
  });

  it('whose retry is overdue is retried at once', async () => {
    const { account, callsAfter } = await restoredAccount({
      answers: { 'mysql/getList': { status: 500 } },
      pause: 2 * minute,
    });
    void account.start();

    expect(await callsAfter(1)).toEqual(['mysql/getList']);
  });

  it('is retried at once if its cause may be gone', async () => {
    const { account, callsAfter } = await restoredAccount({ answers: denied, retryFailed: true });
    void account.start();

    expect(await callsAfter(0)).toEqual(['mysql/getList']);
  });
});

describe('a restored fan-out', () => {
  it('polls only the items that had no result of the newest run', async () => {
    const { account, callsAfter, poller } = await restoredAccount({
      answers: { ...twoDatabases, 'stat/getDbLoad b': { refuse: 'METHOD_FAILED' } },
      collectors: ['database_load', 'database_load_detail'],
      retryFailed: true,
    });
    const items = poller('database_load_detail').items?.keys;
    void account.start();

    expect([...(items ?? [])]).toEqual(['{"database":"a"}', '{"database":"b"}']);
    expect(await callsAfter(0)).toEqual(['stat/getDbLoad b']);
  });

  it('does not show an hour that was not yet complete when it was answered', async () => {
    const hours = ['10:00:00', '11:00:00'].map((time, value) => ({ date: `2026-06-03 ${time}`, cpu_time: value }));
    const restored = await restoredAccount({
      answers: { ...twoDatabases, 'stat/getDbLoad': { result: { hours } } },
      collectors: ['database_load', 'database_load_detail'],
    });

    // It is 12:00:30, and an hour is complete ten minutes after its end.
    expect((await restored.series('hosting_database_load_hourly')).map(({ value }) => value)).toEqual([0, 0]);
    expect(await figuresOf(restored)).toEqual(restored.shownBefore);
  });

  it('polls the items of the list that it receives first, if both are due', async () => {
    const { account, api, acceptSecret, callsAfter } = await restoredAccount({
      answers: twoDatabases,
      collectors: ['database_load', 'database_load_detail'],
      pause: 61 * minute,
    });
    acceptSecret();
    api.answer('stat/getDbListLoad', { result: [{ name: 'b' }, { name: 'c' }] });
    void account.start();

    const calls = new Set(await callsAfter(0));

    expect([...calls].toSorted()).toEqual(['stat/getDbListLoad', 'stat/getDbLoad b', 'stat/getDbLoad c']);
  });

  it('polls a new item as soon as the list contains it', async () => {
    const { api, poller, callsAfter } = await restoredAccount({
      answers: twoDatabases,
      collectors: ['database_load', 'database_load_detail'],
    });
    api.answer('stat/getDbListLoad', { result: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });

    await poller('database_load').poll();

    expect(await callsAfter(0)).toEqual(['stat/getDbListLoad', 'stat/getDbLoad c']);
  });

  it('drops a result whose key names no item', async () => {
    const collectors = ['database_load_detail'];
    const { account } = await restoredAccount({ answers: twoDatabases, collectors });
    const [[name, saved] = expect.fail('nothing was saved')] = ofEarlierProcess(account.snapshot()).collectors;
    const payloads = new Map([...saved.payloads].map(([key, kept], index) => [index === 0 ? key : 'other', kept]));
    const next = polledAccount(accountConfig({ collectors }));
    const report = new RestoreReport();

    await next.account.restore({ collectors: new Map([[name, { ...saved, payloads }]]) }, false, report);

    expect(report.dropped).toEqual({ unknown: 1 });
    expect([...next.poller(name).items.keys]).toEqual([[...payloads.keys()][0]]);
  });

  it('polls nothing if all items have a result', async () => {
    const { account, callsAfter } = await restoredAccount({
      answers: twoDatabases,
      collectors: ['database_load', 'database_load_detail'],
    });
    void account.start();

    expect(await callsAfter(minute - 1)).toEqual([]);
  });
});

describe('the stretch of an account', () => {
  it('lets fan-outs use nine tenths of the budget, less the calls of lists', async () => {
    fakeClock(new Date(start).toISOString());
    const names = Array.from({ length: 30 }, (_, index) => ({ name: `d${index}` }));
    const api = await scriptedApi({ 'stat/getDbListLoad': { result: names } });
    const schedule = { kind: 'every', interval: minute } as const;
    const collectors = Object.fromEntries(
      ['databases', 'database_load', 'database_load_detail'].map((name) => [name, { schedule }]),
    );
    const { account, poller } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl, requestsPerMinute: 10 }, collectors }),
    );
    const before = account.stretch;

    await poller('database_load').poll();

    // 30 calls a minute in the 9 that are usable, less 2 for the lists.
    expect(before).toBe(1);
    expect(account.stretch).toBeCloseTo(30 / 7, 6);
    expect(poller('database_load_detail').interval).toBeCloseTo((30 / 7) * minute, 6);
    expect(poller('database_load').interval).toBe(minute);
    expect(poller('database_load_detail').nextRun).toBeCloseTo(start + (30 / 7) * minute, 6);
    expect(poller('database_load').nextRun).toBeLessThanOrEqual(start + minute);
    expect(account.load).toEqual({ callsPerMinute: 32, budget: 10 });
  });

  it('stretches only fan-outs that need more than their share', async () => {
    fakeClock(new Date(start).toISOString());
    const names = (count: number) => ({ result: Array.from({ length: count }, (_, index) => ({ name: `d${index}` })) });
    const sites = { result: [1, 2].map((id) => ({ id, name: `s${id}.example` })) };
    const api = await scriptedApi({ 'stat/getDbListLoad': names(30), 'stat/getSitesListLoad': sites });
    const schedule = { kind: 'every', interval: minute } as const;
    const lists = ['database_load', 'site_load'];
    const collectors = Object.fromEntries(
      [...lists, 'database_load_detail', 'site_load_detail'].map((name) => [name, { schedule }]),
    );
    const { account, poller } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl, requestsPerMinute: 20 }, collectors }),
    );

    for (const list of lists) {
      const polled = poller(list).poll();
      await vi.advanceTimersByTimeAsync(3000);
      await polled;
    }

    // Of 18 usable calls a minute, the lists need 2 and the sites 2, which is less than half of the other 16.
    expect(poller('site_load_detail').interval).toBe(minute);
    expect(poller('database_load_detail').interval).toBeCloseTo((30 / 14) * minute, 6);
    expect(account.stretch).toBeCloseTo(30 / 14, 6);
  });

  it('leaves fan-outs a tenth of the budget if lists need all of it', async () => {
    fakeClock(new Date(start).toISOString());
    const names = Array.from({ length: 30 }, (_, index) => ({ name: `d${index}` }));
    const api = await scriptedApi({ 'stat/getDbListLoad': { result: names } });
    const collectors = {
      databases: { schedule: { kind: 'every', interval: 5000 } },
      database_load: { schedule: { kind: 'every', interval: minute } },
      database_load_detail: { schedule: { kind: 'every', interval: minute } },
    } as const;
    const { account, poller } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl, requestsPerMinute: 10 }, collectors }),
    );

    await poller('database_load').poll();

    expect(account.stretch).toBeCloseTo(30, 6);
  });
});

describe('the duration of a poll', () => {
  it('is in seconds until its end, for the history and the histogram', async () => {
    fakeClock(new Date(start).toISOString());
    const api = await scriptedApi({ 'mysql/getList': 'silence' });
    const { poller, metricValue } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl, timeout: 5000 }, collectors: ['databases'] }),
    );

    const polled = poller('databases').poll();
    await api.settle();
    await vi.advanceTimersByTimeAsync(5000);
    await polled;

    const [{ seconds = 0, ended } = {}] = poller('databases').recentPolls;
    // Timers of the HTTP client have a resolution of half a second.
    expect(Math.abs(seconds - 5)).toBeLessThan(1.5);
    expect(Math.abs((ended ?? 0) - start - 5000)).toBeLessThan(1500);
    expect(await metricValue('hosting_exporter_poll_duration_seconds_sum', { collector: 'databases' })).toBe(seconds);
    expect(await metricValue('hosting_exporter_api_request_duration_seconds_count')).toBe(1);
    expect(await metricValue('hosting_exporter_api_request_duration_seconds_sum')).toBe(seconds);
  });
});

describe('the first list after a restart', () => {
  it.each([
    ['its own collector', ['database_load', 'database_load_detail'], undefined],
    ['the fan-out itself', ['database_load_detail'], undefined],
    [
      'a collector that was disabled before',
      ['database_load_detail'],
      ['database_load', 'databases', 'database_load_detail'],
    ],
    ['a fan-out whose list had its own collector', ['database_load', 'database_load_detail'], ['database_load_detail']],
  ])('that %s fetches must be confirmed if it is empty', async (_who, collectors, newCollectors = collectors) => {
    const { api, series, poller } = await restoredAccount({ answers: twoDatabases, collectors, newCollectors });
    const shown = async () => (await series('hosting_database_load_daily')).length;
    const before = await shown();
    api.answer('stat/getDbListLoad', { result: [] });

    await poller(newCollectors[0] ?? '').poll();
    const first = await shown();
    await vi.advanceTimersByTimeAsync(20_000);

    expect([before, first]).toEqual([2, 2]);
    await until(async () => (await shown()) === 0);
  });

  it('must be confirmed if it is empty, even if the saved list has expired', async () => {
    const collectors = { database_load: { maxAge: minute / 2 }, database_load_detail: {} };
    const { api, series, poller, report } = await restoredAccount({ answers: twoDatabases, collectors });
    api.answer('stat/getDbListLoad', { result: [] });

    await poller('database_load').poll();

    expect(report.dropped).toEqual({ expired: 1 });
    expect(await series('hosting_database_load_daily')).toHaveLength(2);
  });
});
