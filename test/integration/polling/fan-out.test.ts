import { describe, expect, it, vi } from 'vitest';
import { accountConfig } from '../../fixtures/config.ts';
import { type ScriptedApi, scriptedApi } from '../../fixtures/scripted-api.ts';
import { fakeClock, until, type WatchUnderTest, watchUnderTest } from '../../fixtures/watch.ts';

const start = '2026-06-03T12:00:00Z';
const minute = 60_000;
/** A turn of the clock must not end calls that are under way. */
const hour = 60 * minute;
const detail = { collector: 'database_load_detail' };

function databases(...names: readonly string[]) {
  return { result: names.map((name) => ({ name, cp: '1' })) };
}

/** A history whose newest complete day has this figure. */
function day(value: unknown) {
  return { result: { days: [{ date: '2026-06-02', cpu_time: value }] } };
}

async function watchDatabases(
  names: readonly string[],
  { collectors = ['database_load', 'database_load_detail'], timeout = hour, requestsPerMinute = 60_000 } = {},
): Promise<WatchUnderTest & { readonly api: ScriptedApi }> {
  const api = await scriptedApi({ 'stat/getDbListLoad': databases(...names), 'stat/getDbLoad': day(7) });
  const config = accountConfig({ api: { baseUrl: api.baseUrl, timeout, requestsPerMinute }, collectors });
  return { api, ...watchUnderTest(config) };
}

async function shownDatabases({ series }: WatchUnderTest): Promise<readonly (string | undefined)[]> {
  return (await series('hosting_database_load_daily')).map(({ labels }) => labels['database']).sort();
}

describe('a fan-out', () => {
  it('asks once for each item of the list, and polls none of them twice at the start', async () => {
    fakeClock(start);
    const under = await watchDatabases(['a', 'b', 'c']);

    await under.watch.pollOnce();

    expect([...under.api.newCalls()].sort()).toEqual([
      'stat/getDbListLoad',
      'stat/getDbLoad a',
      'stat/getDbLoad b',
      'stat/getDbLoad c',
    ]);
    expect(await shownDatabases(under)).toEqual(['a', 'b', 'c']);
    expect(await under.figure('hosting_exporter_collector_success', detail)).toBe(1);
    expect(await under.figure('hosting_exporter_collector_series', detail)).toBe(6);
  });

  it('shows a result as soon as it is there, while another item keeps silent', async () => {
    fakeClock(start);
    const under = await watchDatabases(['slow', 'quick'], { timeout: 1000 });
    under.api.answer('stat/getDbLoad slow', 'silence');

    const polled = under.watch.pollOnce();
    await until(async () => (await under.figure('hosting_database_load_daily')) === 7);

    expect(await shownDatabases(under)).toEqual(['quick']);
    expect(await under.figure('hosting_exporter_collector_success', detail)).toBe(0);
    await Promise.all([polled, vi.advanceTimersByTimeAsync(1100)]);
  });

  it.each([
    ['a refusal', { refuse: 'METHOD_ERROR' }],
    ['an answer of another shape', { result: { error: 'no data' } }],
    ['HTTP 500', { status: 500 }],
    ['a reset', 'reset'],
  ] as const)('loses no other item by %s of one, and success is 0', async (_what, answer) => {
    fakeClock(start);
    const under = await watchDatabases(['a', 'bad', 'c']);
    under.api.answer('stat/getDbLoad bad', answer);

    await under.watch.pollOnce();

    expect(await shownDatabases(under)).toEqual(['a', 'c']);
    expect(await under.figure('hosting_exporter_collector_success', detail)).toBe(0);
    expect(await under.figure('hosting_exporter_collector_last_success_timestamp_seconds', detail)).toBeUndefined();
  });

  it('keeps the former result of an item that fails until its own age', async () => {
    fakeClock(start);
    const under = await watchDatabases(['a', 'b']);
    await under.watch.pollOnce();
    under.api.answer('stat/getDbLoad a', { refuse: 'METHOD_ERROR' });
    under.api.answer('stat/getDbLoad b', day(8));

    vi.setSystemTime(Date.parse(start) + 100 * minute);
    await turn(under);
    const early = await under.series('hosting_database_load_daily');
    vi.setSystemTime(Date.parse(start) + 200 * minute);
    const late = await under.series('hosting_database_load_daily');

    expect(Object.fromEntries(early.map(({ labels, value }) => [labels['database'], value]))).toEqual({ a: 7, b: 8 });
    expect(late.map(({ labels, value }) => [labels['database'], value])).toEqual([['b', 8]]);
  });

  it('gives up after three failures of the connection in a row, and asks for the rest later', async () => {
    fakeClock(start);
    const names = Array.from({ length: 40 }, (_, index) => `d${index}`);
    const under = await watchDatabases(names);
    under.api.answer('stat/getDbLoad', { status: 503 });

    await under.watch.pollOnce();
    const calls = under.api.newCalls().filter((name) => name.startsWith('stat/getDbLoad'));

    expect(calls.length).toBeGreaterThanOrEqual(3);
    expect(calls.length).toBeLessThan(3 + 4);
    expect(await under.figure('hosting_exporter_api_queue_length')).toBe(0);

    under.api.answer('stat/getDbLoad', day(9));
    await vi.advanceTimersByTimeAsync(20_000);
    await until(async () => (await under.series('hosting_database_load_daily')).length === 40);

    expect(new Set(under.api.newCalls())).toEqual(new Set(names.map((name) => `stat/getDbLoad ${name}`)));
    await until(async () => (await under.figure('hosting_exporter_collector_success', detail)) === 1);
  });

  it('does not give up by failures that are the items’ own', async () => {
    fakeClock(start);
    const names = Array.from({ length: 12 }, (_, index) => `d${index}`);
    const under = await watchDatabases(names);
    under.api.answer('stat/getDbLoad', { refuse: 'METHOD_FAILED' });
    under.api.answer('stat/getDbLoad d11', day(3));

    await under.watch.pollOnce();

    expect(under.api.newCalls()).toHaveLength(1 + 12);
    expect(await shownDatabases(under)).toEqual(['d11']);
  });

  it('gives up at once when the credentials are refused, whatever failed before', async () => {
    fakeClock(start);
    const names = Array.from({ length: 40 }, (_, index) => `d${index}`);
    const under = await watchDatabases(names);
    under.api.answer('stat/getDbLoad', { refuse: 'AUTH_ERROR', text: 'Username/password incorrect' });
    under.api.answer('stat/getDbLoad d0', { refuse: 'METHOD_ERROR' });
    await under.watch.pollOnce();

    await vi.advanceTimersByTimeAsync(40 * minute);

    expect(under.api.newCalls().length).toBeLessThan(1 + 7);
  });
});

