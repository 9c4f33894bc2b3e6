import { describe, expect, it, vi } from 'vitest';
import type { AccountConfig } from '../../src/config/values/config.ts';
import type { SavedAccount, SavedCollector } from '../../src/state/state-file.ts';
import { accountConfig } from '../fixtures/config.ts';
import { fakeClock, ofEarlierProcess, type PolledAccount, polledAccount } from '../fixtures/polled-account.ts';
import { type ScriptedAnswer, type ScriptedApi, scriptedApi } from '../fixtures/scripted-api.ts';
import { until } from '../fixtures/waiting.ts';

const start = Date.parse('2026-06-03T12:00:30Z');
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

type Collectors = NonNullable<NonNullable<Parameters<typeof accountConfig>[0]>['collectors']>;

interface Setting {
  readonly answers?: Readonly<Record<string, ScriptedAnswer>>;
  readonly collectors?: Collectors;
  /** The collectors of the second account. */
  readonly newCollectors?: Collectors;
  /** Milliseconds between the end of the first account and the start of the second. */
  readonly pause?: number;
  readonly retryFailed?: boolean;
  /** Polls the first account. */
  readonly poll?: (first: PolledAccount, api: ScriptedApi) => Promise<unknown>;
  /** Changes what the first account has saved. */
  readonly change?: (saved: SavedAccount) => SavedAccount;
  /** Milliseconds after which a call is given up. */
  readonly timeout?: number;
}

/** An account that continues where another one with the same settings stopped. */
async function restoredAccount({
  answers = {},
  collectors = ['account', 'databases'],
  newCollectors = collectors,
  pause = minute,
  retryFailed = false,
  poll = ({ account }) => account.pollOnce(),
  change = (saved) => saved,
  timeout = minute,
}: Setting = {}) {
  fakeClock(new Date(start).toISOString());
  const api = await scriptedApi({ 'user/getAccountInfo': { result: { user_quota: 5 } }, ...answers });
  const configWith = (names: Collectors): AccountConfig =>
    accountConfig({ api: { baseUrl: api.baseUrl, timeout }, collectors: names });
  const first = polledAccount(configWith(collectors));
  await poll(first, api);
  const saved = change(ofEarlierProcess(first.account.saved()));
  const shownBefore = await figuresOf(first);
  first.account.stop();
  api.newCalls();
  await vi.advanceTimersByTimeAsync(pause);
  const next = polledAccount(configWith(newCollectors));
  const dropped = Map.groupBy(next.account.restore(saved, retryFailed), (reason) => reason);
  const counts = [...dropped].map(([reason, list]) => [reason, list.length]);
  const report = { series: next.account.store.series, dropped: Object.fromEntries(counts) };
  /** The calls after this time, with those of lists and then of their items. */
  const callsAfter = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    await api.settle();
    await next.idle();
    return api.newCalls();
  };
  /** The names of the collectors that are due. */
  const due = () => next.account.pollers.flatMap(({ isDue, collector }) => (isDue ? [collector.name] : []));
  const dueItems = () => next.poller('database_load_detail').items.due;
  return { api, saved, shownBefore, report, callsAfter, due, dueItems, ...next };
}

/** The page without the metrics about the exporter. */
async function figuresOf({ page }: PolledAccount) {
  const families = await page();
  return families
    .filter(({ name }) => /^hosting_(?!exporter_|up$)/.test(name))
    .map(({ name, samples }) => [name, samples]);
}

/** Replaces a part of what a collector has saved. */
function withCollector(name: string, change: (saved: SavedCollector) => Partial<SavedCollector>) {
  return (saved: SavedAccount): SavedAccount => {
    const collector = saved.collectors[name];
    if (collector === undefined) throw new Error(`nothing was saved of ${name}`);
    return { ...saved, collectors: { ...saved.collectors, [name]: { ...collector, ...change(collector) } } };
  };
}

/** Replaces the answer for an item. */
function withAnswer(name: string, answer: object, key = '') {
  return withCollector(name, ({ results }) => {
    const previous = results[key];
    if (previous === undefined) throw new Error(`nothing was saved of ${name} ${key}`);
    return { results: { ...results, [key]: { ...previous, ...answer } } };
  });
}

const day = { result: { days: [{ date: '2020-01-01', cpu_time: 7 }] } };

function names(...all: readonly string[]) {
  return { result: all.map((name) => ({ name, size: 5 })) };
}

