import { describe, expect, it, vi } from 'vitest';
import { accountConfig } from '../fixtures/config.ts';
import { fakeClock, type PolledAccount, polledAccount, statusOf } from '../fixtures/polled-account.ts';
import { type ScriptedApi, scriptedApi } from '../fixtures/scripted-api.ts';
import { until } from '../fixtures/waiting.ts';

const start = '2026-06-03T12:00:00Z';
const minute = 60_000;
/** Advancing the clock must not time out calls that are under way. */
const hour = 60 * minute;
const detail = { collector: 'database_load_detail' };

function databases(...names: readonly string[]) {
  return { result: names.map((name) => ({ name, cp: '1' })) };
}

/** A history whose newest complete day has this value. */
function day(value: unknown) {
  return { result: { days: [{ date: '2026-06-02', cpu_time: value }] } };
}

async function databaseAccount(
  names: readonly string[],
  {
    collectors = ['database_load', 'database_load_detail'],
    timeout = hour,
    requestsPerMinute = Number.POSITIVE_INFINITY,
  } = {},
): Promise<PolledAccount & { readonly api: ScriptedApi }> {
  const api = await scriptedApi({ 'stat/getDbListLoad': databases(...names), 'stat/getDbLoad': day(7) });
  const config = accountConfig({ api: { baseUrl: api.baseUrl, timeout, requestsPerMinute }, collectors });
  return { api, ...polledAccount(config) };
}

async function shownDatabases({ series }: PolledAccount): Promise<readonly (string | undefined)[]> {
  return (await series('hosting_database_load_daily')).map(({ labels }) => labels['database']).sort();
}

