// One configuration with 1000 accounts. The test prints the cost and checks only generous bounds, because the benchmark
// measures speed. The starts of the accounts are spread over minutes. By default, the test ends after 300 accounts have
// been polled. SOAK_MINUTES=5 npm run soak waits for all accounts.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { fleetAccounts } from '../../sandbox/src/accounts/fleet.ts';
import { startSandbox } from '../../sandbox/src/server.ts';
import { collectors } from '../../src/collectors/list.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { accountSettings } from '../fixtures/program.ts';
import { promtoolProblems } from '../fixtures/promtool.ts';
import { until } from '../fixtures/waiting.ts';
import { startProbedExporter } from './probed-exporter.ts';

const accountCount = 1000;
const expectedAccounts = Number(process.env['SOAK_MINUTES'] ?? 1) > 1 ? accountCount : 300;
const mebibyte = 1024 ** 2;

/** Collectors that are on by default. */
const enabled = collectors.filter(({ offByDefault }) => offByDefault !== true).length;

describe('a fleet of a thousand accounts', () => {
  const cleanups = new Cleanups();

  afterAll(cleanups.end);

  it('starts accounts gradually, shows each of them and needs little memory per account', {
    timeout: 1_200_000,
  }, async () => {
    const accounts = fleetAccounts(accountCount);
    const sandbox = await startSandbox({ dialect: 'provider', accounts, speed: 0, requestsPerMinute: 0 });
    cleanups.add(() => sandbox.close());
    // Time of the first call of each account. The sandbox keeps only the newest calls.
    const firstCalls = new Map<string, number>();
    const collect = () => {
      for (const { login, time } of sandbox.calls) {
        if (login !== undefined && !firstCalls.has(login)) firstCalls.set(login, time);
      }
    };
    const collecting = setInterval(collect, 1000);
    cleanups.add(() => clearInterval(collecting));
    const started = Date.now();
    const exporter = await startProbedExporter(cleanups, {
      api: { base_url: sandbox.baseUrl, requests_per_minute: 300 },
      accounts: sandbox.accounts.map((account) => accountSettings(account)),
    });

    const countPolled = async () => {
      const page = await exporter.page('/metrics?collect[]=account');
      const successes = new Map<string, number>();
      for (const [, account = ''] of page.matchAll(/^hosting_exporter_collector_success\{account="(.+?)".* 1$/gm)) {
        successes.set(account, (successes.get(account) ?? 0) + 1);
      }
      return [...successes.values()].filter((count) => count === enabled).length;
    };
    await until(
      'enough accounts have been polled',
      async () => {
        await pause(1000);
        return (await countPolled()) >= expectedAccounts;
      },
      600_000,
    );
    const polled = await countPolled();
    const page = await exporter.page();
    for (let scrape = 0; scrape < 5; scrape += 1) await exporter.page();
    const usage = await exporter.probe();

    collect();
    // Of a thousand accounts, 40 start each second. On a busy machine, calls arrive late, but never early.
    const early = [...firstCalls.values()]
      .sort((one, other) => one - other)
      .filter((time, index) => time - started < (Math.floor(index / 40) - 1) * 1000);
    const series = page.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
    process.stdout.write(
      [
        `${accountCount} accounts, ${polled} of them polled, ${series} series, ${(page.length / mebibyte).toFixed(1)} MiB of text`,
        `resident: ${(usage.rss / mebibyte).toFixed(0)} MiB; heap: ${(usage.heapUsed / mebibyte).toFixed(0)} MiB`,
        `CPU since the start: ${exporter.cpuSeconds().toFixed(0)} s`,
        '',
      ].join('\n'),
    );
    expect(early).toEqual([]);
    expect(firstCalls.size).toBeGreaterThanOrEqual(expectedAccounts);
    expect(page.match(/^hosting_up\{/gm)).toHaveLength(accountCount);
    expect(await promtoolProblems(page)).toBe('');
    expect(usage.heapUsed / accountCount).toBeLessThan(mebibyte / 2);
    // One timer per budget, one per call, and a few others.
    expect(usage.resources['Timeout'] ?? 0).toBeLessThan(accountCount * 6);
    // On a busy machine, calls that follow each other may use more connections for a moment.
    await until('few files are open', async () => (await exporter.probe()).openFiles < 200);
    expect(exporter.program.stderr).not.toMatch(/level=(?:warn|error)|Warning/);
    expect(await exporter.program.stop()).toEqual({ code: 0, signal: null });
  });
});
