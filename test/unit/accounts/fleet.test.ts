import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Account } from '../../../src/accounts/account.ts';
import { Fleet } from '../../../src/accounts/fleet.ts';
import { Connections } from '../../../src/api/connections.ts';
import { collectors, payloadVersions } from '../../../src/collectors/list.ts';
import type { AccountConfig, Secret } from '../../../src/config/values/config.ts';
import { inlineSecret } from '../../../src/config/values/secret.ts';
import { Page } from '../../../src/exposition/page.ts';
import { ProcessMetrics } from '../../../src/exposition/process-metrics.ts';
import { Poller } from '../../../src/polling/poller.ts';
import { fileNameOf } from '../../../src/state/read-state.ts';
import { StateDirectory } from '../../../src/state/state-directory.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { fakeClock } from '../../fixtures/polled-account.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';
import { type ScriptedAnswer, scriptedApi } from '../../fixtures/scripted-api.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** An API, and the configurations of accounts that poll their databases. */
async function scriptedAccounts(answer: ScriptedAnswer = { result: [] }) {
  fakeClock('2026-06-03T12:00:00Z');
  const api = await scriptedApi({ 'mysql/getList': answer });
  const configs = (names: readonly string[], change: Partial<AccountConfig['api']> = {}) =>
    names.map((name) =>
      accountConfig({
        name,
        credentials: { kind: 'password', login: name, password: inlineSecret('secret') },
        api: { baseUrl: api.baseUrl, ...change },
        collectors: ['databases'],
      }),
    );
  return { api, configs };
}

/** A fleet, which restores its figures if it has a state directory. */
async function createFleet(configs: readonly AccountConfig[], directory?: string) {
  const { log, lines } = recordedLog();
  const observer = new ProcessMetrics({ version: '1', revision: 'r', nodeVersion: 'v24' }, { hasRuntime: false });
  const options = { shard: '', versions: payloadVersions, log };
  const state = directory === undefined ? undefined : await StateDirectory.open({ ...options, directory });
  const fleet = new Fleet(configs, { page: new Page(collectors, observer), observer, log, state });
  const stop = async () => {
    await fleet.stop();
    await fleet.close();
  };
  onTestFinished(stop);
  if (state !== undefined) await fleet.restore(state);
  const logged = () => lines.splice(0).map((line) => JSON.parse(line));
  const isIdle = () => fleet.accounts.every(({ pollers }) => pollers.every(({ isPolling }) => !isPolling));
  return { fleet, stop, logged, idle: () => until(isIdle) };
}

/** Records the names of the accounts that start. */
function recordStarts(): readonly string[] {
  const starts: string[] = [];
  const start = vi.spyOn(Account.prototype, 'start').mockImplementation(async function (this: Account) {
    starts.push(this.name);
  });
  onTestFinished(() => start.mockRestore());
  return starts;
}

it('the figures of each account are remembered every ten minutes, and saved if they are new', async () => {
  const { configs } = await scriptedAccounts();
  const directory = temporaryFolder();
  const settings = configs(['a', 'b']).map((config) => ({ ...config, collectors: {} }));
  const { fleet } = await createFleet(settings, directory);
  const updates = fleet.accounts.map(({ name, memory }) => vi.spyOn(memory, 'update').mockResolvedValue(name === 'b'));
  const counts = () => updates.map(({ mock }) => mock.calls.length);
  fleet.start();

  await vi.advanceTimersByTimeAsync(10 * minute - 1);
  const early = counts();
  await vi.advanceTimersByTimeAsync(1);

  expect([early, counts()]).toEqual([
    [0, 0],
    [1, 1],
  ]);
  expect(updates.map(({ mock }) => mock.calls[0]?.[0])).toEqual(fleet.accounts);
  await vi.advanceTimersByTimeAsync(30 * second);
  await until(() => readdirSync(directory).includes(fileNameOf('b')));
  expect(readdirSync(directory)).not.toContain(fileNameOf('a'));
});