describe('a retry of a fan-out', () => {
  it('asks only for the items that failed, between 11 and 19 seconds later', async () => {
    fakeClock(start);
    const under = await watchDatabases(['a', 'b', 'c']);
    under.api.answer('stat/getDbLoad b', { refuse: 'METHOD_ERROR' });
    await under.watch.pollOnce();
    under.api.newCalls();
    under.api.answer('stat/getDbLoad b', day(5));

    await vi.advanceTimersByTimeAsync(11_000);
    const early = under.api.newCalls();
    await vi.advanceTimersByTimeAsync(8000);
    await until(async () => (await under.figure('hosting_exporter_collector_success', detail)) === 1);

    expect(early).toEqual([]);
    expect(under.api.newCalls()).toEqual(['stat/getDbLoad b']);
    expect(await under.figure('hosting_database_load_daily', { database: 'b' })).toBe(5);
  });

  it('asks again for an item whose answer had a flaw, and success stays 0 until it has none', async () => {
    fakeClock(start);
    const under = await watchDatabases(['a', 'b']);
    under.api.answer('stat/getDbLoad b', day('much'));
    await under.watch.pollOnce();
    const first = await under.figure('hosting_exporter_collector_success', detail);
    under.api.newCalls();

    await vi.advanceTimersByTimeAsync(19_000);
    await until(() => under.api.calls.length === 4);
    await until(() => under.watch.status().every(({ polling }) => !polling));

    expect(under.api.newCalls()).toEqual(['stat/getDbLoad b']);
    expect([first, await under.figure('hosting_exporter_collector_success', detail)]).toEqual([0, 0]);

    under.api.answer('stat/getDbLoad b', day(6));
    await vi.advanceTimersByTimeAsync(38_000);
    await until(async () => (await under.figure('hosting_exporter_collector_success', detail)) === 1);
  });
});

