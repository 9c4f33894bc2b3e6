import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Connections } from '../../src/api/connections.ts';
import { collectors } from '../../src/collectors/list.ts';
import type { AccountConfig } from '../../src/config/values/config.ts';
import { inlineSecret } from '../../src/config/values/secret.ts';
import type { Account } from '../../src/polling/account.ts';
import { accountMetrics } from '../../src/polling/account-metrics.ts';
import { Fleet } from '../../src/polling/fleet.ts';
import type { StateAccount, StateDirectory } from '../../src/state/state-directory.ts';
import type { SavedAccount } from '../../src/state/state-file.ts';
import { Page } from '../../src/store/page.ts';
import { ProcessMetrics } from '../../src/store/process-metrics.ts';
import { accountConfig } from '../fixtures/config.ts';
import { fakeClock, ofEarlierProcess } from '../fixtures/polled-account.ts';
import { recordedLog } from '../fixtures/recorded-log.ts';
import { type ScriptedAnswer, scriptedApi } from '../fixtures/scripted-api.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';
import { parsePage, samplesOf } from '../oracle/exposition.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** A state directory in memory. It saves at each tick. */
class MemoryState implements Pick<StateDirectory, 'load' | 'save' | 'saveNow' | 'removeOld' | 'close'> {
  readonly files = new Map<string, SavedAccount>();
  readonly kept: (readonly string[])[] = [];
  /** The names of accounts that were saved at once. */
  readonly saves: string[] = [];
  changes = 0;

  async load({ name, identity }: Pick<Account, 'name' | 'identity'>): ReturnType<StateDirectory['load']> {
    await nextTurn();
    const saved = this.files.get(name);
    if (saved === undefined) return {};
    return saved.identity === identity ? { saved: ofEarlierProcess(saved) } : { dropped: 'foreign' };
  }

  saveNow(account: StateAccount): void {
    this.saves.push(account.name);
    this.files.set(account.name, structuredClone(account.saved()));
  }

  save(accounts: readonly StateAccount[]): void {
    for (const account of accounts) {
      if (account.unsavedSince === Number.POSITIVE_INFINITY) continue;
      account.unsavedSince = Number.POSITIVE_INFINITY;
      this.files.set(account.name, structuredClone(account.saved()));
      this.changes += 1;
    }
  }

  async removeOld(names: readonly string[]): Promise<void> {
    this.kept.push(names);
  }

  async close(accounts: readonly StateAccount[] = []): Promise<void> {
    this.save(accounts);
  }
}

/** An API, and the configurations of accounts that poll their databases. */
async function scriptedAccounts(answer: ScriptedAnswer = { result: [{ name: 'a', size: 5 }] }) {
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

/** A fleet, which has restored its figures. */
async function createFleet(configs: readonly AccountConfig[], state = new MemoryState()) {
  const { log, lines } = recordedLog();
  const observer = new ProcessMetrics({ version: '1', revision: 'r', nodeVersion: 'v24' }, { hasRuntime: false });
  const fleet = new Fleet(configs, {
    observer,
    log,
    state: state as unknown as StateDirectory,
    configuredNames: () => fleet.accounts.map(({ name }) => name),
  });
  const page = new Page(collectors, accountMetrics, observer, fleet.byName);
  const stop = async () => {
    await fleet.stop();
  };
  onTestFinished(stop);
  const report = await fleet.restore();
  const logged = () => lines.splice(0).map((line) => JSON.parse(line));
  const isIdle = () => fleet.accounts.every(({ pollers }) => pollers.every(({ isPolling }) => !isPolling));
  const idle = () => until(isIdle);
  const pass = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    await idle();
  };
  /** The accounts with figures on the page. */
  const shown = async (metric = 'hosting_databases') => {
    const text = await page.render({ format: 'text', encoding: 'identity' }, {});
    return samplesOf(parsePage(text.toString(), 'text'), metric).map(({ labels }) => labels['account']);
  };
  return { fleet, state, report, stop, logged, idle, pass, shown };
}

