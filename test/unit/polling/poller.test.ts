import { describe, expect, it, vi } from 'vitest';
import { databaseLoadDetail } from '../../../src/collectors/database-load-detail.ts';
import type { CollectorConfig } from '../../../src/config/values/config.ts';
import { KeptPayload } from '../../../src/results/kept-payload.ts';
import { type AccountSnapshot, type CollectorSnapshot, RestoreReport } from '../../../src/results/snapshot.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { fakeClock, ofEarlierProcess, polledAccount } from '../../fixtures/polled-account.ts';
import { type ScriptedAnswer, scriptedApi } from '../../fixtures/scripted-api.ts';
import { until } from '../../fixtures/waiting.ts';

const start = Date.parse('2026-06-03T12:00:30Z');
const second = 1000;
const minute = 60_000;
const hour = 60 * minute;
const day = { result: { days: [{ date: '2026-06-02', cpu_time: 7 }] } };

async function subject(
  answers: Readonly<Record<string, ScriptedAnswer>>,
  collectors: readonly string[] | Readonly<Record<string, Partial<CollectorConfig>>>,
  requestsPerMinute = Number.POSITIVE_INFINITY,
) {
  fakeClock(new Date(start).toISOString());
  const api = await scriptedApi({ 'stat/getDbLoad': day, ...answers });
  const config = accountConfig({ api: { baseUrl: api.baseUrl, timeout: 24 * hour, requestsPerMinute }, collectors });
  const account = polledAccount(config);
  /** The calls after this time. */
  const callsAfter = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    await api.settle();
    await account.idle();
    return api.newCalls();
  };
  /** Another account with the same settings that continues after a snapshot, in the next process. */
  const next = async (snapshot: AccountSnapshot, { retryFailed = false } = {}) => {
    const restored = polledAccount(config);
    const report = new RestoreReport();
    await restored.account.restore(ofEarlierProcess(snapshot), retryFailed, report);
    return { ...restored, report };
  };
  return { api, config, callsAfter, next, ...account };
}

function names(...all: readonly string[]) {
  return { result: all.map((name) => ({ name, cp: '1' })) };
}

/** The snapshot with another one of a collector. */
function withCollector(snapshot: AccountSnapshot, name: string, change: Partial<CollectorSnapshot>): AccountSnapshot {
  const collector = snapshot.collectors.get(name);
  if (collector === undefined) throw new Error(`no collector ${name}`);
  return { collectors: new Map([...snapshot.collectors, [name, { ...collector, ...change }]]) };
}

const arrival = { answered: start, providerTime: start, complete: true };
const details = ['database_load', 'database_load_detail'];

describe('a snapshot', () => {
  it('contains nothing of a collector that was never polled', async () => {
    const { account } = await subject({}, ['databases', 'domains']);

    expect(account.snapshot().collectors.size).toBe(0);
  });

  it('contains the results of a first poll that has not ended', async () => {
    const { api, account, poller } = await subject({ 'stat/getDbListLoad': names('a', 'b') }, details);
    api.answer('stat/getDbLoad b', 'silence');
    void account.pollOnce();
    await until('both calls', () => api.calls.length >= 3 && poller('database_load_detail').missingResults === 1);

    const saved = account.snapshot().collectors.get('database_load_detail');

    expect([[...(saved?.payloads.keys() ?? [])], saved?.poll]).toEqual([['{"database":"a"}'], undefined]);
  });

  it('contains the time of each answer by our clock and by that of the API, which is behind', async () => {
    const date = new Date(start - 2 * hour).toUTCString();
    const body = JSON.stringify({ status: 'success', result: [] });
    const answer = { status: 200, headers: { date }, body };
    const { account, next } = await subject({ 'mysql/getList': answer }, ['databases']);

    await account.pollOnce();

    const kept = account.snapshot().collectors.get('databases')?.payloads.get('');
    expect(kept?.answered).toBe(start);
    // The date of the API has no milliseconds.
    expect(Math.abs((kept?.providerTime ?? 0) - start + 2 * hour)).toBeLessThanOrEqual(second);
    expect((await next(account.snapshot())).poller('databases').hasDueItems).toBe(false);
  });

  it('contains the time of the last success beside that of the newest poll', async () => {
    const { account, api, next, poller } = await subject({}, ['databases']);
    await account.pollOnce();
    api.answer('mysql/getList', { status: 500 });
    for (let failure = 0; failure < 2; failure += 1) {
      await vi.advanceTimersByTimeAsync(second);
      await poller('databases').poll();
    }
    const times = { ended: start + 2 * second, lastSuccess: start };

    expect(poller('databases').newest).toMatchObject(times);
    expect((await next(account.snapshot())).poller('databases').newest).toMatchObject(times);
  });

  it('lets an interrupted run continue with what it has not polled', async () => {
    const { api, account, poller, next } = await subject({ 'stat/getDbListLoad': names('a', 'b') }, [
      'databases',
      ...details,
    ]);
    await account.pollOnce();
    await vi.advanceTimersByTimeAsync(minute);
    api.answer('mysql/getList', 'silence');
    api.answer('stat/getDbLoad b', 'silence');
    void poller('databases').poll();
    void poller('database_load_detail').poll();
    await api.settle();

    const snapshot = account.snapshot();
    account.stop();
    const { account: second } = await next(snapshot);
    api.answer('mysql/getList', names('a'));
    api.answer('stat/getDbLoad b', day);
    api.newCalls();
    await second.start();

    expect(snapshot.collectors.get('database_load_detail')?.runStarted).toBe(start + minute);
    expect(api.newCalls()).toEqual(['mysql/getList', 'stat/getDbLoad b']);
  });

  it('keeps the start of the run when items are retried', async () => {
    const { account, callsAfter } = await subject(
      { 'stat/getDbListLoad': names('a', 'b'), 'stat/getDbLoad b': { status: 500 } },
      details,
    );
    await account.pollOnce();
    await callsAfter(0);

    const retried = await callsAfter(20 * second);

    expect(retried).toEqual(['stat/getDbLoad b']);
    expect(account.snapshot().collectors.get('database_load_detail')?.runStarted).toBe(start);
  });
});