describe('the list that a fan-out follows', () => {
  it('ends the series of an item that is gone at once, and brings those of a new one', async () => {
    fakeClock(start);
    const under = await watchDatabases(['a', 'gone']);
    await under.watch.pollOnce();
    under.api.newCalls();
    under.api.answer('stat/getDbListLoad', databases('a', 'new'));

    await turn(under, 'database_load');
    await until(async () => (await shownDatabases(under)).includes('new'));

    expect(await shownDatabases(under)).toEqual(['a', 'new']);
    expect(under.api.newCalls()).toEqual(['stat/getDbListLoad', 'stat/getDbLoad new']);
    expect(await under.figure('hosting_exporter_collector_series', detail)).toBe(4);
  });

  it('ends an item whose answer comes only after it is gone', async () => {
    fakeClock(start);
    const under = await watchDatabases(['a', 'slow'], { timeout: 1000 });
    under.api.answer('stat/getDbLoad slow', 'silence');
    const polled = under.watch.pollOnce();
    await until(async () => (await shownDatabases(under)).length === 1);
    under.api.answer('stat/getDbListLoad', databases('a'));

    await turn(under, 'database_load');
    await Promise.all([polled, vi.advanceTimersByTimeAsync(1100)]);
    await vi.advanceTimersByTimeAsync(20_000);
    await until(async () => (await under.figure('hosting_exporter_collector_success', detail)) === 1);

    expect(await shownDatabases(under)).toEqual(['a']);
  });

  it('ends the calls for items that are gone before they are sent, which is no failure', async () => {
    fakeClock(start);
    const names = Array.from({ length: 20 }, (_, index) => `d${index}`);
    const under = await watchDatabases(names, { requestsPerMinute: 60 });
    const callsUntil = async (holds: () => boolean) => {
      while (!holds()) await vi.advanceTimersByTimeAsync(1000);
    };
    const polled = under.watch.pollOnce();
    await callsUntil(() => under.api.calls.length === 3);
    under.api.newCalls();
    under.api.answer('stat/getDbListLoad', databases('d18', 'new'));
    for (const name of names.slice(6, 18)) under.api.answer(`stat/getDbLoad ${name}`, { refuse: 'METHOD_FAILED' });

    const listed = turn(under, 'database_load');
    await callsUntil(() => under.api.calls.some(({ name }) => name.endsWith(' new')));
    await Promise.all([polled, listed]);
    await until(() => under.watch.status().every(({ polling }) => !polling));

    const calls = under.api.newCalls();
    expect(calls.slice(calls.indexOf('stat/getDbListLoad') + 1)).toEqual(['stat/getDbLoad d18', 'stat/getDbLoad new']);
    expect(await shownDatabases(under)).toEqual(['d18', 'new']);
    expect(await under.figure('hosting_exporter_collector_success', detail)).toBe(1);
  });

  it('may lack an item for a moment: it is asked for all the same', async () => {
    fakeClock(start);
    const names = Array.from({ length: 10 }, (_, index) => `d${index}`);
    const under = await watchDatabases(names, { requestsPerMinute: 60 });
    const pass = async (listed: Promise<void>) => {
      const calls = under.api.calls.length;
      while (under.api.calls.length === calls) await vi.advanceTimersByTimeAsync(1000);
      await listed;
    };
    const polled = under.watch.pollOnce();
    await until(() => under.api.calls.length === 1);
    await pass(Promise.resolve());

    under.api.answer('stat/getDbListLoad', databases('d9'));
    await pass(turn(under, 'database_load'));
    const between = under.watch.status().map(({ polling }) => polling);
    under.api.answer('stat/getDbListLoad', databases(...names));
    await pass(turn(under, 'database_load'));
    while (under.watch.status().some(({ polling }) => polling)) await vi.advanceTimersByTimeAsync(1000);
    await polled;

    expect(between).toEqual([false, true]);
    expect(await shownDatabases(under)).toEqual(names);
  });

  it('is kept where it can not be read: the items stay as they were', async () => {
    fakeClock(start);
    const under = await watchDatabases(['a', 'b']);
    await under.watch.pollOnce();
    under.api.answer('stat/getDbListLoad', { result: [{ title: 'a' }] });

    await turn(under, 'database_load');

    expect(await shownDatabases(under)).toEqual(['a', 'b']);
  });

  it('is asked for by the fan-out itself at each turn where its own collector is off', async () => {
    fakeClock(start);
    const under = await watchDatabases(['a', 'gone'], { collectors: ['database_load_detail'] });
    await under.watch.pollOnce();
    under.api.newCalls();
    under.api.answer('stat/getDbListLoad', databases('a', 'new'));

    await turn(under);

    expect([...under.api.newCalls()].sort()).toEqual(['stat/getDbListLoad', 'stat/getDbLoad a', 'stat/getDbLoad new']);
    expect(await shownDatabases(under)).toEqual(['a', 'new']);
  });

  it('is no list of no items where that call fails', async () => {
    fakeClock(start);
    const under = await watchDatabases(['a', 'b'], { collectors: ['database_load_detail'] });
    await under.watch.pollOnce();
    under.api.answer('stat/getDbListLoad', { refuse: 'METHOD_ERROR' });
    under.api.answer('stat/getDbLoad', day(8));

    await turn(under);

    expect((await under.series('hosting_database_load_daily')).map(({ value }) => value)).toEqual([8, 8]);
    expect(await under.figure('hosting_exporter_collector_success', detail)).toBe(0);
  });

  it('may be empty: the fan-out has nothing to ask for, and succeeds', async () => {
    fakeClock(start);
    const under = await watchDatabases([]);

    await under.watch.pollOnce();

    expect(under.api.newCalls()).toEqual(['stat/getDbListLoad']);
    expect(await under.figure('hosting_exporter_collector_success', detail)).toBe(1);
    expect(await under.figure('hosting_exporter_collector_series', detail)).toBe(0);
  });
});