describe('a fan-out', () => {
  it('shows a result as soon as it arrives, while another item does not answer', async () => {
    fakeClock(start);
    const subject = await databaseAccount(['slow', 'quick'], { timeout: 1000 });
    subject.api.answer('stat/getDbLoad slow', 'silence');

    const polled = subject.account.pollOnce();
    await until(async () => (await subject.metricValue('hosting_database_load_daily')) === 7);

    expect(await shownDatabases(subject)).toEqual(['quick']);
    expect(await subject.metricValue('hosting_exporter_collector_success', detail)).toBe(0);
    await Promise.all([polled, vi.advanceTimersByTimeAsync(1100)]);
  });

  it('keeps the previous result of a failing item until its own max_age', async () => {
    fakeClock(start);
    const subject = await databaseAccount(['a', 'b']);
    await subject.account.pollOnce();
    subject.api.answer('stat/getDbLoad a', { refuse: 'METHOD_ERROR' });
    subject.api.answer('stat/getDbLoad b', day(8));

    vi.setSystemTime(Date.parse(start) + 100 * minute);
    await pollCollector(subject);
    const early = await subject.series('hosting_database_load_daily');
    vi.setSystemTime(Date.parse(start) + 200 * minute);
    const late = await subject.series('hosting_database_load_daily');

    expect(Object.fromEntries(early.map(({ labels, value }) => [labels['database'], value]))).toEqual({ a: 7, b: 8 });
    expect(late.map(({ labels, value }) => [labels['database'], value])).toEqual([['b', 8]]);
  });

  it('is abandoned after three HTTP errors in a row, and polls the remaining items later', async () => {
    fakeClock(start);
    const names = Array.from({ length: 40 }, (_, index) => `d${index}`);
    // One call per second, so that no other call is under way when the third fails.
    const subject = await databaseAccount(names, { requestsPerMinute: 60 });
    subject.api.answer('stat/getDbLoad', { status: 503 });

    const polled = subject.account.pollOnce();
    subject.startSchedule();
    await until(() => subject.api.calls.length === 1);
    for (let call = 2; call <= 4; call += 1) {
      await vi.advanceTimersByTimeAsync(1000);
      await until(() => subject.api.calls.length >= call);
    }
    await polled;
    const calls = subject.api.newCalls().filter((name) => name.startsWith('stat/getDbLoad'));

    expect(calls).toHaveLength(3);
    expect(await subject.metricValue('hosting_exporter_api_queue_length')).toBe(0);

    subject.api.answer('stat/getDbLoad', day(9));
    while ((await subject.series('hosting_database_load_daily')).length < 40) await vi.advanceTimersByTimeAsync(1000);

    expect(new Set(subject.api.newCalls())).toEqual(new Set(names.map((name) => `stat/getDbLoad ${name}`)));
    await until(async () => (await subject.metricValue('hosting_exporter_collector_success', detail)) === 1);
  });

  it('polls every healthy item even if the first ones always fail', async () => {
    fakeClock(start);
    const names = Array.from({ length: 20 }, (_, index) => `d${String(index).padStart(2, '0')}`);
    const subject = await databaseAccount(names);
    for (const name of names.slice(0, 6)) subject.api.answer(`stat/getDbLoad ${name}`, 'reset');

    await subject.account.pollOnce();
    subject.startSchedule();
    while ((await shownDatabases(subject)).length < 14) {
      await vi.advanceTimersByTimeAsync(1000);
      await subject.idle();
      expect(Date.now()).toBeLessThan(Date.parse(start) + hour);
    }

    expect(await shownDatabases(subject)).toEqual(names.slice(6));
  });

  it('is not abandoned if only single items fail', async () => {
    fakeClock(start);
    const names = Array.from({ length: 12 }, (_, index) => `d${index}`);
    const subject = await databaseAccount(names);
    subject.api.answer('stat/getDbLoad', { refuse: 'METHOD_FAILED' });
    subject.api.answer('stat/getDbLoad d11', day(3));

    await subject.account.pollOnce();

    expect(subject.api.newCalls()).toHaveLength(1 + 12);
    expect(await shownDatabases(subject)).toEqual(['d11']);
  });

  it('is abandoned when the credentials are rejected, even after other failures', async () => {
    fakeClock(start);
    const names = Array.from({ length: 40 }, (_, index) => `d${index}`);
    const subject = await databaseAccount(names);
    subject.api.answer('stat/getDbLoad', { refuse: 'AUTH_ERROR', text: 'Username/password incorrect' });
    subject.api.answer('stat/getDbLoad d0', { refuse: 'METHOD_ERROR' });
    await subject.account.pollOnce();
    await subject.api.settle();

    // The list, the first four items, and at most one more for each of the answers before the rejection.
    expect(subject.api.newCalls().length).toBeLessThan(1 + 7);
  });
});

describe('a retry of a fan-out', () => {
  it.each([
    ['another collector fetches', ['database_load', 'database_load_detail']],
    ['it fetches', ['database_load_detail']],
  ])('whose list %s polls only the items that failed, between 11 and 19 seconds later', async (_what, collectors) => {
    fakeClock(start);
    const subject = await databaseAccount(['a', 'b', 'c'], { collectors });
    subject.api.answer('stat/getDbLoad b', { refuse: 'METHOD_ERROR' });
    await subject.account.pollOnce();
    const shown = await shownDatabases(subject);
    const value = (metric: string) => subject.metricValue(`hosting_exporter_collector_${metric}`, detail);
    const outcome = [await value('success'), await value('last_success_timestamp_seconds')];
    subject.startSchedule();
    subject.api.newCalls();
    subject.api.answer('stat/getDbLoad b', day(5));

    await vi.advanceTimersByTimeAsync(11_000);
    await subject.api.settle();
    const early = subject.api.newCalls();
    await vi.advanceTimersByTimeAsync(8000);
    await until(async () => (await value('success')) === 1);

    expect([shown, outcome]).toEqual([
      ['a', 'c'],
      [0, undefined],
    ]);
    expect(early).toEqual([]);
    expect(subject.api.newCalls()).toEqual(['stat/getDbLoad b']);
    expect(await subject.metricValue('hosting_database_load_daily', { database: 'b' })).toBe(5);
  });

  it('polls an item with an issue again, and success stays 0 until the issue is gone', async () => {
    fakeClock(start);
    const subject = await databaseAccount(['a', 'b']);
    subject.api.answer('stat/getDbLoad b', day('much'));
    await subject.account.pollOnce();
    subject.startSchedule();
    const first = await subject.metricValue('hosting_exporter_collector_success', detail);
    subject.api.newCalls();

    await vi.advanceTimersByTimeAsync(19_000);
    await until(() => subject.api.calls.length === 4);
    await subject.idle();

    expect(subject.api.newCalls()).toEqual(['stat/getDbLoad b']);
    expect([first, await subject.metricValue('hosting_exporter_collector_success', detail)]).toEqual([0, 0]);

    subject.api.answer('stat/getDbLoad b', day(6));
    await vi.advanceTimersByTimeAsync(38_000);
    await until(async () => (await subject.metricValue('hosting_exporter_collector_success', detail)) === 1);
  });
});

