import { describe, expect, it, vi } from 'vitest';
import { accountConfig } from '../../fixtures/config.ts';
import { fakeClock, type PolledAccount, polledAccount, until } from '../../fixtures/polled-account.ts';
import { type ScriptedApi, scriptedApi } from '../../fixtures/scripted-api.ts';

const start = '2026-06-03T12:00:00Z';
const minute = 60_000;
/** Advancing the clock must not time out calls that are under way. */
const hour = 60 * minute;
const detail = { collector: 'database_load_detail' };

function databases(...names: readonly string[]) {
  return { result: names.map((name) => ({ name, cp: '1' })) };
}

/** A history whose newest complete day has this figure. */
function day(value: unknown) {
  return { result: { days: [{ date: '2026-06-02', cpu_time: value }] } };
}

async function databaseAccount(
  names: readonly string[],
  { collectors = ['database_load', 'database_load_detail'], timeout = hour, requestsPerMinute = 60_000 } = {},
): Promise<PolledAccount & { readonly api: ScriptedApi }> {
  const api = await scriptedApi({ 'stat/getDbListLoad': databases(...names), 'stat/getDbLoad': day(7) });
  const config = accountConfig({ api: { baseUrl: api.baseUrl, timeout, requestsPerMinute }, collectors });
  return { api, ...polledAccount(config) };
}

async function shownDatabases({ series }: PolledAccount): Promise<readonly (string | undefined)[]> {
  return (await series('hosting_database_load_daily')).map(({ labels }) => labels['database']).sort();
}