const twoDatabases = { 'stat/getDbListLoad': names('a', 'b'), 'stat/getDbLoad': day } as const;
const details = ['database_load', 'database_load_detail'];
const failing = { 'mysql/getList': { status: 500 } } as const;

describe('the saved state', () => {
  it('contains nothing of a collector that was never polled', async () => {
    const { saved } = await restoredAccount({ poll: async () => {} });

    expect(saved.collectors).toEqual({});
  });

  it('contains the results of a first poll that has not ended', async () => {
    const { saved } = await restoredAccount({
      answers: { ...twoDatabases, 'stat/getDbLoad b': 'silence' },
      collectors: details,
      poll: async ({ account, poller }) => {
        void account.pollOnce();
        await until(() => poller('database_load_detail').missingResults === 1 && poller('database_load').newest);
      },
    });

    const { results = {}, poll } = saved.collectors['database_load_detail'] ?? {};
    expect([Object.keys(results), poll]).toEqual([['{"database":"a"}'], undefined]);
  });

  it('contains the time of each answer by our clock and by that of the API, which is behind', async () => {
    const date = new Date(start - 2 * hour).toUTCString();
    const body = JSON.stringify({ status: 'success', result: [] });
    const { saved, due } = await restoredAccount({
      answers: { 'mysql/getList': { status: 200, headers: { date }, body } },
    });

    const { answered, providerTime = 0 } = saved.collectors['databases']?.results[''] ?? {};
    expect(answered).toBe(start);
    // The date of the API has no milliseconds.
    expect(Math.abs(providerTime - start + 2 * hour)).toBeLessThanOrEqual(second);
    expect(due()).toEqual([]);
  });

  it('contains all failures of the newest poll, the time of the last success, and the start of the run', async () => {
    const { saved, poller } = await restoredAccount({
      answers: { 'stat/getDbListLoad': names('a', 'b', 'c'), 'stat/getDbLoad': day },
      collectors: details,
      poll: async ({ account, poller: pollerOf }, api) => {
        await account.pollOnce();
        for (const name of ['b', 'c']) api.answer(`stat/getDbLoad ${name}`, { status: 500 });
        await vi.advanceTimersByTimeAsync(second);
        await pollerOf('database_load_detail').poll();
        await vi.advanceTimersByTimeAsync(second);
        await pollerOf('database_load_detail').poll({ retryOnly: true });
      },
    });

    const detail = saved.collectors['database_load_detail'];
    const times = { ended: start + 2 * second, lastSuccess: start, failedPolls: 2 };
    expect(detail?.poll).toMatchObject(times);
    expect(detail?.poll?.failures.map(({ message }) => message)).toEqual(
      ['b', 'c'].map(() => 'stat/getDbLoad: HTTP status 500'),
    );
    expect(detail?.runStarted).toBe(start + second);
    expect(poller('database_load_detail').newest).toMatchObject(times);
  });

  it('lets an interrupted run continue with the items that it has not polled', async () => {
    const { api, saved, startSchedule, callsAfter } = await restoredAccount({
      answers: twoDatabases,
      collectors: ['databases', ...details],
      pause: 0,
      poll: async ({ account, poller }, { answer, settle }) => {
        await account.pollOnce();
        await vi.advanceTimersByTimeAsync(minute);
        answer('mysql/getList', 'silence');
        answer('stat/getDbLoad b', 'silence');
        void poller('databases').poll();
        void poller('database_load_detail').poll();
        await settle();
        await until(() => account.store.results('database_load_detail').values().next().value?.answered !== start);
      },
    });
    api.answer('mysql/getList', names('a'));
    api.answer('stat/getDbLoad b', day);
    startSchedule();

    expect(saved.collectors['database_load_detail']?.runStarted).toBe(start + minute);
    expect(await callsAfter(0)).toEqual(['mysql/getList', 'stat/getDbLoad b']);
  });
});