describe('a fleet with a state directory', () => {
  it('saves accounts after a poll, all at the stop, and shows their figures in the next process', async () => {
    const { api, configs } = await scriptedAccounts();
    const { fleet, state, stop, pass } = await createFleet(configs(['a', 'b']));
    fleet.start();
    await pass(0);
    await pass(second);
    const saved = [...state.files.values()].map(({ collectors: { databases } }) => databases?.poll?.succeeded);
    await vi.advanceTimersByTimeAsync(minute);
    await fleet.byName.get('a')?.pollOnce();
    await stop();
    api.newCalls();

    const next = await createFleet(configs(['a', 'b']), state);
    next.fleet.start();
    await next.pass(30 * second);

    expect(saved).toEqual([true, true]);
    expect(state.files.get('a')?.collectors['databases']?.runStarted).toBe(Date.now() - 30 * second);
    expect([await next.shown(), next.report.series, api.newCalls()]).toEqual([['a', 'b'], 4, []]);
  });

  it('does not save restored figures again, and removes the files of other accounts once a day', async () => {
    const { configs } = await scriptedAccounts();
    const first = await createFleet(configs(['a']));
    await first.fleet.byName.get('a')?.pollOnce();
    await first.stop();
    const state = new MemoryState();
    state.files.set('a', first.state.files.get('a') ?? expect.fail('nothing was saved'));

    const { fleet, pass } = await createFleet(configs(['a']), state);
    fleet.start();
    await pass(minute - second);
    const [changes, removals] = [state.changes, state.kept.length];
    vi.setSystemTime(Date.now() + 24 * hour);
    await pass(2 * second);

    expect([changes, removals, state.kept]).toEqual([0, 1, [['a'], ['a']]]);
  });

  it.each([
    ['a rejection', { refuse: 'AUTH_ERROR' }],
    ['a pause that the API requests', { refuse: 'LIMIT_ERROR' }],
  ] as const)('saves %s at once, with each account of the login', async (_what, answer) => {
    const { configs } = await scriptedAccounts(answer);
    const login = configs(['shop']).map(({ credentials }) => credentials)[0] ?? expect.fail('no account');
    const { fleet, state } = await createFleet([
      ...configs(['a', 'b']).map((config) => ({ ...config, credentials: login })),
      ...configs(['other']),
    ]);

    await fleet.byName.get('a')?.pollOnce();

    expect(state.saves).toEqual(['a', 'b']);
  });
});