describe('an item that the API refuses', () => {
  const zones = ['a', 'b', 'none'];

  async function refusedTwice(code = 'METHOD_FAILED') {
    fakeClock(start);
    const subject = await databaseAccount(zones);
    subject.api.answer('stat/getDbLoad none', { refuse: code, text: 'Failed to get DNS records' });
    const value = (metric: string) => subject.metricValue(`hosting_exporter_collector_${metric}`, detail);
    await subject.account.pollOnce();
    subject.startSchedule();
    const first = [await value('success'), await value('items_refused')];
    await vi.advanceTimersByTimeAsync(19_000);
    await until(async () => (await value('items_refused')) === 1);
    return { ...subject, value, first };
  }

  it.each(['METHOD_FAILED', 'INVALID_DATA', '1208'])('twice with %s is counted and is no failure', async (code) => {
    const subject = await refusedTwice(code);

    expect(subject.first).toEqual([0, undefined]);
    expect(subject.api.newCalls().slice(-2)).toEqual(['stat/getDbLoad none', 'stat/getDbLoad none']);
    expect(await subject.value('success')).toBe(1);
    expect(await subject.value('failing')).toBeUndefined();
    expect(await shownDatabases(subject)).toEqual(['a', 'b']);
  });

  it('is called once in each later run without failing the run, and is shown as soon as the API answers', async () => {
    const subject = await refusedTwice();
    subject.api.newCalls();

    await pollCollector(subject);
    const refused = [await subject.value('success'), await subject.value('items_refused')];
    const calls = subject.api.newCalls();
    subject.api.answer('stat/getDbLoad none', day(4));
    await pollCollector(subject);

    expect(refused).toEqual([1, 1]);
    expect(calls.toSorted()).toEqual(zones.map((name) => `stat/getDbLoad ${name}`));
    expect(await subject.value('items_refused')).toBeUndefined();
    expect(await shownDatabases(subject)).toEqual(zones);
  });

  it('loses its old figures, which no successful poll confirms', async () => {
    fakeClock(start);
    const subject = await databaseAccount(zones);
    await subject.account.pollOnce();
    subject.api.answer('stat/getDbLoad none', { refuse: 'METHOD_FAILED' });

    await pollCollector(subject);
    const first = await shownDatabases(subject);
    await pollCollector(subject);

    expect(first).toEqual(zones);
    expect(await shownDatabases(subject)).toEqual(['a', 'b']);
    expect(await subject.metricValue('hosting_exporter_collector_success', detail)).toBe(1);
  });

  it('is no longer counted when it leaves the list', async () => {
    const subject = await refusedTwice();
    subject.api.answer('stat/getDbListLoad', databases('a', 'b'));

    await pollCollector(subject, 'database_load');

    expect(await subject.value('items_refused')).toBeUndefined();
  });

  it('does not hide the failure of another item', async () => {
    const subject = await refusedTwice();
    subject.api.answer('stat/getDbLoad b', { status: 503 });

    await pollCollector(subject);

    expect(await subject.value('success')).toBe(0);
    expect(await subject.metricValue('hosting_exporter_collector_failing', { ...detail, reason: 'http' })).toBe(1);
    expect(await subject.metricValue('hosting_exporter_collector_failing', { ...detail, reason: 'method' })).toBe(
      undefined,
    );
  });

  it('is a failure as long as the API refuses all items', async () => {
    const subject = await refusedTwice();
    subject.api.answer('stat/getDbLoad', { refuse: 'METHOD_FAILED' });

    for (let poll = 1; poll <= 3; poll += 1) {
      await pollCollector(subject);
      expect(await subject.value('success'), `poll ${poll}`).toBe(0);
    }

    expect(await subject.value('items_refused')).toBe(3);
    expect(await shownDatabases(subject)).toEqual(['a', 'b']);
  });
});