describe('a saved list', () => {
  const sizes = { result: [{ name: 'a', size: 5, remoteAccesses: [] }, { name: 'b' }] };
  /** Three intervals of an hour, and ten minutes. */
  const maxAge = 190 * minute;

  async function restoredList(change: Setting['change'] = (saved) => saved, setting: Setting = {}) {
    return restoredAccount({ answers: { 'mysql/getList': sizes }, collectors: ['databases'], change, ...setting });
  }

  it.each([
    [maxAge - 1, undefined],
    [maxAge, 'expired'],
    [-5 * minute, undefined],
    [-5 * minute - 1, 'future'],
  ] as const)('that is %i ms old is dropped as %s', async (age, reason) => {
    const { report } = await restoredList(withAnswer('databases', { answered: start + minute - age }));

    expect(report.dropped).toEqual(reason === undefined ? {} : { [reason]: 1 });
  });

  it('has no counts if it was incomplete', async () => {
    const { series, metricValue } = await restoredList(withAnswer('databases', { complete: false }));

    expect(await metricValue('hosting_databases')).toBeUndefined();
    expect(await series('hosting_database_size_bytes')).toHaveLength(1);
  });

  it('is limited by max_series', async () => {
    const { report } = await restoredList(undefined, { newCollectors: { databases: { maxSeries: 2 } } });

    expect(report.series).toBe(2);
  });

  it.each([
    ['no list', 'text'],
    ['a label that is a number', [{ name: 5, size: 1 }]],
    ['a value that is a text', [{ name: 'a', size: '1' }]],
    ['null', null],
  ])('is dropped as damaged, and polled at once, if it is or has %s', async (_what, payload) => {
    const { report, due, account } = await restoredList(withAnswer('databases', { payload }));

    expect(report).toMatchObject({ series: 0, dropped: { damaged: 1 } });
    expect([due(), account.polled]).toEqual([['databases'], false]);
  });

  it('loses impossible values', async () => {
    const { report, series } = await restoredList(withAnswer('databases', { payload: [{ name: 'a', size: -1 }] }));

    expect(report.series).toBe(1);
    expect(await series('hosting_database_size_bytes')).toEqual([]);
  });
});

