// Bounded: about a minute, in CI. SOAK_MINUTES=60 npx vitest run test/soak makes it an hour of the same.
//
// What it proves: the built program, as a process of its own, polls 200 accounts over real HTTP on short schedules while
// faults, new sites and deleted ones come at random (the same at every run: SOAK_SEED changes them). Whatever it shows
// was true within max_age; once the faults are over, every series is true and none is missing or left over; memory
// after garbage collection, timers, sockets and series come back to where they were; no account is ever called more
// often than its budget allows, by the sandbox's own count.
//
// What it does not prove: what days of real time do (schedules of hours, dates that change, an hourly pause after a
// refused permission), and leaks of less than about a hundred bytes a poll.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { collectors } from '../../src/collectors/list.ts';
import { fleetAccounts } from '../../src/sandbox/accounts/fleet.ts';
import type { LoggedCall } from '../../src/sandbox/call-log.ts';
import type { FaultKind } from '../../src/sandbox/faults/fault.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { accountSettings } from '../fixtures/program.ts';
import { until } from '../fixtures/waiting.ts';
import { approximateMetrics, expectedSeries, type SeriesMap } from '../oracle/expected-series.ts';
import { compare, ofAccounts, readPage } from '../oracle/page-series.ts';
import { type Holdings, startProbedExporter } from './probed-exporter.ts';

const minutes = Number(process.env['SOAK_MINUTES'] ?? 1);
const seed = Number(process.env['SOAK_SEED'] ?? 20_261_120);

const accountCount = 200;
const requestsPerMinute = 600;

/** Every twentieth account has so few calls that its fan-outs have to be stretched. */
const smallBudget = 120;

/** All but those after which the program rightly waits for a minute or an hour. */
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

/** Numbers from 0 to 1 that are the same at every run (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomFrom(seed);

function pick<T>(list: readonly T[]): T {
  const picked = list[Math.floor(random() * list.length)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
}

/** All calls, of which the sandbox itself keeps only the newest. */
class AllCalls {
  readonly byLogin = new Map<string, number[]>();
  count = 0;
  readonly #sandbox: Sandbox;
  #last: LoggedCall | undefined;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  collect(): void {
    const { calls } = this.#sandbox;
    const from = this.#last === undefined ? 0 : calls.lastIndexOf(this.#last) + 1;
    if (this.#last !== undefined && from === 0) throw new Error('calls were lost: collect more often');
    for (const { login = '', time } of calls.slice(from)) {
      const times = this.byLogin.get(login) ?? [];
      times.push(time);
      this.byLogin.set(login, times);
      this.count += 1;
    }
    this.#last = calls.at(-1);
  }

  /** The most calls of an account in any `span` milliseconds. */
  most(login: string, span: number): number {
    const times = this.byLogin.get(login) ?? [];
    let most = 0;
    let first = 0;
    for (const [index, time] of times.entries()) {
      while ((times[first] ?? 0) <= time - span) first += 1;
      most = Math.max(most, index - first + 1);
    }
    return most;
  }
}

/** Changes an account in ways that its owner would: sites and databases come and go, disks fill. */
function change(sandbox: Sandbox, number: number): void {
  const account = pick(sandbox.accounts);
  const own = account.sites.filter(({ name }) => name.startsWith('soak-'));
  const ownDatabases = account.databases.filter(({ name }) => name.startsWith('soak_'));
  const choice = random();
  if (choice < 0.3) account.addSite(`soak-${number}.испытание`, 1 + random());
  else if (choice < 0.5 && own.length > 0) account.deleteSite(pick(own).name);
  else if (choice < 0.7) account.addDatabase({ name: `soak_${number}`, size: Math.floor(random() * 1e9) });
  else if (choice < 0.85 && ownDatabases.length > 0) account.deleteDatabase(pick(ownDatabases).name);
  else account.setDiskUsage(Math.floor(random() * 9e9));
}

function tidy(sandbox: Sandbox): void {
  for (const account of sandbox.accounts) {
    for (const { name } of account.sites) if (name.startsWith('soak-')) account.deleteSite(name);
    for (const { name } of account.databases) if (name.startsWith('soak_')) account.deleteDatabase(name);
  }
}

function truthOf(sandbox: Sandbox): SeriesMap {
  return new Map(sandbox.accounts.flatMap((account) => [...expectedSeries(account, 'provider', Date.now())]));
}