describe('the list of a fan-out', () => {
  it('ends the series of a removed item immediately, and adds those of a new one', async () => {
    fakeClock(start);
    const subject = await databaseAccount(['a', 'gone']);
    await subject.account.pollOnce();
    subject.startSchedule();
    subject.api.newCalls();
    subject.api.answer('stat/getDbListLoad', databases('a', 'new'));

    await pollCollector(subject, 'database_load');
    await vi.advanceTimersByTimeAsync(1000);
    await until(async () => (await shownDatabases(subject)).includes('new'));

    expect(await shownDatabases(subject)).toEqual(['a', 'new']);
    expect(subject.api.newCalls()).toEqual(['stat/getDbListLoad', 'stat/getDbLoad new']);
    expect(await subject.metricValue('hosting_exporter_series')).toBe(6);
  });

  it('ignores an answer that arrives after its item was removed', async () => {
    fakeClock(start);
    const subject = await databaseAccount(['a', 'slow'], { timeout: 1000 });
    subject.api.answer('stat/getDbLoad slow', 'silence');
    const polled = subject.account.pollOnce();
    subject.startSchedule();
    await until(async () => (await shownDatabases(subject)).length === 1);
    subject.api.answer('stat/getDbListLoad', databases('a'));

    await pollCollector(subject, 'database_load');
    await Promise.all([polled, vi.advanceTimersByTimeAsync(1100)]);
    await vi.advanceTimersByTimeAsync(20_000);
    await until(async () => (await subject.metricValue('hosting_exporter_collector_success', detail)) === 1);

    expect(await shownDatabases(subject)).toEqual(['a']);
  });

  it('ignores the answers of waiting calls for removed items', async () => {
    fakeClock(start);
    const names = Array.from({ length: 20 }, (_, index) => `d${index}`);
    const subject = await databaseAccount(names, { requestsPerMinute: 60 });
    const callsUntil = async (holds: () => boolean) => {
      while (!holds()) await vi.advanceTimersByTimeAsync(1000);
    };
    const polled = subject.account.pollOnce();
    subject.startSchedule();
    await callsUntil(() => subject.api.calls.length >= 3);
    subject.api.newCalls();
    subject.api.answer('stat/getDbListLoad', databases('d18', 'new'));
    for (const name of names.slice(6, 18)) subject.api.answer(`stat/getDbLoad ${name}`, { refuse: 'METHOD_FAILED' });

    const listed = pollListTwice(subject);
    await callsUntil(() => subject.api.calls.some(({ name }) => name.endsWith(' new')));
    await Promise.all([polled, listed]);
    await subject.idle();

    expect(await shownDatabases(subject)).toEqual(['d18', 'new']);
    expect(await subject.metricValue('hosting_exporter_collector_success', detail)).toBe(1);
  });

  it('may lack items temporarily, which are polled when they are back', async () => {
    fakeClock(start);
    const names = Array.from({ length: 10 }, (_, index) => `d${index}`);
    const subject = await databaseAccount(names, { requestsPerMinute: 60 });
    const pass = async (listed: Promise<void>) => {
      const calls = subject.api.calls.length;
      while (subject.api.calls.length === calls) await vi.advanceTimersByTimeAsync(1000);
      await listed;
    };
    const polled = subject.account.pollOnce();
    subject.startSchedule();
    await until(() => subject.api.calls.length === 1);
    await pass(Promise.resolve());

    subject.api.answer('stat/getDbListLoad', databases('d9'));
    await pass(pollCollector(subject, 'database_load'));
    await pass(pollCollector(subject, 'database_load'));
    const between = statusOf(subject.account).map(({ polling }) => polling);
    subject.api.answer('stat/getDbListLoad', databases(...names));
    await pass(pollCollector(subject, 'database_load'));
    while (statusOf(subject.account).some(({ polling }) => polling)) await vi.advanceTimersByTimeAsync(1000);
    await polled;

    expect(between).toEqual([false, true]);
    expect(await shownDatabases(subject)).toEqual(names);
  });

  it('removes no item if one of its elements is unreadable', async () => {
    fakeClock(start);
    const subject = await databaseAccount(['a', 'b']);
    await subject.account.pollOnce();
    subject.startSchedule();
    subject.api.answer('stat/getDbListLoad', {
      result: [{ name: 'a', cp: '1' }, { cp: '1' }, { name: 'new', cp: '1' }],
    });

    await pollCollector(subject, 'database_load');
    await vi.advanceTimersByTimeAsync(1000);
    await until(async () => (await shownDatabases(subject)).includes('new'));

    expect(await shownDatabases(subject)).toEqual(['a', 'b', 'new']);
  });

  it('of an item is accepted only after a second answer if it suddenly is empty, also after a restart', async () => {
    fakeClock(start);
    const mailboxes = { result: [{ mailbox: 'info' }, { mailbox: 'shop' }] };
    const api = await scriptedApi({
      'domain/getList': { result: [{ fqdn: 'a.example' }, { fqdn: 'b.example' }] },
      'mail/getMailboxList': mailboxes,
    });
    const settings = accountConfig({
      api: { baseUrl: api.baseUrl, timeout: hour },
      collectors: ['domains', 'mailboxes'],
    });
    const before = polledAccount(settings);
    await before.account.pollOnce();
    await before.idle();
    const subject = polledAccount(settings);
    subject.account.restore(before.account.saved(), true);
    subject.startSchedule();
    const counts = async () => [
      await subject.metricValue('hosting_mailboxes', { domain: 'a.example' }),
      await subject.metricValue('hosting_mailboxes', { domain: 'b.example' }),
      await subject.metricValue('hosting_exporter_collector_success', { collector: 'mailboxes' }),
    ];
    api.answer('mail/getMailboxList a.example', { result: [] });

    await pollCollector(subject, 'mailboxes');
    const first = await counts();
    await vi.advanceTimersByTimeAsync(20_000);
    await subject.idle();

    expect(first).toEqual([2, 2, 0]);
    expect(await counts()).toEqual([0, 2, 1]);
  });

  it('is fetched by each run of the fan-out if its own collector is disabled', async () => {
    fakeClock(start);
    const subject = await databaseAccount(['a', 'gone'], { collectors: ['database_load_detail'] });
    await subject.account.pollOnce();
    subject.api.newCalls();
    subject.api.answer('stat/getDbListLoad', databases('a', 'new'));

    await pollCollector(subject);

    expect([...subject.api.newCalls()].sort()).toEqual([
      'stat/getDbListLoad',
      'stat/getDbLoad a',
      'stat/getDbLoad new',
    ]);
    expect(await shownDatabases(subject)).toEqual(['a', 'new']);
  });

  it('keeps its items if fetching it fails', async () => {
    fakeClock(start);
    const subject = await databaseAccount(['a', 'b'], { collectors: ['database_load_detail'] });
    await subject.account.pollOnce();
    subject.startSchedule();
    subject.api.answer('stat/getDbListLoad', { refuse: 'METHOD_ERROR' });
    subject.api.answer('stat/getDbLoad', day(8));

    await pollCollector(subject);

    expect((await subject.series('hosting_database_load_daily')).map(({ value }) => value)).toEqual([8, 8]);
    expect(await subject.metricValue('hosting_exporter_collector_success', detail)).toBe(0);

    subject.api.newCalls();
    subject.api.answer('stat/getDbListLoad', databases('a', 'b'));
    await vi.advanceTimersByTimeAsync(20_000);
    await until(async () => (await subject.metricValue('hosting_exporter_collector_success', detail)) === 1);
    expect(subject.api.newCalls()).toEqual(['stat/getDbListLoad']);
  });
});