describe('a fan-out', () => {
  it('calls once per item of the list, and polls none twice at the start', async () => {
    fakeClock(start);
    const under = await databaseAccount(['a', 'b', 'c']);

    await under.account.pollOnce();

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

  it('shows a result as soon as it arrives, while another item does not answer', async () => {
    fakeClock(start);
    const under = await databaseAccount(['slow', 'quick'], { timeout: 1000 });
    under.api.answer('stat/getDbLoad slow', 'silence');

    const polled = under.account.pollOnce();
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
  ] as const)('loses no other item when one item fails with %s, and success is 0', async (_what, answer) => {
    fakeClock(start);
    const under = await databaseAccount(['a', 'bad', 'c']);
    under.api.answer('stat/getDbLoad bad', answer);

    await under.account.pollOnce();

    expect(await shownDatabases(under)).toEqual(['a', 'c']);
    expect(await under.figure('hosting_exporter_collector_success', detail)).toBe(0);
    expect(await under.figure('hosting_exporter_collector_last_success_timestamp_seconds', detail)).toBeUndefined();
  });

  it('keeps the previous result of a failing item until its own max_age', async () => {
    fakeClock(start);
    const under = await databaseAccount(['a', 'b']);
    await under.account.pollOnce();
    under.api.answer('stat/getDbLoad a', { refuse: 'METHOD_ERROR' });
    under.api.answer('stat/getDbLoad b', day(8));

    vi.setSystemTime(Date.parse(start) + 100 * minute);
    await runOf(under);
    const early = await under.series('hosting_database_load_daily');
    vi.setSystemTime(Date.parse(start) + 200 * minute);
    const late = await under.series('hosting_database_load_daily');

    expect(Object.fromEntries(early.map(({ labels, value }) => [labels['database'], value]))).toEqual({ a: 7, b: 8 });
    expect(late.map(({ labels, value }) => [labels['database'], value])).toEqual([['b', 8]]);
  });

  it('is abandoned after three connection failures in a row, and polls the rest later', async () => {
    fakeClock(start);
    const names = Array.from({ length: 40 }, (_, index) => `d${index}`);
    const under = await databaseAccount(names);
    under.api.answer('stat/getDbLoad', { status: 503 });

    await under.account.pollOnce();
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

  it('polls every healthy item although the first ones always fail', async () => {
    fakeClock(start);
    const names = Array.from({ length: 20 }, (_, index) => `d${String(index).padStart(2, '0')}`);
    const under = await databaseAccount(names);
    for (const name of names.slice(0, 6)) under.api.answer(`stat/getDbLoad ${name}`, 'reset');

    await under.account.pollOnce();
    while ((await shownDatabases(under)).length < 14) {
      await vi.advanceTimersByTimeAsync(1000);
      await under.idle();
      expect(Date.now()).toBeLessThan(Date.parse(start) + hour);
    }

    expect(await shownDatabases(under)).toEqual(names.slice(6));
  });

  it('is not abandoned because of failures of single items', async () => {
    fakeClock(start);
    const names = Array.from({ length: 12 }, (_, index) => `d${index}`);
    const under = await databaseAccount(names);
    under.api.answer('stat/getDbLoad', { refuse: 'METHOD_FAILED' });
    under.api.answer('stat/getDbLoad d11', day(3));

    await under.account.pollOnce();

    expect(under.api.newCalls()).toHaveLength(1 + 12);
    expect(await shownDatabases(under)).toEqual(['d11']);
  });

  it('is abandoned immediately when the credentials are rejected, whatever failed before', async () => {
    fakeClock(start);
    const names = Array.from({ length: 40 }, (_, index) => `d${index}`);
    const under = await databaseAccount(names);
    under.api.answer('stat/getDbLoad', { refuse: 'AUTH_ERROR', text: 'Username/password incorrect' });
    under.api.answer('stat/getDbLoad d0', { refuse: 'METHOD_ERROR' });
    await under.account.pollOnce();

    await vi.advanceTimersByTimeAsync(40 * minute);

    expect(under.api.newCalls().length).toBeLessThan(1 + 7);
  });
});

describe('a retry of a fan-out', () => {
  it('polls only the items that failed, between 11 and 19 seconds later', async () => {
    fakeClock(start);
    const under = await databaseAccount(['a', 'b', 'c']);
    under.api.answer('stat/getDbLoad b', { refuse: 'METHOD_ERROR' });
    await under.account.pollOnce();
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

  it('polls an item again whose answer had an issue, and success stays 0 until it has none', async () => {
    fakeClock(start);
    const under = await databaseAccount(['a', 'b']);
    under.api.answer('stat/getDbLoad b', day('much'));
    await under.account.pollOnce();
    const first = await under.figure('hosting_exporter_collector_success', detail);
    under.api.newCalls();

    await vi.advanceTimersByTimeAsync(19_000);
    await until(() => under.api.calls.length === 4);
    await under.idle();

    expect(under.api.newCalls()).toEqual(['stat/getDbLoad b']);
    expect([first, await under.figure('hosting_exporter_collector_success', detail)]).toEqual([0, 0]);

    under.api.answer('stat/getDbLoad b', day(6));
    await vi.advanceTimersByTimeAsync(38_000);
    await until(async () => (await under.figure('hosting_exporter_collector_success', detail)) === 1);
  });
});

describe('the list of a fan-out', () => {
  it('ends the series of a removed item immediately, and adds those of a new one', async () => {
    fakeClock(start);
    const under = await databaseAccount(['a', 'gone']);
    await under.account.pollOnce();
    under.api.newCalls();
    under.api.answer('stat/getDbListLoad', databases('a', 'new'));

    await runOf(under, 'database_load');
    await until(async () => (await shownDatabases(under)).includes('new'));

    expect(await shownDatabases(under)).toEqual(['a', 'new']);
    expect(under.api.newCalls()).toEqual(['stat/getDbListLoad', 'stat/getDbLoad new']);
    expect(await under.figure('hosting_exporter_collector_series', detail)).toBe(4);
  });

  it('ignores an answer that arrives after its item was removed', async () => {
    fakeClock(start);
    const under = await databaseAccount(['a', 'slow'], { timeout: 1000 });
    under.api.answer('stat/getDbLoad slow', 'silence');
    const polled = under.account.pollOnce();
    await until(async () => (await shownDatabases(under)).length === 1);
    under.api.answer('stat/getDbListLoad', databases('a'));

    await runOf(under, 'database_load');
    await Promise.all([polled, vi.advanceTimersByTimeAsync(1100)]);
    await vi.advanceTimersByTimeAsync(20_000);
    await until(async () => (await under.figure('hosting_exporter_collector_success', detail)) === 1);

    expect(await shownDatabases(under)).toEqual(['a']);
  });

  it('cancels waiting calls for removed items, which is no failure', async () => {
    fakeClock(start);
    const names = Array.from({ length: 20 }, (_, index) => `d${index}`);
    const under = await databaseAccount(names, { requestsPerMinute: 60 });
    const callsUntil = async (holds: () => boolean) => {
      while (!holds()) await vi.advanceTimersByTimeAsync(1000);
    };
    const polled = under.account.pollOnce();
    await callsUntil(() => under.api.calls.length === 3);
    under.api.newCalls();
    under.api.answer('stat/getDbListLoad', databases('d18', 'new'));
    for (const name of names.slice(6, 18)) under.api.answer(`stat/getDbLoad ${name}`, { refuse: 'METHOD_FAILED' });

    const listed = confirmedList(under);
    await callsUntil(() => under.api.calls.some(({ name }) => name.endsWith(' new')));
    await Promise.all([polled, listed]);
    await under.idle();

    const calls = under.api.newCalls();
    expect(calls.slice(calls.lastIndexOf('stat/getDbListLoad') + 1)).toEqual([
      'stat/getDbLoad d18',
      'stat/getDbLoad new',
    ]);
    expect(await shownDatabases(under)).toEqual(['d18', 'new']);
    expect(await under.figure('hosting_exporter_collector_success', detail)).toBe(1);
  });

  it('may lack an item temporarily: it is polled when it is back', async () => {
    fakeClock(start);
    const names = Array.from({ length: 10 }, (_, index) => `d${index}`);
    const under = await databaseAccount(names, { requestsPerMinute: 60 });
    const pass = async (listed: Promise<void>) => {
      const calls = under.api.calls.length;
      while (under.api.calls.length === calls) await vi.advanceTimersByTimeAsync(1000);
      await listed;
    };
    const polled = under.account.pollOnce();
    await until(() => under.api.calls.length === 1);
    await pass(Promise.resolve());

    under.api.answer('stat/getDbListLoad', databases('d9'));
    await pass(runOf(under, 'database_load'));
    await pass(runOf(under, 'database_load'));
    const between = under.account.status().map(({ polling }) => polling);
    under.api.answer('stat/getDbListLoad', databases(...names));
    await pass(runOf(under, 'database_load'));
    while (under.account.status().some(({ polling }) => polling)) await vi.advanceTimersByTimeAsync(1000);
    await polled;

    expect(between).toEqual([false, true]);
    expect(await shownDatabases(under)).toEqual(names);
  });

  it('keeps its items when a newer list is invalid', async () => {
    fakeClock(start);
    const under = await databaseAccount(['a', 'b']);
    await under.account.pollOnce();
    under.api.answer('stat/getDbListLoad', { result: [{ title: 'a' }] });

    await runOf(under, 'database_load');

    expect(await shownDatabases(under)).toEqual(['a', 'b']);
  });

  it('removes no item where an element of it could not be read', async () => {
    fakeClock(start);
    const under = await databaseAccount(['a', 'b']);
    await under.account.pollOnce();
    under.api.answer('stat/getDbListLoad', { result: [{ name: 'a', cp: '1' }, { cp: '1' }, { name: 'new', cp: '1' }] });

    await runOf(under, 'database_load');
    await until(async () => (await shownDatabases(under)).includes('new'));

    expect(await shownDatabases(under)).toEqual(['a', 'b', 'new']);
  });

  it.each([
    ['empty', []],
    ['less than half as long', ['a']],
  ])('is believed only after a second answer when it suddenly is %s', async (_what, names) => {
    fakeClock(start);
    const under = await databaseAccount(['a', 'b', 'c']);
    await under.account.pollOnce();
    under.api.answer('stat/getDbListLoad', databases(...names));
    const shown = async () => [
      (await under.series('hosting_database_load_average')).length,
      (await shownDatabases(under)).length,
    ];

    await runOf(under, 'database_load');
    const first = await shown();
    const failure = under.account.status().find(({ collector }) => collector === 'database_load')?.failure;
    await vi.advanceTimersByTimeAsync(20_000);
    await under.idle();

    expect(first).toEqual([3, 3]);
    expect(failure).toMatchObject({ reason: 'payload', accepted: true });
    expect(failure?.message).toContain(`shrank from 3 to ${names.length} elements`);
    await until(async () => (await shown())[0] === names.length);
    expect(await shown()).toEqual([names.length, names.length]);
  });

  it('stays as it was when the second answer is complete again', async () => {
    fakeClock(start);
    const under = await databaseAccount(['a', 'b', 'c']);
    await under.account.pollOnce();
    under.api.answer('stat/getDbListLoad', databases());
    await runOf(under, 'database_load');

    under.api.answer('stat/getDbListLoad', databases('a', 'b', 'c'));
    await vi.advanceTimersByTimeAsync(20_000);
    await until(
      async () => (await under.figure('hosting_exporter_collector_success', { collector: 'database_load' })) === 1,
    );

    expect(await shownDatabases(under)).toEqual(['a', 'b', 'c']);
  });

  it('is fetched by each run of the fan-out where its own collector is disabled', async () => {
    fakeClock(start);
    const under = await databaseAccount(['a', 'gone'], { collectors: ['database_load_detail'] });
    await under.account.pollOnce();
    under.api.newCalls();
    under.api.answer('stat/getDbListLoad', databases('a', 'new'));

    await runOf(under);

    expect([...under.api.newCalls()].sort()).toEqual(['stat/getDbListLoad', 'stat/getDbLoad a', 'stat/getDbLoad new']);
    expect(await shownDatabases(under)).toEqual(['a', 'new']);
  });

  it('keeps its items when fetching it fails', async () => {
    fakeClock(start);
    const under = await databaseAccount(['a', 'b'], { collectors: ['database_load_detail'] });
    await under.account.pollOnce();
    under.api.answer('stat/getDbListLoad', { refuse: 'METHOD_ERROR' });
    under.api.answer('stat/getDbLoad', day(8));

    await runOf(under);

    expect((await under.series('hosting_database_load_daily')).map(({ value }) => value)).toEqual([8, 8]);
    expect(await under.figure('hosting_exporter_collector_success', detail)).toBe(0);
  });

  it('may be empty: the fan-out sends no call, and succeeds', async () => {
    fakeClock(start);
    const under = await databaseAccount([]);

    await under.account.pollOnce();

    expect(under.api.newCalls()).toEqual(['stat/getDbListLoad']);
    expect(await under.figure('hosting_exporter_collector_success', detail)).toBe(1);
    expect(await under.figure('hosting_exporter_collector_series', detail)).toBe(0);
  });
});

describe('a series limit of a fan-out', () => {
  it('is reported as soon as the list arrives, and logged once', async () => {
    fakeClock(start);
    const api = await scriptedApi({ 'stat/getDbListLoad': databases('a', 'b', 'c'), 'stat/getDbLoad': 'silence' });
    const collectors = { database_load: {}, database_load_detail: { maxSeries: 6 } };
    const config = accountConfig({ api: { baseUrl: api.baseUrl, timeout: 1000 }, collectors });
    const under = polledAccount(config);

    const polled = under.account.pollOnce();
    await until(() => api.calls.length === 2);
    const dropped = await under.figure('hosting_exporter_collector_series_dropped', detail);
    await Promise.all([polled, vi.advanceTimersByTimeAsync(1100)]);

    expect(api.calls.map(({ name }) => name)).toEqual(['stat/getDbListLoad', 'stat/getDbLoad a']);
    expect(dropped).toBe(12);
    expect(under.logLines.filter((line) => line.includes('series limit reached'))).toHaveLength(1);
  });
});

describe('a stretched interval', () => {
  it('also applies to a fan-out that fetches its own list, and to the age of its results', async () => {
    fakeClock(start);
    const names = Array.from({ length: 700 }, (_, index) => `d${index}`);
    const api = await scriptedApi({ 'stat/getDbListLoad': databases(...names), 'stat/getDbLoad': day(7) });
    const schedule = { kind: 'every', interval: 2000 } as const;
    const config = accountConfig({
      api: { baseUrl: api.baseUrl, timeout: hour, requestsPerMinute: 60 },
      collectors: { database_load_detail: { schedule } },
    });
    const under = polledAccount(config);

    const polled = under.account.pollOnce();
    while (api.calls.length <= 700) await vi.advanceTimersByTimeAsync(1000);
    await polled;

    expect(await under.figure('hosting_exporter_collector_interval_seconds', detail)).toBeGreaterThan(700);
    expect(await shownDatabases(under)).toHaveLength(700);
  });

  it('is logged once, however the list grows', async () => {
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
    const under = polledAccount(config);
    const poll = async () => {
      const calls = api.calls.length;
      const polled = runOf(under, 'database_load');
      while (api.calls.length === calls) await vi.advanceTimersByTimeAsync(1000);
      await polled;
      return under.figure('hosting_exporter_collector_interval_seconds', detail);
    };

    const stretched = (await poll()) ?? 0;
    api.answer('stat/getDbListLoad', databases(...names));
    const more = await poll();

    expect(stretched).toBeGreaterThan(100);
    expect(more).toBeGreaterThan(stretched);
    expect(under.logLines.filter((line) => line.includes('stretching intervals'))).toHaveLength(1);
  });

  it('returns to the configured interval with the next run after the list becomes shorter', async () => {
    fakeClock(start);
    const names = Array.from({ length: 100 }, (_, index) => `d${index}`);
    const api = await scriptedApi({ 'stat/getDbListLoad': databases(...names), 'stat/getDbLoad': day(7) });
    const schedule = { kind: 'every', interval: 2000 } as const;
    const config = accountConfig({
      api: { baseUrl: api.baseUrl, timeout: hour, requestsPerMinute: 60 },
      collectors: { database_load: {}, database_load_detail: { schedule } },
    });
    const under = polledAccount(config);
    under.startSchedule();
    const isIdle = () => under.account.status().every(({ polling }) => !polling);
    const pass = async (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += 1000) await vi.advanceTimersByTimeAsync(1000);
    };
    const interval = () => under.figure('hosting_exporter_collector_interval_seconds', detail);
    while (api.calls.length <= 100 || !isIdle()) await pass(1000);
    const stretched = (await interval()) ?? 0;
    api.answer('stat/getDbListLoad', databases('d0'));

    const shorter = confirmedList(under);
    await pass(4000);
    await shorter;
    api.newCalls();
    await pass(5000);
    await under.idle();

    expect(stretched).toBeGreaterThan(100);
    expect(await interval()).toBe(2);
    expect(new Set(api.newCalls())).toEqual(new Set(['stat/getDbLoad d0']));
  });
});

describe('a missing permission', () => {
  it('for one kind of backup does not affect the other', async () => {
    fakeClock(start);
    const api = await scriptedApi({
      'backup/getFileBackupList': { refuse: 'PERMISSION_DENIED' },
      'backup/getMysqlBackupList': { result: [{ date: '2026-06-02 01:00:00' }] },
    });
    const config = accountConfig({ api: { baseUrl: api.baseUrl, requestsPerMinute: 600 }, collectors: ['backups'] });
    const { account, series } = polledAccount(config);

    await account.pollOnce();

    expect((await series('hosting_backups')).map(({ labels }) => labels['kind'])).toEqual(['databases']);
  });
});

describe('a list of backups', () => {
  it('is fetched again after an outage in which the API refused all calls as malformed', async () => {
    const malformed = { refuse: 'INCORRECT_REQUEST' };
    const api = await scriptedApi({ 'backup/getFileBackupList': malformed, 'backup/getFileList': malformed });
    const config = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['backups'] });
    const under = polledAccount(config);
    await under.account.pollOnce();
    api.answer('backup/getFileBackupList', { result: [{ date: '2026-06-02 01:00:00' }] });
    api.answer('backup/getFileList', { result: [{ name: 'public_html', is_dir: 1 }] });

    await runOf(under, 'backups');

    expect(await under.figure('hosting_backups', { kind: 'files' })).toBe(1);
  });
});

/** Runs a collector as its schedule would. */
async function runOf({ poller }: PolledAccount, name = 'database_load_detail'): Promise<void> {
  await poller(name).poll();
}

/** Polls the list twice: a much shorter one is believed only then. */
async function confirmedList(under: PolledAccount): Promise<void> {
  await runOf(under, 'database_load');
  await runOf(under, 'database_load');
}