describe('a collector that continues', () => {
  async function databasesAfter(change: (snapshot: CollectorSnapshot) => Partial<CollectorSnapshot>) {
    const first = await subject({ 'mysql/getList': names('a', 'b', 'c') }, ['databases']);
    await first.account.pollOnce();
    const snapshot = first.account.snapshot();
    const collector = snapshot.collectors.get('databases');
    if (collector === undefined) throw new Error('no snapshot');
    return { first, ...(await first.next(withCollector(snapshot, 'databases', change(collector)))) };
  }

  it('is not due if nothing changed', async () => {
    const { poller, account } = await databasesAfter(() => ({}));

    expect([poller('databases').isDue, account.polled]).toEqual([false, true]);
  });

  it('is due if its payload is damaged', async () => {
    const { poller, report, account } = await databasesAfter(() => ({
      payloads: new Map([['', new KeptPayload('no list', arrival)]]),
    }));

    expect(report.dropped).toEqual({ damaged: 1 });
    expect([poller('databases').isDue, account.polled]).toEqual([true, false]);
  });

  it('is due if it has no payload', async () => {
    const { poller } = await databasesAfter(() => ({ payloads: new Map() }));

    expect(poller('databases').isDue).toBe(true);
  });

  it('is due if its newest poll failed and its cause may be gone', async () => {
    const first = await subject({ 'mysql/getList': names('a') }, ['databases']);
    await first.account.pollOnce();
    first.api.answer('mysql/getList', { status: 500 });
    await first.poller('databases').poll();

    const { poller, metricValue } = await first.next(first.account.snapshot(), { retryFailed: true });

    expect(await metricValue('hosting_databases')).toBe(1);
    expect(poller('databases').isDue).toBe(true);
  });

  it('is due if the clock was set back', async () => {
    const { poller } = await databasesAfter(() => ({ runStarted: start + minute }));

    expect(poller('databases').isDue).toBe(true);
  });

  it('is due from the time of its next run on', async () => {
    const { poller } = await databasesAfter(() => ({}));
    const { nextRun = 0 } = poller('databases');
    const isDueAt = async (time: number) => {
      await vi.advanceTimersByTimeAsync(time - Date.now());
      return poller('databases').isDue;
    };

    expect([await isDueAt(nextRun - 1), await isDueAt(nextRun)]).toEqual([false, true]);
  });

  it('shows an empty list only after a second answer confirms it', async () => {
    const { first, poller, metricValue } = await databasesAfter(() => ({}));
    first.api.answer('mysql/getList', { result: [] });

    await poller('databases').poll();
    const suspicious = await metricValue('hosting_databases');
    await poller('databases').poll();

    expect([suspicious, await metricValue('hosting_databases')]).toEqual([3, 0]);
  });

  it('is down at once if the earlier process was rejected', async () => {
    const first = await subject({ 'mysql/getList': { status: 500 } }, ['databases']);
    await first.account.pollOnce();

    const { account } = await first.next(first.account.snapshot());

    expect(account.up).toBe(false);
  });
});