describe('a cap on the series of a fan-out', () => {
  it('is told of as soon as the list is there, not when the last item is', async () => {
    fakeClock(start);
    const api = await scriptedApi({ 'stat/getDbListLoad': databases('a', 'b', 'c'), 'stat/getDbLoad': 'silence' });
    const collectors = { database_load: {}, database_load_detail: { maxSeries: 6 } };
    const config = accountConfig({ api: { baseUrl: api.baseUrl, timeout: 1000 }, collectors });
    const under = watchUnderTest(config);

    const polled = under.watch.pollOnce();
    await until(() => api.calls.length === 2);
    const dropped = await under.figure('hosting_exporter_collector_series_dropped', detail);
    await Promise.all([polled, vi.advanceTimersByTimeAsync(1100)]);

    expect(api.calls.map(({ name }) => name)).toEqual(['stat/getDbListLoad', 'stat/getDbLoad a']);
    expect(dropped).toBe(12);
    expect(under.logLines.filter((line) => line.includes('max_series allows'))).toHaveLength(1);
  });
});

describe('an interval that the budget stretches', () => {
  it('is that of a fan-out which asks for its list itself, too, and what it brings is shown as long', async () => {
    fakeClock(start);
    const names = Array.from({ length: 700 }, (_, index) => `d${index}`);
    const api = await scriptedApi({ 'stat/getDbListLoad': databases(...names), 'stat/getDbLoad': day(7) });
    const schedule = { kind: 'every', interval: 2000 } as const;
    const config = accountConfig({
      api: { baseUrl: api.baseUrl, timeout: hour, requestsPerMinute: 60 },
      collectors: { database_load_detail: { schedule } },
    });
    const under = watchUnderTest(config);

    const polled = under.watch.pollOnce();
    while (api.calls.length <= 700) await vi.advanceTimersByTimeAsync(1000);
    await polled;

    expect(await under.figure('hosting_exporter_collector_interval_seconds', detail)).toBeGreaterThan(700);
    expect(await shownDatabases(under)).toHaveLength(700);
  });

  it('is told of in the log once, however the list grows', async () => {
    fakeClock(start);
    const names = Array.from({ length: 140 }, (_, index) => `d${index}`);
    const api = await scriptedApi({
      'stat/getDbListLoad': databases(...names.slice(0, 100)),
      'stat/getDbLoad': day(7),
    });
    const schedule = { kind: 'every', interval: 2000 } as const;
    const config = accountConfig({
      api: { baseUrl: api.baseUrl, timeout: hour, requestsPerMinute: 60 },
      collectors: { database_load: {}, database_load_detail: { schedule } },
    });
    const under = watchUnderTest(config);
    const poll = async () => {
      const calls = api.calls.length;
      const polled = turn(under, 'database_load');
      while (api.calls.length === calls) await vi.advanceTimersByTimeAsync(1000);
      await polled;
      return under.figure('hosting_exporter_collector_interval_seconds', detail);
    };

    const stretched = (await poll()) ?? 0;
    api.answer('stat/getDbListLoad', databases(...names));
    const more = await poll();

    expect(stretched).toBeGreaterThan(100);
    expect(more).toBeGreaterThan(stretched);
    expect(under.logLines.filter((line) => line.includes('intervals are stretched'))).toHaveLength(1);
  });

  it('is as configured again once the list is shorter, from the next turn of the schedule on', async () => {
    fakeClock(start);
    const names = Array.from({ length: 100 }, (_, index) => `d${index}`);
    const api = await scriptedApi({ 'stat/getDbListLoad': databases(...names), 'stat/getDbLoad': day(7) });
    const schedule = { kind: 'every', interval: 2000 } as const;
    const config = accountConfig({
      api: { baseUrl: api.baseUrl, timeout: hour, requestsPerMinute: 60 },
      collectors: { database_load: {}, database_load_detail: { schedule } },
    });
    const under = watchUnderTest(config);
    under.startSchedule();
    const polled = () => under.watch.status().every(({ polling }) => !polling);
    const pass = async (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += 1000) await vi.advanceTimersByTimeAsync(1000);
    };
    const interval = () => under.figure('hosting_exporter_collector_interval_seconds', detail);
    while (api.calls.length <= 100 || !polled()) await pass(1000);
    const stretched = (await interval()) ?? 0;
    api.answer('stat/getDbListLoad', databases('d0'));

    const shorter = turn(under, 'database_load');
    await pass(2000);
    await shorter;
    api.newCalls();
    await pass(5000);
    await until(polled);

    expect(stretched).toBeGreaterThan(100);
    expect(await interval()).toBe(2);
    expect(new Set(api.newCalls())).toEqual(new Set(['stat/getDbLoad d0']));
  });
});

