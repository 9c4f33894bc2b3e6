// Applies load for one minute by default. SOAK_MINUTES=60 npm run soak applies it for an hour.
//
// The built program runs as a separate process and polls 60 accounts over real HTTP on short schedules, while faults occur
// and sites are added and deleted at random. The random numbers are the same in every run unless SOAK_SEED is set. The test
// proves:
// - Every exported value was correct at some time since the previous round.
// - After the faults, every series is correct, and no series is missing or left over.
// - Used memory, timers, sockets and series return to the same level in each round.
// - No account is called more often than its budget allows, as counted by the sandbox.
// - Reloads that change accounts change no figure. Accounts that are removed and added again come back with their figures.
// - Saving continues after the state directory was missing or full.
// - After SIGKILL, the next process shows figures of every account, and each figure was true at some time.
//
// The test does not cover effects of days of real time, such as schedules of hours, new dates, and the hourly pause
// after a denied permission. leak.test.ts detects small leaks.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { fleetAccounts } from '../../sandbox/src/accounts/fleet.ts';
import type { LoggedCall } from '../../sandbox/src/calls.ts';
import type { FaultKind } from '../../sandbox/src/faults/fault.ts';
import type { Sandbox } from '../../sandbox/src/server.ts';
import { collectors } from '../../src/collectors/list.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { accountSettings, writeSettings } from '../fixtures/program.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';
import { expectedSeries, type SeriesMap } from '../oracle/expected-series.ts';
import { compare, ofAccounts, readPage } from '../oracle/page-series.ts';
import { bytesPerCall, type HeapReading, lowestOfThirds } from './heap-trend.ts';
import { type ResourceUsage, startProbedExporter } from './probed-exporter.ts';
import { stateTroubles } from './state-trouble.ts';

const minutes = Number(process.env['SOAK_MINUTES'] ?? 1);
const seed = Number(process.env['SOAK_SEED'] ?? 20_261_120);

const accountCount = 60;
const requestsPerMinute = 1800;

/**
 * Calls per minute of three accounts with many sites or databases. This budget is so small that the intervals of their
 * fan-outs are stretched.
 */
const smallBudget = 180;

/** Rounds of faults, each followed by a reading of memory. The comparison of memory needs six rounds. */
const fewestRounds = 6;

/** Milliseconds; only a failing test waits this long. */
const longWait = 600_000;

/** All kinds except those that correctly cause a pause of a minute or an hour. */
const kinds: readonly FaultKind[] = [
  'reset',
  'silence',
  'drip',
  'latency',
  'http_500',
  'http_503',
  'redirect',
  'html',
  'truncated_json',
  'wrong_shape',
  'wrong_type',
  'gzip',
  'auth_error',
  'method_error',
  'invalid_data',
  'method_failed',
  'unknown_code',
  'numeric_code',
  'object_text',
  'echo',
];

/** Random numbers from 0 to 1 that repeat in every run (mulberry32). */
function createRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = createRandom(seed);

function pick<T>(list: readonly T[]): T {
  const picked = list[Math.floor(random() * list.length)];
  if (picked === undefined) throw new Error('the list is empty');
  return picked;
}

/** History of all calls; the sandbox keeps only the newest. */
class CallHistory {
  /** Times of the calls. */
  readonly byLogin = new Map<string, number[]>();
  /** `login outcome` of each call since it was cleared. */
  readonly outcomes = new Set<string>();
  count = 0;
  readonly #methods = new Map<string, Set<string>>();
  readonly #sandbox: Sandbox;
  #last: LoggedCall | undefined;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  collect(): void {
    const { calls } = this.#sandbox;
    const from = this.#last === undefined ? 0 : calls.lastIndexOf(this.#last) + 1;
    if (this.#last !== undefined && from === 0) throw new Error('calls were lost: collect more often');
    for (const { login = '', method, outcome, time } of calls.slice(from)) {
      const times = this.byLogin.get(login) ?? [];
      times.push(time);
      this.byLogin.set(login, times);
      const methods = this.#methods.get(login) ?? new Set();
      this.#methods.set(login, methods.add(method));
      this.outcomes.add(`${login} ${outcome}`);
      this.count += 1;
    }
    this.#last = calls.at(-1);
  }