describe('a fan-out that continues', () => {
  async function detailsAfter(change: (snapshot: AccountSnapshot) => AccountSnapshot) {
    const first = await subject({ 'stat/getDbListLoad': names('a', 'b') }, details);
    await first.account.pollOnce();
    await first.callsAfter(0);
    const restored = await first.next(change(first.account.snapshot()));
    const shown = (await restored.series('hosting_database_load_daily')).map(({ labels }) => labels['database']);
    const due = restored.poller('database_load_detail').items?.due();
    return { shown, due: due?.map(({ key }) => key), report: restored.report };
  }

  it('shows all items and polls none if nothing changed', async () => {
    expect(await detailsAfter((snapshot) => snapshot)).toMatchObject({
      shown: ['a', 'b'],
      due: [],
      report: { dropped: {} },
    });
  });

  it('does not show an item that the newest list lacks', async () => {
    const { shown, report } = await detailsAfter((snapshot) => {
      const list = snapshot.collectors.get('database_load')?.payloads.get('')?.decode();
      const shorter = new KeptPayload(Array.isArray(list) ? list.slice(0, 1) : list, arrival);
      return withCollector(snapshot, 'database_load', { payloads: new Map([['', shorter]]) });
    });

    expect(shown).toEqual(['a']);
    expect(report.dropped).toEqual({});
  });

  it('polls the items without a result of the newest run', async () => {
    const { shown, due } = await detailsAfter((snapshot) =>
      withCollector(snapshot, 'database_load_detail', { runStarted: start + 1 }),
    );

    expect(shown).toEqual(['a', 'b']);
    expect(due).toEqual(['{"database":"a"}', '{"database":"b"}']);
  });

  it('polls the items whose result is damaged', async () => {
    const { shown, due, report } = await detailsAfter((snapshot) => {
      const payloads = new Map(snapshot.collectors.get('database_load_detail')?.payloads);
      payloads.set('{"database":"b"}', new KeptPayload(7, arrival));
      return withCollector(snapshot, 'database_load_detail', { payloads });
    });

    expect([shown, due, report.dropped]).toEqual([['a'], ['{"database":"b"}'], { damaged: 1 }]);
  });
});