describe('a restored account', () => {
  it('shows the restored figures, reports their number, is ready and not due', async () => {
    const restored = await restoredAccount({ answers: { 'mysql/getList': names('a') } });

    const figures = await figuresOf(restored);

    expect(figures).toEqual(restored.shownBefore);
    expect(figures.length).toBeGreaterThan(2);
    expect(restored.report).toEqual({
      series: figures.reduce((total, [, samples = []]) => total + samples.length, 0),
      dropped: {},
    });
    expect([restored.due(), restored.account.polled]).toEqual([[], true]);
  });

  it('drops the figures of a collector that is not enabled any more', async () => {
    const { report, metricValue } = await restoredAccount({ newCollectors: ['account'] });

    expect(report.dropped).toEqual({ unknown: 1 });
    expect(await metricValue('hosting_databases')).toBeUndefined();
  });

  it('drops the figures of another version of a collector', async () => {
    const { report, due } = await restoredAccount({ change: withCollector('databases', () => ({ version: 99 })) });

    expect([report.dropped, due()]).toEqual([{ unknown: 1 }, ['databases']]);
  });

  it.each([
    ['the collector account', ['account', 'databases'], ['user/getAccountInfo']],
    ['its first list', ['databases', 'database_load', 'database_load_detail'], ['mysql/getList']],
    ['its list and not the items', ['database_load_detail', 'sites'], ['site/getList']],
    ['the items', ['database_load_detail'], ['stat/getDbListLoad', 'stat/getDbLoad a', 'stat/getDbLoad b']],
  ])('polls nothing that is fresh, but %s after a minute to learn whether it is up', async (_what, ...lists) => {
    const [collectors, confirming] = lists;
    const { account, startSchedule, callsAfter } = await restoredAccount({ answers: twoDatabases, collectors });
    const before = account.up;
    startSchedule();

    const calls = [await callsAfter(minute - 1), await callsAfter(1)];

    expect(calls).toEqual([[], confirming]);
    expect([before, account.up]).toEqual([undefined, true]);
  });

  it('polls the account after a minute, even if the due collectors take longer', async () => {
    const { api, acceptSecret, startSchedule } = await restoredAccount({
      answers: { 'domain/getList': 'silence' },
      newCollectors: ['account', 'databases', 'domains'],
      timeout: hour,
    });
    acceptSecret();
    startSchedule();

    await vi.advanceTimersByTimeAsync(minute);
    await api.settle();

    expect(api.newCalls()).toEqual(['domain/getList', 'user/getAccountInfo']);
  });

  it('polls the account after a minute, even if an unchanged list arrives meanwhile', async () => {
    const { poller, startSchedule, callsAfter } = await restoredAccount({
      answers: { ...twoDatabases, 'stat/getSitesListLoad': { result: [] } },
      collectors: ['site_load_detail', 'database_load_detail'],
    });
    startSchedule();
    await poller('database_load_detail').poll();
    await callsAfter(0);

    expect(await callsAfter(minute)).toEqual(['stat/getSitesListLoad']);
  });

  it('has been polled, and runs at the times of before', async () => {
    const { poller, due } = await restoredAccount();

    const { nextRun = 0, newest } = poller('databases');
    const dueAt = async (time: number) => {
      await vi.advanceTimersByTimeAsync(time - Date.now());
      return due().includes('databases');
    };

    expect([newest?.lastSuccess, newest?.isFromEarlierProcess]).toEqual([start, true]);
    expect(nextRun).toBeGreaterThan(start + minute);
    expect(nextRun).toBeLessThanOrEqual(start + minute + hour);
    expect([await dueAt(nextRun - 1), await dueAt(nextRun)]).toEqual([false, true]);
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

  it.each<readonly [string, Partial<SavedCollector>, Setting]>([
    ['it has no payload', { results: {} }, {}],
    ['no run has started', { runStarted: 0 }, {}],
    ['the clock was set back', { runStarted: start + hour }, {}],
    ['the clock was set back after a failed poll', { runStarted: start + hour }, { answers: failing }],
  ])('starts a run of a collector at once if %s', async (_why, change, setting) => {
    const { due, poller } = await restoredAccount({ ...setting, change: withCollector('databases', () => change) });

    expect(due()).toEqual(['databases']);
    expect(poller('databases').isRunDue).toBe(true);
  });

  it('counts failed polls on', async () => {
    const { poller, api, startSchedule, callsAfter } = await restoredAccount({ answers: failing, pause: 0 });
    const failedPolls = () => poller('databases').newest?.failedPolls;
    const before = failedPolls();
    startSchedule();

    await callsAfter(20 * second);
    const after = failedPolls();
    api.answer('mysql/getList', { result: [] });
    await poller('databases').poll();

    expect([before, after, failedPolls()]).toEqual([1, 2, 0]);
  });
});

describe('a failed poll', () => {
  const denied = { 'mysql/getList': { refuse: 'PERMISSION_DENIED' } } as const;

  it.each<readonly [string, Setting, readonly (readonly [number, boolean])[]]>([
    [
      'is far away is retried a minute after the failure',
      { answers: denied, pause: 0 },
      [
        [minute - 1, false],
        [1, true],
      ],
    ],
    // 15 seconds after the failure, with a jitter of 25 %.
    [
      'is near is retried at its time',
      { answers: failing, pause: 0 },
      [
        [11 * second, false],
        [8 * second, true],
      ],
    ],
    [
      'may succeed because its cause may be gone is retried at once',
      { answers: denied, retryFailed: true },
      [[0, true]],
    ],
    [
      'waits for an attempt with a secret that may have changed is retried at once',
      { answers: { 'mysql/getList': { refuse: 'AUTH_ERROR' } }, pause: 0 },
      [[0, true]],
    ],
  ])('whose retry %s', async (_when, setting, expected) => {
    const { startSchedule, callsAfter } = await restoredAccount(setting);
    startSchedule();

    const calls: (readonly [number, boolean])[] = [];
    for (const [time] of expected) calls.push([time, (await callsAfter(time)).includes('mysql/getList')]);

    expect(calls).toEqual(expected);
  });

  it('without a permission has its next run within a minute of the restart', async () => {
    const { poller } = await restoredAccount({ answers: denied, pause: 0 });

    expect(poller('databases').failure?.reason).toBe('permission');
    expect(poller('databases').nextRun).toBe(Date.now() + minute);
  });
});

describe('a restored fan-out', () => {
  const detail = 'database_load_detail';
  const keys = ['{"database":"a"}', '{"database":"b"}'] as const;

  async function restoredFanOut(setting: Setting = {}) {
    const restored = await restoredAccount({ answers: twoDatabases, collectors: details, ...setting });
    const shown = async () =>
      (await restored.series('hosting_database_load_daily')).map(({ labels }) => labels['database']);
    return { ...restored, shown };
  }

  it('does not show an item that the newest list lacks', async () => {
    const { shown, report } = await restoredFanOut({
      change: withAnswer('database_load', { payload: [{ name: 'a' }] }),
    });

    expect([await shown(), report.dropped]).toEqual([['a'], {}]);
  });

  it('polls the items without a result of the newest run, and shows their old results', async () => {
    const { shown, startSchedule, callsAfter } = await restoredFanOut({
      change: withCollector(detail, () => ({ runStarted: start + 1 })),
    });
    startSchedule();

    expect(await shown()).toEqual(['a', 'b']);
    expect(await callsAfter(0)).toEqual(['stat/getDbLoad a', 'stat/getDbLoad b']);
  });

  it('polls only the items that failed or whose result is damaged', async () => {
    const { shown, report, dueItems } = await restoredFanOut({ change: withAnswer(detail, { payload: 7 }, keys[1]) });
    const failed = await restoredFanOut({
      answers: { ...twoDatabases, 'stat/getDbLoad b': { refuse: 'METHOD_FAILED' } },
      retryFailed: true,
    });
    failed.startSchedule();

    expect([await shown(), report.dropped]).toEqual([['a'], { damaged: 1 }]);
    expect(dueItems().map(({ key }) => key)).toEqual([keys[1]]);
    expect([...failed.poller(detail).items.all.keys()]).toEqual(keys);
    expect(await failed.callsAfter(0)).toEqual(['stat/getDbLoad b']);
  });

  it('does not show an hour that was not yet complete when it was answered', async () => {
    const hours = ['10:00:00', '11:00:00'].map((time, value) => ({ date: `2026-06-03 ${time}`, cpu_time: value }));
    const restored = await restoredFanOut({ answers: { ...twoDatabases, 'stat/getDbLoad': { result: { hours } } } });

    // It is 12:00:30, and an hour is complete ten minutes after its end.
    expect((await restored.series('hosting_database_load_hourly')).map(({ value }) => value)).toEqual([0, 0]);
    expect(await figuresOf(restored)).toEqual(restored.shownBefore);
  });

  it('polls a new item as soon as the list contains it', async () => {
    const { api, poller, startSchedule, callsAfter } = await restoredFanOut();
    startSchedule();
    api.answer('stat/getDbListLoad', names('a', 'b', 'c'));

    await poller('database_load').poll();

    expect(await callsAfter(second)).toEqual(['stat/getDbListLoad', 'stat/getDbLoad c']);
  });

  it('drops a result whose key names no item', async () => {
    const { report, poller } = await restoredFanOut({
      collectors: [detail],
      change: withCollector(detail, ({ results }) => ({
        results: Object.fromEntries(
          Object.values(results).map((answer, index) => [index === 0 ? keys[0] : 'other', answer]),
        ),
      })),
    });

    expect(report.dropped).toEqual({ unknown: 1 });
    expect([...poller(detail).items.all.keys()]).toEqual([keys[0]]);
  });

  it('without an item and without its list does not succeed', async () => {
    const { series, startSchedule, callsAfter } = await restoredFanOut({ answers: { 'stat/getDbListLoad': 'reset' } });
    startSchedule();
    await callsAfter(minute);

    const successes = await series('hosting_exporter_collector_success');
    expect(successes.map(({ value }) => value)).toEqual([0, 0]);
  });

  it.each([
    ['its own collector', details, undefined],
    ['the fan-out itself', [detail], undefined],
    ['a collector that was disabled before', [detail], ['database_load', 'databases', detail]],
    ['a fan-out whose list had its own collector', details, [detail]],
  ])('needs a second answer for an empty list if %s gets it', async (_who, collectors, newCollectors = collectors) => {
    const { api, shown, poller, startSchedule, callsAfter } = await restoredFanOut({ collectors, newCollectors });
    const before = await shown();
    api.answer('stat/getDbListLoad', { result: [] });

    await poller(newCollectors[0] ?? '').poll();
    const first = await shown();
    startSchedule();
    await callsAfter(20 * second);

    expect([before, first, await shown()]).toEqual([['a', 'b'], ['a', 'b'], []]);
  });

  it('needs a second answer for an empty list even if the saved list has expired', async () => {
    const { api, shown, poller, report } = await restoredFanOut({
      collectors: { database_load: { maxAge: minute / 2 }, database_load_detail: {} },
    });
    api.answer('stat/getDbListLoad', { result: [] });

    await poller('database_load').poll();

    expect(report.dropped).toEqual({ expired: 1 });
    expect(await shown()).toHaveLength(2);
  });
});