  /** The methods that an account has called. */
  methodsOf(login: string): readonly string[] {
    return [...(this.#methods.get(login) ?? [])];
  }

  /** Highest number of calls of an account within any `span` milliseconds. */
  highestRate(login: string, span: number): number {
    const times = this.byLogin.get(login) ?? [];
    let highest = 0;
    let first = 0;
    for (const [index, time] of times.entries()) {
      while ((times[first] ?? 0) <= time - span) first += 1;
      highest = Math.max(highest, index - first + 1);
    }
    return highest;
  }
}

/** Changes an account as its owner would: adds or deletes a site or database, or changes the disk usage. */
function changeAccount(sandbox: Sandbox, number: number): void {
  const account = pick(sandbox.accounts);
  const addedSites = account.sites.filter(({ name }) => name.startsWith('soak-'));
  const addedDatabases = account.databases.filter(({ name }) => name.startsWith('soak_'));
  const choice = random();
  if (choice < 0.3) account.addSite(`soak-${number}.испытание`, 1 + random());
  else if (choice < 0.5 && addedSites.length > 0) account.deleteSite(pick(addedSites).name);
  else if (choice < 0.7) account.addDatabase({ name: `soak_${number}`, size: Math.floor(random() * 1e9) });
  else if (choice < 0.85 && addedDatabases.length > 0) account.deleteDatabase(pick(addedDatabases).name);
  else account.setDiskUsage(Math.floor(random() * 9e9));
}

/** Deletes everything that `changeAccount` added. */
function removeAdded(sandbox: Sandbox): void {
  for (const account of sandbox.accounts) {
    for (const { name } of account.sites) if (name.startsWith('soak-')) account.deleteSite(name);
    for (const { name } of account.databases) if (name.startsWith('soak_')) account.deleteDatabase(name);
  }
}

function expectedOf(sandbox: Sandbox): SeriesMap {
  return new Map(sandbox.accounts.flatMap((account) => [...expectedSeries(account, 'provider', Date.now())]));
}

function linesOf(page: string): readonly string[] {
  return page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** Series about accounts, without the exporter's own metrics. */
function shownSeries(page: string): SeriesMap {
  const lines = linesOf(page).filter((line) => line.startsWith('hosting_') && !line.startsWith('hosting_exporter_'));
  return ofAccounts(readPage(lines.join('\n')));
}

/** The shown series with a value that none of the expected states contains. */
function neverExpected(shown: SeriesMap, expected: readonly SeriesMap[]): readonly string[] {
  return [...shown]
    .filter(([key, value]) => !expected.some((series) => series.get(key) === value))
    .map(([key, value]) => `${key} ${value}`);
}

function timersOf({ resources }: ResourceUsage): number {
  return resources['Timeout'] ?? 0;
}

/** Expects that the lowest reading rises by less than `noise` from the first third to the last third. */
function expectNoGrowth(usages: readonly ResourceUsage[], amount: (usage: ResourceUsage) => number, noise: number) {
  const { first, last } = lowestOfThirds(usages, amount);
  expect(amount(last)).toBeLessThan(amount(first) + noise);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

describe('soak', () => {
  const cleanups = new Cleanups();

  afterAll(cleanups.end);

  it(`shows only correct series and leaks nothing in ${minutes} min with ${accountCount} accounts`, {
    timeout: minutes * 60_000 + 3_600_000,
  }, async () => {
    // Limits high enough for the sites and databases that the test adds.
    const accounts = fleetAccounts(accountCount).map((account) => ({
      ...account,
      plan: { ...account.plan, sites: 100, databases: 100 },
    }));
    const sandbox = await openSandbox({ dialect: 'provider', accounts, speed: 0 }, cleanups);
    const calls = new CallHistory(sandbox);
    const collecting = setInterval(() => calls.collect(), 500);
    cleanups.add(() => clearInterval(collecting));
    const budgetOf = (index: number) => (index % 20 === 7 ? smallBudget : requestsPerMinute);
    const directory = join(temporaryFolder(cleanups), 'state');
    /** `change`: a new number restarts every account. `removed`: whether every third account is missing. */
    const settings = (change: number, removed = false) => ({
      api: { base_url: sandbox.baseUrl, timeout: '15s', requests_per_minute: requestsPerMinute },
      accounts: sandbox.accounts
        .map((account, index) => ({
          ...accountSettings(account, index % 2 === 0 ? 'password' : 'token'),
          api: { requests_per_minute: budgetOf(index) },
        }))
        .filter((_, index) => !removed || index % 3 !== 0),
      collectors: Object.fromEntries(
        collectors.map(({ name }) => [name, { enabled: true, every: '6s', max_age: `${600 + change}s` }]),
      ),
      state: { directory },
    });
    const file = writeSettings(cleanups, settings(0));
    let exporter = await startProbedExporter(cleanups, file);
    let reloads = 0;
    const reload = async (next: unknown) => {
      writeFileSync(file, JSON.stringify(next));
      exporter.program.send('SIGHUP');
      reloads += 1;
      const count = () => exporter.program.stderr.match(/configuration reloaded/g)?.length ?? 0;
      await until('a reload', () => count() >= reloads, longWait);
    };
    const waitForSaves = (outcome: 0 | 1) =>
      until(
        `saves that ${outcome === 1 ? 'succeed' : 'fail'}`,
        async () => (await exporter.page()).includes(`hosting_exporter_state_save_success ${outcome}\n`),
        longWait,
      );
    const settle = () =>
      until(
        'every series is correct',
        async () => {
          // The sandbox runs in this process. More frequent checks would delay its answers.
          await pause(1000);
          const page = await exporter.page();
          const failing = page.match(/^hosting_(?:up|exporter_collector_success)\{.* 0$/gm) ?? [];
          const wrong = failing.length > 0 ? failing : compare(expectedOf(sandbox), shownSeries(page));
          // Printing a long list would take longer than everything else.
          if (wrong.length > 0) throw new Error(`${wrong.length} series are wrong:\n${wrong.slice(0, 20).join('\n')}`);
          return true;
        },
        longWait,
      );
    await settle();
    calls.collect();
    // The methods before the faults: a fault may cause a single call of another method.
    const usualMethods = new Map(sandbox.accounts.map(({ login }) => [login, calls.methodsOf(login)]));

    const started = performance.now();
    const usages: (ResourceUsage & HeapReading)[] = [];
    let expected = [expectedOf(sandbox)];
    const series: number[] = [];
    let changes = 0;
    let faults = 0;
    const everTrue = new Set<string>();
    const expectShownToBeExpected = async () => {
      const shown = shownSeries(await exporter.page());
      // An hour may have ended since the last computation.
      expected.push(expectedOf(sandbox));
      expect(neverExpected(shown, expected).slice(0, 20)).toEqual([]);
    };
    while (performance.now() - started < minutes * 60_000 || usages.length < fewestRounds) {
      const round = usages.length;
      // During this reload, the provider changes nothing, and no call fails. Figures may change only because an hour
      // ends.
      const before = shownSeries(await exporter.page());
      await reload(settings(round + 1));
      const after = shownSeries(await exporter.page());
      expected.push(expectedOf(sandbox));
      expect([...before.keys()].filter((key) => !after.has(key)).slice(0, 20)).toEqual([]);
      expect(neverExpected(after, expected).slice(0, 20)).toEqual([]);
      const trouble = Object.values(stateTroubles)[round];
      const logins = sandbox.accounts.map(({ login }) => login);
      const endTrouble = trouble?.(directory, logins);
      if (trouble === undefined) {
        for (const removed of [true, false]) await reload(settings(round + 1, removed));
      }
      const awaited: string[] = [];
      calls.collect();
      calls.outcomes.clear();
      for (const { login } of sandbox.accounts.filter(() => random() < 0.3)) {
        const kind = pick(kinds);
        const allMethods = random() < 0.4;
        const chosen = pick(usualMethods.get(login) ?? []);
        // A rejected login in a single section counts as a missing permission, which pauses the collector for an hour.
        const method = allMethods || kind === 'auth_error' ? undefined : chosen;
        // More faults of these kinds would only add waiting time, for timeouts or after rejected credentials.
        const times = ['silence', 'drip', 'auth_error'].includes(kind) ? 1 : undefined;
        sandbox.setFault({ kind, login, method, times, latency: Math.floor(random() * 300) });
        awaited.push(`${login} ${kind}`);
      }
      faults += awaited.length;
      for (let step = 0; step < 3; step += 1) {
        for (let count = 0; count < 20; count += 1) {
          changes += 1;
          changeAccount(sandbox, changes);
        }
        expected.push(expectedOf(sandbox));
        await pause(1000);
        await expectShownToBeExpected();
      }
      await until(
        'every fault has occurred',
        () => {
          calls.collect();
          expect(awaited.filter((outcome) => !calls.outcomes.has(outcome))).toEqual([]);
          return true;
        },
        longWait,
      );
      await expectShownToBeExpected();
      if (endTrouble !== undefined) {
        await waitForSaves(0);
        endTrouble();
      }
      sandbox.clearFaults();
      removeAdded(sandbox);
      await settle();
      await waitForSaves(1);
      for (const series of expected) for (const [key, value] of series) everTrue.add(`${key} ${value}`);
      expected = [expectedOf(sandbox)];
      usages.push({ ...(await exporter.probe()), calls: calls.count });
      // The number of series about Node.js changes all the time. Some other series exist only while a call fails.
      series.push(
        linesOf(await exporter.page()).filter((line) => /^hosting_(?!.*_(?:refused|failing)\{)/.test(line)).length,
      );
    }
    calls.collect();

    const failures = linesOf(await exporter.page()).filter((line) => line.includes('_request_failures_total{'));
    const failed = failures.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    process.stdout.write(
      [
        `${usages.length} rounds, ${calls.count} calls (${failed} failed), ${faults} faults, ${changes} changes`,
        `heap after garbage collection: ${usages.map(({ heapUsed }) => mebibytes(heapUsed)).join(', ')}`,
        `that is ${bytesPerCall(usages).toFixed(0)} bytes per call`,
        `resident: ${usages.map(({ rss }) => mebibytes(rss)).join(', ')}`,
        `timers: ${usages.map(timersOf).join(', ')}; open files: ${usages.map(({ openFiles }) => openFiles).join(', ')}`,
        `series: ${series.join(', ')}`,
        '',
      ].join('\n'),
    );
    expect(new Set(series).size).toBe(1);
    // A coarse check, because this test makes few calls: leak.test.ts detects small leaks.
    expect(bytesPerCall(usages)).toBeLessThan(1000);
    expectNoGrowth(usages, ({ external }) => external, 8 * 1024 ** 2);
    expectNoGrowth(usages, timersOf, 100);
    // The exporter opens at most 128 connections to the API.
    expectNoGrowth(usages, ({ openFiles }) => openFiles, 140);
    for (const [index, { login }] of sandbox.accounts.entries()) {
      // The sandbox counts calls when they arrive. An account may have four calls in progress, which can arrive late.
      expect(calls.highestRate(login, 60_000), login).toBeLessThanOrEqual(budgetOf(index) + 1 + 4);
    }
    const { stderr } = exporter.program;
    expect(stderr).toContain('more calls than the budget allows');
    expect(stderr.match(/state can be saved again/g)).toHaveLength(Object.keys(stateTroubles).length);

    for (const [key, value] of expectedOf(sandbox)) everTrue.add(`${key} ${value}`);
    await exporter.program.stop('SIGKILL');
    for (const { login } of sandbox.accounts) sandbox.setFault({ kind: 'silence', login });
    exporter = await startProbedExporter(cleanups, file);
    const restored = shownSeries(await exporter.page());
    expect([...restored].map(([key, value]) => `${key} ${value}`).filter((line) => !everTrue.has(line))).toEqual([]);
    expect([...restored.keys()].filter((key) => key.startsWith('hosting_sites{'))).toHaveLength(accountCount);
    sandbox.clearFaults();
    await settle();
    const errors = /level=error (?!msg="the API rejects the credentials)|Warning/;
    for (const log of [stderr, exporter.program.stderr]) expect(log).not.toMatch(errors);
    expect(await exporter.program.stop()).toEqual({ code: 0, signal: null });
  });
});