it.each([false, true])('after a killed process, calls keep their distance and are recorded: %s', async (wasKilled) => {
  const { api, configs } = await scriptedAccounts();
  const directory = temporaryFolder();
  const settings = configs(['a', 'b'], { requestsPerMinute: 60 });
  const first = await createFleet(settings, directory);
  await first.fleet.account('b')?.pollOnce();
  await first.stop();
  if (wasKilled) writeFileSync(join(directory, 'lock'), '');
  await vi.advanceTimersByTimeAsync(minute);

  const account = (await createFleet(settings, directory)).fleet.account('b');
  const distance = Math.max((account?.budget.nextCall ?? 0) - performance.now(), 0);
  api.answer('mysql/getList', 'silence');
  void account?.pollOnce();
  await vi.advanceTimersByTimeAsync(second);
  await until(() => api.calls.length === 2);

  const saved = gunzipSync(readFileSync(join(directory, fileNameOf('b')))).toString();
  expect([distance, saved.includes('"rejection"')]).toEqual([wasKilled ? second : 0, wasKilled]);
});

it('an account that a reload adds before the start neither starts nor is saved before its figures are restored', async () => {
  const { configs } = await scriptedAccounts();
  const directory = temporaryFolder();
  const first = await createFleet(configs(['a', 'b']), directory);
  await Promise.all(first.fleet.accounts.map((account) => account.pollOnce()));
  await first.stop();
  const starts = recordStarts();
  const { fleet } = await createFleet(configs(['a']), directory);
  const saved = () => fleet.saved.map(({ name }) => name);

  await fleet.apply(configs(['a', 'b']));
  fleet.start();
  const before = [[...starts], saved()];
  await until(() => saved().length === 2);
  await vi.advanceTimersByTimeAsync(second);

  expect(before).toEqual([['a'], ['a']]);
  expect([...starts]).toEqual(['a', 'b']);
});

it('failures are reported every hour until the fleet stops', async () => {
  const { configs } = await scriptedAccounts({ status: 500 });
  const { fleet, stop, logged, idle } = await createFleet(configs(['a']));
  const reports = () => logged().filter(({ msg }) => msg === 'polls still fail').length;
  fleet.start();
  await until(() => fleet.accounts[0]?.polled);
  await idle();

  vi.advanceTimersByTime(hour + minute);
  const running = reports();
  await stop();
  vi.advanceTimersByTime(2 * hour);

  expect([running, reports()]).toEqual([1, 0]);
});

it('a fleet that has stopped leaves neither timers nor connections nor its lock', async () => {
  const { configs } = await scriptedAccounts();
  const directory = temporaryFolder();
  const destroy = vi.spyOn(Connections.prototype, 'destroy');
  onTestFinished(() => destroy.mockRestore());
  const { fleet, stop } = await createFleet(configs(['a', 'b'], { requestsPerMinute: 1 }), directory);
  fleet.start();
  await until(() => fleet.accounts[0]?.polled);
  // The other account waits for its start, and the budget of the first one for its next call.
  const running = vi.getTimerCount();

  await stop();

  expect(running).toBeGreaterThan(5);
  expect([vi.getTimerCount(), destroy.mock.calls.length]).toEqual([0, 1]);
  expect(readdirSync(directory)).toEqual([fileNameOf('a')]);
});

it('a fleet that stops during a reload stops every account, and starts none', async () => {
  const { configs } = await scriptedAccounts();
  const stopped = vi.spyOn(Account.prototype, 'stop');
  onTestFinished(() => stopped.mockRestore());
  const names = ['a', 'b', 'c'];
  for (let steps = 0; steps < 8; steps += 1) {
    const { fleet, stop } = await createFleet(configs(names));
    fleet.start();

    const applied = fleet.apply(configs(names, { settlingTime: 1 }));
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    await stop();
    await applied;

    expect(fleet.accounts.filter((account) => !stopped.mock.contexts.includes(account))).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  }
});

it('a fleet that stops while it restores added accounts starts none of them', async () => {
  const { configs } = await scriptedAccounts();
  const { fleet, stop } = await createFleet([], temporaryFolder());
  const starts = recordStarts();
  fleet.start();

  await fleet.apply(configs(['a', 'b', 'c']));
  await stop();
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();

  expect([starts, vi.getTimerCount()]).toEqual([[], 0]);
});