describe('a permission that is missing', () => {
  it('for one kind of backup does not cost the other', async () => {
    fakeClock(start);
    const api = await scriptedApi({
      'backup/getFileBackupList': { refuse: 'PERMISSION_DENIED' },
      'backup/getMysqlBackupList': { result: [{ date: '2026-06-02 01:00:00' }] },
    });
    const config = accountConfig({ api: { baseUrl: api.baseUrl, requestsPerMinute: 600 }, collectors: ['backups'] });
    const { watch, series } = watchUnderTest(config);

    await watch.pollOnce();

    expect((await series('hosting_backups')).map(({ labels }) => labels['kind'])).toEqual(['databases']);
  });
});

describe('a list of backups', () => {
  it('is asked for again after an outage in which the API refused all calls as malformed', async () => {
    const malformed = { refuse: 'INCORRECT_REQUEST' };
    const api = await scriptedApi({ 'backup/getFileBackupList': malformed, 'backup/getFileList': malformed });
    const config = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['backups'] });
    const under = watchUnderTest(config);
    await under.watch.pollOnce();
    api.answer('backup/getFileBackupList', { result: [{ date: '2026-06-02 01:00:00' }] });
    api.answer('backup/getFileList', { result: [{ name: 'public_html', is_dir: 1 }] });

    await turn(under, 'backups');

    expect(await under.figure('hosting_backups', { kind: 'files' })).toBe(1);
  });
});

/** One turn of a collector of its schedule. */
async function turn({ watch }: WatchUnderTest, name = 'database_load_detail'): Promise<void> {
  await watch.pollers.find(({ collector }) => collector.name === name)?.turn();
}