describe('a reload', () => {
  it('shows the saved figures of added accounts, and saves those of removed ones at once', async () => {
    const { api, configs } = await scriptedAccounts();
    const { fleet, state, shown, pass, logged } = await createFleet(configs(['a', 'c']));
    fleet.start();
    await pass(0);
    api.newCalls();

    await fleet.apply(configs(['a']));
    const removed = [await shown(), state.saves, logged().at(-1)];
    await fleet.apply(configs(['a', 'c']));
    await pass(10 * second);

    expect(removed).toMatchObject([['a'], ['c'], { msg: 'configuration reloaded', accounts: 1, removed: 'c' }]);
    expect([await shown(), api.newCalls()]).toEqual([['a', 'c'], []]);
    // Polls the added account to learn whether it is up.
    await pass(minute);
    expect(api.newCalls()).toEqual(['mysql/getList']);
    const [reloaded] = logged().filter(({ level }) => level === 'info');
    expect(reloaded).toMatchObject({ msg: 'configuration reloaded', accounts: 2, added: 'c' });
    expect(reloaded).not.toHaveProperty('removed');
  });

  it('that changes an account keeps its figures, its history and what is unsaved, and ends its old retries', async () => {
    const { api, configs } = await scriptedAccounts();
    const { fleet, state, shown, pass } = await createFleet(configs(['a']));
    fleet.start();
    await pass(0);
    await pass(second);
    api.answer('mysql/getList', { status: 500 });
    await fleet.byName.get('a')?.pollOnce();
    const savedBefore = state.files.get('a')?.collectors['databases']?.poll?.failedPolls;
    api.answer('mysql/getList', { result: [{ name: 'b' }] });
    api.newCalls();
    const thresholds = [{ alert: 'HostingDiskAlmostFull', severity: 'warning', value: 0.7 }];

    await fleet.apply(configs(['a']).map((config) => ({ ...config, labels: { team: 'x' }, alerts: thresholds })));
    const saved = () => state.files.get('a')?.collectors['databases']?.poll?.failedPolls;
    await vi.advanceTimersByTimeAsync(0);
    await pass(second);
    // The retry of the replaced account would be due.
    await pass(minute);

    expect([savedBefore, saved()]).toEqual([0, 0]);
    // The failed poll is retried at once, because its cause may be gone.
    expect(api.newCalls()).toEqual(['mysql/getList']);
    for (const metric of ['hosting_databases', 'hosting_account_labels', 'hosting_account_alert_threshold']) {
      expect(await shown(metric), metric).toEqual(['a']);
    }
  });

  it('drops the figures of an account whose login has changed', async () => {
    const { configs } = await scriptedAccounts();
    const { fleet, shown } = await createFleet(configs(['a']));
    await fleet.byName.get('a')?.pollOnce();
    const before = await shown();

    await fleet.apply(configs(['b']).map((config) => ({ ...config, name: 'a' })));

    expect([before, await shown()]).toEqual([['a'], []]);
  });

  it('replaces an account once when its secret or ca_file has changed, and lets polls continue without a change', async () => {
    const { configs } = await scriptedAccounts();
    const caFile = join(temporaryFolder(), 'ca.pem');
    const withSecret = (digest: string) =>
      configs(['a'], { caFile }).map((config): AccountConfig => {
        const password = { ...inlineSecret('secret'), file: '/run/secret', digest };
        return { ...config, credentials: { kind: 'password', login: 'a', password } };
      });
    const { fleet } = await createFleet(withSecret('old'));
    const accounts = [fleet.byName.get('a')];

    for (const digest of ['new', 'new']) {
      await fleet.apply(withSecret(digest));
      accounts.push(fleet.byName.get('a'));
    }
    writeFileSync(caFile, 'other certificates');
    await fleet.apply(withSecret('new'));
    accounts.push(fleet.byName.get('a'));

    expect(new Set(accounts).size).toBe(3);
    expect(accounts.map((account) => account?.signal.aborted)).toEqual([true, true, true, false]);
  });

  it('reaches every account although all are replaced again and again', async () => {
    const { configs } = await scriptedAccounts();
    const names = Array.from({ length: 35 }, (_, index) => `a${index}`);
    const { fleet, pass } = await createFleet(configs(names));
    fleet.start();
    const polled = () => fleet.accounts.filter((account) => account.polled).length;

    const counts: number[] = [];
    for (let reload = 1; reload <= 4; reload += 1) {
      await fleet.apply(configs(names, { settlingTime: reload }));
      await pass(second);
      counts.push(polled());
    }

    expect(counts.at(-1)).toBe(35);
  });

  it('ends the runs of accounts that it removes or replaces', async () => {
    const { api, configs } = await scriptedAccounts();
    const { fleet, pass } = await createFleet(configs(['changed', 'removed']));
    fleet.start();
    await pass(0);
    await fleet.apply(configs(['changed'], { settlingTime: 1 }));
    await pass(second);
    api.newCalls();

    for (let time = 0; time < 61; time += 1) await pass(minute);

    expect(api.newCalls()).toEqual(['mysql/getList']);
  });
});