it('an added account that the next reload changes starts although the accounts before it are still restored', async () => {
  const { configs } = await scriptedAccounts();
  const { fleet } = await createFleet(configs(['first']), temporaryFolder());
  const start = vi.spyOn(Account.prototype, 'start').mockResolvedValue();
  onTestFinished(() => start.mockRestore());
  fleet.start();
  const others = configs(['first', 'b', 'c', 'd', 'e', 'f']);

  await fleet.apply([...others, ...configs(['changed'])]);
  await fleet.apply([...others, ...configs(['changed'], { settlingTime: 1 })]);
  await until(() => fleet.saved.length === 7);
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  await vi.advanceTimersByTimeAsync(second);

  expect(new Set(start.mock.contexts)).toEqual(new Set(fleet.accounts));
});

it('an account that a reload changes is saved like the others', async () => {
  const { configs } = await scriptedAccounts();
  const { fleet } = await createFleet(configs(['a', 'b']), temporaryFolder());

  await fleet.apply([...configs(['a']), ...configs(['b'], { settlingTime: 1 })]);

  expect(fleet.saved.map(({ name }) => name)).toEqual(['a', 'b']);
});

it('an account that a reload changes makes no more calls', async () => {
  const { api, configs } = await scriptedAccounts({ status: 500 });
  const { fleet, idle } = await createFleet(configs(['a']));
  fleet.start();
  await until(() => fleet.accounts[0]?.polled);
  await idle();
  api.answer('mysql/getList', { result: [] });
  api.newCalls();

  await fleet.apply(configs(['a'], { settlingTime: 1 }));
  await vi.advanceTimersByTimeAsync(second);
  await idle();
  // The retry of the replaced account would be due.
  await vi.advanceTimersByTimeAsync(minute);
  await api.settle();

  expect(api.newCalls()).toEqual(['mysql/getList']);
});

it('accounts that wait for their start keep their places when a reload changes all of them', async () => {
  const { configs } = await scriptedAccounts();
  const starts = recordStarts();
  const names = ['a', 'b', 'c', 'd'];
  const { fleet } = await createFleet(configs(names));
  fleet.start();
  await vi.advanceTimersByTimeAsync(100);

  await fleet.apply(configs(names, { settlingTime: 1 }));
  await vi.advanceTimersByTimeAsync(second);

  expect(starts).toEqual(['a', 'b', 'c', 'd', 'a', 'b']);
});

it('accounts that a reload removes or replaces have no more runs', async () => {
  const { configs } = await scriptedAccounts();
  const run = vi.spyOn(Poller.prototype, 'scheduledRun').mockResolvedValue();
  onTestFinished(() => run.mockRestore());
  const { fleet } = await createFleet(configs(['changed', 'removed']));
  fleet.start();
  await vi.advanceTimersByTimeAsync(second);
  await fleet.apply(configs(['changed'], { settlingTime: 1 }));
  await vi.advanceTimersByTimeAsync(second);
  run.mockClear();

  await vi.advanceTimersByTimeAsync(hour);

  expect(run.mock.contexts).toEqual(fleet.accounts.flatMap(({ pollers }) => pollers));
});

it('a changed secret file is applied once, and a reload without changes lets polls continue', async () => {
  const { api, configs } = await scriptedAccounts();
  const withSecret = (digest: string, labels = {}) =>
    configs(['a']).map((config): AccountConfig => {
      const password: Secret = { ...inlineSecret('secret'), file: '/run/secret', digest };
      return { ...config, labels, credentials: { kind: 'password', login: 'a', password } };
    });
  const { fleet, logged } = await createFleet(withSecret('old'));
  const retry = vi.spyOn(Account.prototype, 'retryUnaccepted');
  onTestFinished(() => retry.mockRestore());
  await fleet.accounts[0]?.pollOnce();
  const outcomes: unknown[] = [];

  for (const settings of [withSecret('new'), withSecret('new'), withSecret('new', { customer: 'x' })]) {
    await fleet.apply(settings);
    await vi.advanceTimersByTimeAsync(second);
    const reloads = logged().filter(({ msg }) => msg === 'configuration reloaded');
    outcomes.push([retry.mock.calls.length, reloads.map(({ changed }) => changed)]);
  }

  expect(outcomes).toEqual([
    [1, ['a']],
    [1, [undefined]],
    [1, ['a']],
  ]);
  await fleet.accounts[0]?.pollOnce();
  expect(api.newCalls()).toEqual(['mysql/getList', 'mysql/getList']);
});
