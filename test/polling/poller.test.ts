import { describe, expect, it, vi } from 'vitest';
import { databaseLoadDetail } from '../../src/collectors/database-load-detail.ts';
import type { CollectorConfig } from '../../src/config/values/config.ts';
import { accountConfig } from '../fixtures/config.ts';
import { fakeClock, polledAccount } from '../fixtures/polled-account.ts';
import { type ScriptedAnswer, scriptedApi } from '../fixtures/scripted-api.ts';

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
  return { api, config, callsAfter, ...account };
}

function names(...all: readonly string[]) {
  return { result: all.map((name) => ({ name, cp: '1' })) };
}

const details = ['database_load', 'database_load_detail'];

describe('a run', () => {
  /** A fan-out with this many items, after its first run. It is due every minute, and its budget is ten calls per minute. */
  async function stretchedFanOut(items: number) {
    const databases = Array.from({ length: items }, (_, index) => `d${index}`);
    const every = (interval: number) => ({ schedule: { kind: 'every', interval } as const });
    const { account, session, poller, callsAfter, startSchedule, api } = await subject(
      { 'stat/getDbListLoad': names(...databases) },
      { database_load: every(hour), database_load_detail: every(minute) },
      600,
    );
    void account.pollOnce();
    while (api.calls.length < items) await vi.advanceTimersByTimeAsync(100);
    session.budget.requestsPerMinute = 10;
    while (api.calls.length <= items) await vi.advanceTimersByTimeAsync(second);
    await callsAfter(0);
    return { api, account, detail: poller('database_load_detail'), callsAfter, startSchedule };
  }

  it('starts when the stretched interval has passed, and not at the time of the schedule', async () => {
    const { api, account, detail, startSchedule, callsAfter } = await stretchedFanOut(11);
    startSchedule();
    const { interval, nextRun = 0 } = detail;

    const early = await callsAfter(Math.floor(nextRun - Date.now() - second));
    await vi.advanceTimersByTimeAsync(2 * second);
    await api.settle();

    expect(nextRun).toBeLessThan(start + interval + 10 * second);
    // The list needs a call an hour, which is 0.02 a minute.
    expect(interval).toBeCloseTo(1.102 * minute, 6);
    expect([early, api.newCalls().length > 0]).toEqual([[], true]);
    account.stop();
  });

  it('is not lost if a list arrives while the run is due', async () => {
    const { api, poller, callsAfter } = await subject({ 'stat/getDbListLoad': names('a') }, details);
    for (const name of details) await poller(name).poll();
    await vi.advanceTimersByTimeAsync(61 * minute);
    const before = poller('database_load_detail').isDue;

    await poller('database_load').poll();
    api.newCalls();
    const after = poller('database_load_detail').isDue;
    await poller('database_load_detail').poll();

    expect([before, after, await callsAfter(0)]).toEqual([true, true, ['stat/getDbLoad a']]);
  });

  it('ends without a result if the account stops', async () => {
    const { api, account, poller } = await subject({ 'mysql/getList': 'silence' }, ['databases']);
    const polled = poller('databases').poll();
    await api.settle();

    account.stop();
    await polled;

    expect(poller('databases').newest).toBeUndefined();
  });

  it('takes the place of a retry that is planned', async () => {
    const { api, account, poller, startSchedule, callsAfter } = await subject({ 'mysql/getList': { status: 500 } }, [
      'databases',
    ]);
    await account.pollOnce();
    startSchedule();
    api.answer('mysql/getList', { result: [] });
    await poller('databases').poll();
    api.newCalls();

    expect(await callsAfter(minute)).toEqual([]);
  });

  it('that fails changes the figures on the page', async () => {
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

  it('was accepted only if the API accepted the credentials of each failed call', async () => {
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

  const denied = {
    'stat/getDbListLoad': names('a', 'b'),
    'stat/getDbLoad b': { refuse: 'PERMISSION_DENIED' },
  } as const;

  it.each([
    ['all items again if another secret may have the missing permission', denied, ['a', 'b']],
    [
      'only the items that failed if another secret may be accepted',
      { ...denied, 'stat/getDbLoad b': { status: 500 } },
      ['b'],
    ],
  ])('polls %s', async (_what, answers, polled) => {
    const { account, api, config, callsAfter } = await subject(answers, details);
    await account.pollOnce();
    api.answer('stat/getDbLoad b', day);
    api.newCalls();
    const successor = polledAccount(config);

    successor.account.replace(account);
    successor.startSchedule();
    await successor.idle();

    expect((await callsAfter(0)).toSorted()).toEqual(polled.map((name) => `stat/getDbLoad ${name}`));
    expect(await successor.metricValue('hosting_exporter_api_requests_total')).toBe(3 + polled.length);
    expect(await successor.metricValue('hosting_up')).toBe(1);
  });
});

it('the failures in a row that abandon a fan-out are counted from zero after a success', async () => {
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

it('several failures of one poll begin with rejected credentials, so that the poll waits for an attempt', async () => {
  const answers = { 'stat/getDbLoad a': { status: 503 }, 'stat/getDbLoad b': { refuse: 'AUTH_ERROR' } };
  // One call per second, so that they end in order.
  const { api, account, poller } = await subject({ 'stat/getDbListLoad': names('a', 'b'), ...answers }, details, 60);
  void account.pollOnce();

  for (let waited = 0; waited < 5; waited += 1) {
    await vi.advanceTimersByTimeAsync(second);
    await api.settle();
  }

  expect(poller('database_load_detail').newest?.failures.map(({ reason }) => reason)).toEqual(['auth', 'http']);
  // The rejection came after two seconds, and the first attempt comes five seconds after it.
  expect(account.nextAttempt).toBe(start + 7 * second);
  account.stop();
});

describe('series beyond max_series', () => {
  it('include failures of items that are not polled', async () => {
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

    for (let poll = 0; poll < 2; poll += 1) await account.pollOnce();

    expect(poller('databases').droppedSeries).toBe(dropped);
    const warnings = logLines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');
    const msg = 'series limit reached, dropping the least important series';
    expect(warnings).toMatchObject([{ msg, collector: 'databases', dropped, max_series: maxSeries }]);
  });
});

it('the last success survives failures', async () => {
  const { api, poller } = await subject({ 'mysql/getList': { result: [] } }, ['databases']);
  const databases = poller('databases');
  await databases.poll();
  api.answer('mysql/getList', { status: 500 });
  await vi.advanceTimersByTimeAsync(minute);
  await databases.poll();

  const failure = { reason: 'http', message: 'mysql/getList: HTTP status 500', accepted: false, status: 500 };
  const failed = { ended: start + minute, seconds: 0, calls: 1, failures: [failure], failedPolls: 1, succeeded: false };
  expect(databases.newest).toMatchObject({ ...failed, lastSuccess: start });
});

it('the duration of a poll is in seconds until its end, also in the histogram', async () => {
  fakeClock(new Date(start).toISOString());
  const api = await scriptedApi({ 'mysql/getList': 'silence' });
  const { poller, metricValue } = polledAccount(
    accountConfig({ api: { baseUrl: api.baseUrl, timeout: 5000 }, collectors: ['databases'] }),
  );

  const polled = poller('databases').poll();
  await api.settle();
  await vi.advanceTimersByTimeAsync(5000);
  await polled;

  const { seconds = 0, ended } = poller('databases').newest ?? {};
  // Timers of the HTTP client have a resolution of half a second.
  expect(Math.abs(seconds - 5)).toBeLessThan(1.5);
  expect(Math.abs((ended ?? 0) - start - 5000)).toBeLessThan(1500);
  expect(await metricValue('hosting_exporter_poll_duration_seconds_sum', { collector: 'databases' })).toBe(seconds);
  expect(await metricValue('hosting_exporter_api_request_duration_seconds_count')).toBe(1);
  expect(await metricValue('hosting_exporter_api_request_duration_seconds_sum')).toBe(seconds);
});