describe('a tick', () => {
  it('comes each second, also after the clock has changed', async () => {
    const { configs } = await scriptedAccounts();
    const { fleet, state, pass } = await createFleet(configs(['a']));
    const ticks = vi.spyOn(state, 'save');
    fleet.start();
    await pass(0);

    const counts: number[] = [];
    for (const jump of [0, -2 * hour, 5 * hour, -30 * second]) {
      ticks.mockClear();
      vi.setSystemTime(Date.now() + jump);
      await pass(10 * second);
      counts.push(ticks.mock.calls.length);
    }

    // A jump may delay a tick by a second.
    expect(counts.map((count) => count >= 9 && count <= 11)).toEqual([true, true, true, true]);
    expect(fleet.isAlive).toBe(true);
  });

  it.each([
    [35, [10, 20, 30, 35]],
    [275, [11, 22, 33]],
  ])('starts at most ten accounts, or a fleet of %i in 25 seconds, the longest due first', async (count, expected) => {
    const { configs } = await scriptedAccounts();
    const names = Array.from({ length: count }, (_, index) => `a${index}`);
    const { fleet } = await createFleet(configs(names), undefined);
    const starts: string[] = [];
    const [now] = [performance.now()];
    for (const [index, account] of fleet.accounts.entries()) {
      let dueAt = now - index;
      vi.spyOn(account, 'dueAt', 'get').mockImplementation(() => dueAt);
      vi.spyOn(account, 'pollDue').mockImplementation(() => {
        dueAt = Number.POSITIVE_INFINITY;
        starts.push(account.name);
      });
    }

    fleet.start();
    const counts = [starts.length];
    while (counts.length < expected.length) {
      await vi.advanceTimersByTimeAsync(second);
      counts.push(starts.length);
    }

    expect(counts).toEqual(expected);
    expect(starts).toEqual(names.toReversed().slice(0, expected.at(-1)));
  });

  it.each([
    [-999, 0],
    [-hour, 1],
    [hour, 0],
  ])('plans all runs again if the clock was set back: after a change of %i ms, %i times', async (change, times) => {
    const { configs } = await scriptedAccounts();
    const { fleet, pass } = await createFleet(configs(['a']));
    fleet.start();
    await pass(0);
    const replan = vi.spyOn(fleet.accounts[0]?.pollers[0] ?? expect.fail('no poller'), 'replan');

    vi.setSystemTime(Date.now() + change);
    await pass(3 * second);

    expect(replan).toHaveBeenCalledTimes(times);
  });
});

describe('a fleet that stops', () => {
  it('leaves neither timers nor connections, and is not alive a minute later', async () => {
    const { configs } = await scriptedAccounts();
    const destroy = vi.spyOn(Connections.prototype, 'destroy');
    onTestFinished(() => destroy.mockRestore());
    const { fleet, stop } = await createFleet(configs(['a', 'b'], { requestsPerMinute: 1 }));
    fleet.start();
    await until(() => fleet.accounts.every(({ polled }) => polled));
    // The clock of the fleet, and the budgets of both accounts until their next calls.
    const running = vi.getTimerCount();

    await stop();

    expect(running).toBeGreaterThanOrEqual(3);
    expect([vi.getTimerCount(), destroy.mock.calls.length]).toEqual([0, 1]);
    vi.advanceTimersByTime(minute - 1);
    expect(fleet.isAlive).toBe(true);
    vi.advanceTimersByTime(1);
    expect(fleet.isAlive).toBe(false);
  });

  it('during a reload stops every account, and starts none', async () => {
    const { api, configs } = await scriptedAccounts();
    const names = ['a', 'b', 'c'];
    for (let steps = 0; steps < 12; steps += 1) {
      const { fleet, stop, logged } = await createFleet(configs(names));
      const applied = fleet.apply([...configs(names, { settlingTime: 1 }), ...configs(['d', 'e'])]);
      fleet.start();
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      if (steps > 6) await nextTurn();
      await stop();
      await applied;
      if (steps === 0)
        expect(
          logged().filter(({ msg }) => msg === 'configuration reloaded'),
          `step ${steps}`,
        ).toEqual([]);
      await api.settle();
      api.newCalls();

      await vi.advanceTimersByTimeAsync(minute);
      await api.settle();

      expect(
        fleet.accounts.filter(({ signal, dueAt }) => !signal.aborted || Number.isFinite(dueAt)),
        `step ${steps}`,
      ).toEqual([]);
      expect(api.newCalls(), `step ${steps}`).toEqual([]);
    }
  });
});