it('a stretched interval also applies to a fan-out that fetches its own list, and extends the max_age of its results', async () => {
  fakeClock(start);
  // Polling all of them takes longer than the max_age of the configured interval, ten minutes and six seconds.
  const names = Array.from({ length: 70 }, (_, index) => `d${index}`);
  const api = await scriptedApi({ 'stat/getDbListLoad': databases(...names), 'stat/getDbLoad': day(7) });
  const schedule = { kind: 'every', interval: 2000 } as const;
  const config = accountConfig({
    api: { baseUrl: api.baseUrl, timeout: hour, requestsPerMinute: 6 },
    collectors: { database_load_detail: { schedule } },
  });
  const subject = polledAccount(config);

  const polled = subject.account.pollOnce();
  while (api.calls.length <= 70) await vi.advanceTimersByTimeAsync(10_000);
  await polled;

  expect(await subject.metricValue('hosting_exporter_collector_interval_seconds', detail)).toBe(700);
  expect(await shownDatabases(subject)).toHaveLength(70);
});

describe('a list of backups', () => {
  it('is fetched again after an outage in which the API refused all calls as malformed', async () => {
    const malformed = { refuse: 'INCORRECT_REQUEST' };
    const api = await scriptedApi({ 'backup/getFileBackupList': malformed, 'backup/getFileList': malformed });
    const config = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['backups'] });
    const subject = polledAccount(config);
    await subject.account.pollOnce();
    api.answer('backup/getFileBackupList', { result: [{ date: '2026-06-02 01:00:00' }] });
    api.answer('backup/getFileList', { result: [{ name: 'public_html', is_dir: 1 }] });

    await pollCollector(subject, 'backups');

    expect(await subject.metricValue('hosting_backups', { kind: 'files' })).toBe(1);
  });

  it('that the API does not know is fetched again after a day, even if the wall clock was set', async () => {
    fakeClock(start);
    const unknown = { refuse: 'NO_SUCH_METHOD' };
    const api = await scriptedApi({ 'backup/getFileBackupList': unknown, 'backup/getMysqlBackupList': unknown });
    const config = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['backups'] });
    const subject = polledAccount(config);
    await subject.account.pollOnce();
    const callsAfter = async (change: () => unknown) => {
      api.newCalls();
      await change();
      await pollCollector(subject, 'backups');
      return api.newCalls().filter((name) => name.includes('BackupList')).length;
    };

    const afterJump = await callsAfter(() => vi.setSystemTime(Date.now() + 2 * 86_400_000));
    const afterJumpBack = await callsAfter(async () => {
      vi.setSystemTime(Date.now() - 30 * 86_400_000);
      await vi.advanceTimersByTimeAsync(86_400_000);
    });

    expect([afterJump, afterJumpBack]).toEqual([0, 2]);
  });
});

/** Polls a collector as its schedule does. */
async function pollCollector({ poller }: PolledAccount, name = 'database_load_detail'): Promise<void> {
  await poller(name).poll();
}

/** Polls the list twice, because a much shorter list is accepted only the second time. */
async function pollListTwice(subject: PolledAccount): Promise<void> {
  await pollCollector(subject, 'database_load');
  await pollCollector(subject, 'database_load');
}