function linesOf(page: string): readonly string[] {
  return page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** The series about accounts; the many others are not even read. */
function figuresOf(page: string): SeriesMap {
  const lines = linesOf(page).filter((line) => line.startsWith('hosting_') && !line.startsWith('hosting_exporter_'));
  return ofAccounts(readPage(lines.join('\n')));
}

/** Shown figures that were true at none of these times. */
function neverTrue(shown: SeriesMap, truths: readonly SeriesMap[]): readonly string[] {
  return [...shown]
    .filter(([key]) => !approximateMetrics.has(key.replace(/\{.*/, '')))
    .filter(([key, figure]) => !truths.some((truth) => truth.get(key) === figure))
    .map(([key, figure]) => `${key} ${figure}`);
}

function timersOf({ resources }: Holdings): number {
  return resources['Timeout'] ?? 0;
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

describe('A soak', () => {
  const cleanups = new Cleanups();

  afterAll(cleanups.end);

  it(`of ${minutes} min with ${accountCount} accounts ends with true series, and holds what it held before`, {
    timeout: minutes * 60_000 + 600_000,
  }, async () => {
    // With room for what comes and goes.
    const accounts = fleetAccounts(accountCount).map((account) => ({
      ...account,
      plan: { ...account.plan, sites: 100, databases: 100 },
    }));
    const sandbox = await startSandbox({ dialect: 'provider', accounts, speed: 0, requestsPerMinute: 0 });
    cleanups.add(() => sandbox.close());
    const calls = new AllCalls(sandbox);
    const collecting = setInterval(() => calls.collect(), 500);
    cleanups.add(() => clearInterval(collecting));
    const budgetOf = (index: number) => (index % 20 === 0 ? smallBudget : requestsPerMinute);
    const exporter = await startProbedExporter(cleanups, {
      api: { base_url: sandbox.baseUrl, timeout: '5s', requests_per_minute: requestsPerMinute },
      accounts: sandbox.accounts.map((account, index) => ({
        ...accountSettings(account, index % 2 === 0 ? 'password' : 'token'),
        api: { requests_per_minute: budgetOf(index) },
      })),
      collectors: Object.fromEntries(
        collectors.map(({ name }) => [name, { enabled: true, every: '12s', max_age: '2m' }]),
      ),
    });
    const settle = async () => {
      await until('all is true', async () => {
        // The sandbox lives in this process: looking too often would keep it from answering.
        await pause(1000);
        const page = await exporter.page();
        const failing = page.match(/^hosting_(?:up|exporter_collector_success)\{.* 0$/gm) ?? [];
        const wrong = failing.length > 0 ? failing : compare(truthOf(sandbox), figuresOf(page));
        // A long list would cost more time to print than all else.
        if (wrong.length > 0) throw new Error(`${wrong.length} series are wrong:\n${wrong.slice(0, 20).join('\n')}`);
        return true;
      });
    };
    await settle();

    const started = performance.now();
    const holdings: Holdings[] = [];
    let truths = [truthOf(sandbox)];
    const series: number[] = [];
    let changes = 0;
    let faults = 0;
    while (performance.now() - started < minutes * 60_000 || holdings.length < 3) {
      const spoilt = sandbox.accounts.filter(() => random() < 0.3);
      for (const { login } of spoilt) {
        const kind = pick(kinds);
        const whole = random() < 0.4;
        const chosen = pick(pick(collectors).methods);
        // One section that refuses what others accept counts as not permitted, and is left alone for an hour.
        const method = whole || kind === 'auth_error' ? undefined : chosen;
        // Whoever meets these waits until the time is up.
        const times = kind === 'silence' || kind === 'drip' ? 1 : undefined;
        sandbox.setFault({ kind, login, method, times, latency: Math.floor(random() * 300) });
        faults += 1;
      }
      for (let step = 0; step < 6; step += 1) {
        for (let count = 0; count < 20; count += 1) {
          changes += 1;
          change(sandbox, changes);
        }
        truths.push(truthOf(sandbox));
        await pause(1000);
        expect(neverTrue(figuresOf(await exporter.page()), truths).slice(0, 20)).toEqual([]);
      }
      sandbox.clearFaults();
      tidy(sandbox);
      await settle();
      truths = [truthOf(sandbox)];
      holdings.push(await exporter.probe());
      series.push(linesOf(await exporter.page()).length);
    }
    calls.collect();

    const [first, last] = [holdings[1], holdings.at(-1)];
    if (first === undefined || last === undefined) throw new Error('too few rounds');
    const failures = linesOf(await exporter.page()).filter((line) => line.includes('_request_failures_total{'));
    const failed = failures.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    process.stdout.write(
      [
        `${holdings.length} rounds, ${calls.count} calls, of which ${failed} failed, ${faults} faults, ${changes} changes`,
        `heap after collection: ${holdings.map(({ heapUsed }) => mebibytes(heapUsed)).join(', ')}`,
        `resident: ${holdings.map(({ rss }) => mebibytes(rss)).join(', ')}`,
        `timers: ${holdings.map(timersOf).join(', ')}; open files: ${holdings.map(({ openFiles }) => openFiles).join(', ')}`,
        `series: ${series.join(', ')}`,
        '',
      ].join('\n'),
    );
    expect(new Set(series).size).toBe(1);
    // A hundred bytes for each call in between, and some noise.
    const callsBetween = (calls.count * (holdings.length - 2)) / holdings.length;
    expect(last.heapUsed - first.heapUsed).toBeLessThan(4 * 1024 ** 2 + 100 * callsBetween);
    expect(last.external).toBeLessThan(first.external * 1.1 + 8 * 1024 ** 2);
    expect(timersOf(last)).toBeLessThan(timersOf(first) + 100);
    // Connections to the API are at most 128.
    expect(last.openFiles).toBeLessThan(first.openFiles + 140);
    expect(failed).toBeGreaterThan(faults);
    for (const [index, { login }] of sandbox.accounts.entries()) {
      // One more may arrive in a minute than left in it, where the first was late on its way.
      expect(calls.most(login, 60_000)).toBeLessThanOrEqual(budgetOf(index) + 1);
    }
    expect(exporter.program.stderr).toContain('stretching intervals');
    expect(exporter.program.stderr).not.toMatch(/level=error|Warning/);
    expect(await exporter.program.stop()).toEqual({ code: 0, signal: null });
  });
});