describe('a run', () => {
  /** A fan-out with this many items, after its first run. It is due every minute, and its budget is ten calls per minute. */
  async function stretchedFanOut(items: number) {
    const databases = Array.from({ length: items }, (_, index) => `d${index}`);
    const every = (interval: number) => ({ schedule: { kind: 'every', interval } as const });
    const { account, poller, callsAfter, api } = await subject(
      { 'stat/getDbListLoad': names(...databases) },
      { database_load: every(hour), database_load_detail: every(minute) },
      10,
    );
    void account.pollOnce();
    while (api.calls.length <= items) await vi.advanceTimersByTimeAsync(second);
    await callsAfter(0);
    return { account, detail: poller('database_load_detail'), callsAfter };
  }

  it('follows a retry that is under way, and polls every item', async () => {
    const { api, account, poller, callsAfter } = await subject(
      { 'stat/getDbListLoad': names('a', 'b'), 'stat/getDbLoad b': { status: 500 } },
      details,
    );
    await account.pollOnce();
    await callsAfter(0);
    const retry = poller('database_load_detail').poll({ retryOnly: true });

    const run = poller('database_load_detail').poll();
    await Promise.all([retry, run]);

    expect(api.newCalls()).toEqual(['stat/getDbLoad b', 'stat/getDbLoad a', 'stat/getDbLoad b']);
  });

  it('is left out by the schedule until the stretched interval has passed', async () => {
    const { account, detail, callsAfter } = await stretchedFanOut(30);
    const isStretched = detail.interval > 3 * minute;

    const isDueEarly = detail.isDue;
    await detail.scheduledRun();
    const calls = await callsAfter(0);
    const wakeUp = (detail.nextWakeUp ?? 0) - Date.now();
    await vi.advanceTimersByTimeAsync(detail.interval);

    expect([isStretched, isDueEarly, calls, detail.isDue]).toEqual([true, false, [], true]);
    expect(wakeUp).toBeLessThanOrEqual(minute);
    // A run that is due shows as the next second.
    expect(detail.nextRun).toBe(Date.now() + second);
    account.stop();
  });

  it('wakes up at the end of an interval that is little stretched, between two runs of its schedule', async () => {
    const { account, detail } = await stretchedFanOut(11);
    const { nextRun = 0 } = detail;
    const at = async (time: number) => {
      await vi.advanceTimersByTimeAsync(time - Date.now());
      return { wakeUp: detail.nextWakeUp, isDue: detail.isDue };
    };

    const [early, late] = [await at(Math.floor(nextRun) - second), await at(Math.ceil(nextRun))];

    expect(detail.interval).toBeLessThan(1.5 * minute);
    expect(early).toEqual({ wakeUp: nextRun, isDue: false });
    expect(late.isDue).toBe(true);
    account.stop();
  });

  it('ends without a result if the account stops', async () => {
    const { api, account, poller } = await subject({ 'mysql/getList': 'silence' }, ['databases']);
    const polled = poller('databases').poll();
    await api.settle();

    account.stop();
    await polled;

    expect([poller('databases').newest, poller('databases').recentPolls]).toEqual([undefined, []]);
  });

  it('takes the place of a retry that is planned', async () => {
    const { api, account, poller, callsAfter } = await subject({ 'mysql/getList': { status: 500 } }, ['databases']);
    await account.pollOnce();
    api.answer('mysql/getList', { result: [] });
    await poller('databases').poll();
    api.newCalls();

    expect(await callsAfter(5 * minute)).toEqual([]);
  });

  it('that fails changes what the page shows', async () => {
    const { account, api, poller } = await subject({}, ['databases']);
    await account.pollOnce();
    const before = account.revision;
    api.answer('mysql/getList', { status: 500 });

    await poller('databases').poll();

    expect(account.revision).not.toBe(before);
  });

  it.each<readonly [string, ScriptedAnswer, true | undefined]>([
    ['a web page', { status: 200, body: '<html></html>' }, true],
    ['an error of the server', { status: 500 }, undefined],
  ])('knows whether another server may have answered, after %s', async (_what, answer, isForeign) => {
    const { poller } = await subject({ 'mysql/getList': answer }, ['databases']);

    await poller('databases').poll();

    expect(poller('databases').newest?.failures.map((failure) => failure.isForeign)).toEqual([isForeign]);
  });

  it('was accepted only if all its failures were', async () => {
    const { account, poller, callsAfter } = await subject(
      {
        'stat/getDbListLoad': names('a', 'b'),
        'stat/getDbLoad a': { refuse: 'METHOD_FAILED' },
        'stat/getDbLoad b': 'reset',
      },
      details,
    );
    await account.pollOnce();
    await callsAfter(0);

    const { newest } = poller('database_load_detail');

    expect(newest?.failures.map(({ accepted }) => accepted).toSorted()).toEqual([false, true]);
    expect(newest?.accepted).toBe(false);
  });

  it('polls all items again after the pause of a missing permission', async () => {
    const { api, account, callsAfter, poller } = await subject(
      { 'stat/getDbListLoad': names('a', 'b'), 'stat/getDbLoad b': { refuse: 'PERMISSION_DENIED' } },
      { database_load: {}, database_load_detail: { schedule: { kind: 'every', interval: 100 * hour } } },
    );
    await account.pollOnce();
    await callsAfter(0);
    const { isRefused } = poller('database_load_detail');
    const until = poller('database_load_detail').nextRun ?? 0;
    api.answer('stat/getDbLoad b', day);

    const calls = await callsAfter(until - Date.now());

    expect(isRefused).toBe(true);
    expect(calls.filter((name) => name.startsWith('stat/getDbLoad '))).toEqual([
      'stat/getDbLoad a',
      'stat/getDbLoad b',
    ]);
  });

  it('polls all items again if another secret may have the missing permission', async () => {
    const { account, api, callsAfter } = await subject(
      { 'stat/getDbListLoad': names('a', 'b'), 'stat/getDbLoad b': { refuse: 'PERMISSION_DENIED' } },
      details,
    );
    await account.pollOnce();
    api.answer('stat/getDbLoad b', day);
    api.newCalls();

    account.retryUnaccepted();

    expect((await callsAfter(0)).toSorted()).toEqual(['stat/getDbLoad a', 'stat/getDbLoad b']);
  });

  it('polls only the items that failed if another secret may be accepted', async () => {
    const { account, api, callsAfter } = await subject(
      { 'stat/getDbListLoad': names('a', 'b'), 'stat/getDbLoad b': { status: 500 } },
      details,
    );
    await account.pollOnce();
    api.newCalls();

    account.retryUnaccepted();

    expect(await callsAfter(0)).toEqual(['stat/getDbLoad b']);
  });

  it('is not due, and is not made, while a permission is missing', async () => {
    const { account, poller, callsAfter } = await subject(
      { 'mysql/getList': { refuse: 'PERMISSION_DENIED' } },
      {
        databases: { schedule: { kind: 'every', interval: minute } },
      },
    );
    await account.pollOnce();
    await callsAfter(0);
    await vi.advanceTimersByTimeAsync(2 * minute);

    await poller('databases').poll();

    expect([poller('databases').isRefused, poller('databases').isDue, await callsAfter(0)]).toEqual([true, false, []]);
  });
});

describe('the failures in a row that abandon a fan-out', () => {
  it('are counted from zero after a success', async () => {
    const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    const failing = all.filter((_, index) => index % 3 !== 2);
    const answers = failing.map((name) => [`stat/getDbLoad ${name}`, { status: 503 }] as const);
    // One call per second, so that they end in order.
    const { api, account, poller } = await subject(
      { 'stat/getDbListLoad': names(...all), ...Object.fromEntries(answers) },
      details,
      60,
    );
    void account.pollOnce();

    for (let waited = 0; waited < 15; waited += 1) {
      await vi.advanceTimersByTimeAsync(second);
      await api.settle();
    }

    expect(new Set(api.newCalls())).toEqual(
      new Set(['stat/getDbListLoad', ...all.map((name) => `stat/getDbLoad ${name}`)]),
    );
    expect(poller('database_load_detail').newest?.failures).toHaveLength(6);
    account.stop();
  });
});

describe('several failures of one poll', () => {
  it('include rejected credentials as the first one, so that the poll is not retried', async () => {
    const answers = { 'stat/getDbLoad a': { status: 503 }, 'stat/getDbLoad b': { refuse: 'AUTH_ERROR' } };
    // One call per second, so that they end in order.
    const { api, account, poller } = await subject({ 'stat/getDbListLoad': names('a', 'b'), ...answers }, details, 60);
    void account.pollOnce();

    for (let waited = 0; waited < 5; waited += 1) {
      await vi.advanceTimersByTimeAsync(second);
      await api.settle();
    }

    const { failures, retry } = poller('database_load_detail').newest ?? {};
    expect(failures?.map(({ reason }) => reason)).toEqual(['auth', 'http']);
    expect(retry).toBeUndefined();
    account.stop();
  });
});

describe('series beyond max_series', () => {
  it('include those of items that are not polled', async () => {
    const { length } = databaseLoadDetail.metrics;
    const { account, poller } = await subject(
      { 'stat/getDbListLoad': names('a', 'b', 'c') },
      { database_load: {}, database_load_detail: { maxSeries: length } },
    );

    await account.pollOnce();

    expect(poller('database_load_detail').droppedSeries).toBe(2 * length);
  });

  it.each([
    [2, 2],
    [3, 1],
  ])('of a list are counted, and logged once: of four with a limit of %d', async (maxSeries, dropped) => {
    const sizes = { result: ['a', 'b', 'c'].map((name) => ({ name, size: 5 })) };
    const { account, poller, logLines } = await subject({ 'mysql/getList': sizes }, { databases: { maxSeries } });
    await account.pollOnce();
    const before = poller('databases').droppedSeries;
    await poller('databases').poll();

    expect([before, poller('databases').droppedSeries]).toEqual([dropped, dropped]);
    expect(logLines.filter((line) => line.includes('series limit reached'))).toHaveLength(1);
  });
});

describe('a fan-out that fetches its own list', () => {
  it('keeps its items until a second answer confirms that there are none', async () => {
    const { api, poller } = await subject({ 'stat/getDbListLoad': names('a', 'b', 'c') }, ['database_load_detail']);
    const detail = poller('database_load_detail');
    await detail.poll();
    api.answer('stat/getDbListLoad', { result: [] });

    await detail.poll();
    const suspicious = detail.items?.keys.size;
    await detail.poll();

    expect([suspicious, detail.items?.keys.size]).toEqual([3, 0]);
  });
});
