// A thousand accounts in one configuration. What it costs is printed, and only bounded generously: figures of speed
// belong to the benchmark. In CI it ends once three hundred accounts have been polled, since the starts are spread over
// minutes on purpose; SOAK_MINUTES=5 npx vitest run test/soak waits for all of them.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { collectors } from '../../src/collectors/list.ts';
import { fleetAccounts } from '../../src/sandbox/accounts/fleet.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { accountSettings } from '../fixtures/program.ts';
import { promtoolProblems } from '../fixtures/promtool.ts';
import { until } from '../fixtures/waiting.ts';
import { startProbedExporter } from './probed-exporter.ts';

const accountCount = 1000;
const awaited = Number(process.env['SOAK_MINUTES'] ?? 1) > 1 ? accountCount : 300;
const mebibyte = 1024 ** 2;

/** Collectors that are on by default. */
const enabled = collectors.filter(({ offByDefault }) => offByDefault !== true).length;

describe('A fleet of a thousand accounts', () => {
  const cleanups = new Cleanups();

  afterAll(cleanups.end);

  it('starts account by account, shows each, and holds little for each', { timeout: 600_000 }, async () => {
    const accounts = fleetAccounts(accountCount);
    const sandbox = await startSandbox({ dialect: 'provider', accounts, speed: 0, requestsPerMinute: 0 });
    cleanups.add(() => sandbox.close());
    // When each account was first called; the sandbox itself keeps only the newest calls.
    const firstCalls = new Map<string, number>();
    const collect = () => {
      for (const { login, time } of sandbox.calls) {
        if (login !== undefined && !firstCalls.has(login)) firstCalls.set(login, time);
      }
    };
    const collecting = setInterval(collect, 1000);
    cleanups.add(() => clearInterval(collecting));
    const exporter = await startProbedExporter(cleanups, {
      api: { base_url: sandbox.baseUrl, requests_per_minute: 300 },
      accounts: sandbox.accounts.map((account) => accountSettings(account)),
    });

    const polledWhole = async () => {
      const page = await exporter.page('/metrics?collect[]=account');
      const successes = new Map<string, number>();
      for (const [, account = ''] of page.matchAll(/^hosting_exporter_collector_success\{account="(.+?)".* 1$/gm)) {
        successes.set(account, (successes.get(account) ?? 0) + 1);
      }
      return [...successes.values()].filter((count) => count === enabled).length;
    };
    await until('enough accounts have been polled', async () => {
      await pause(1000);
      return (await polledWhole()) >= awaited;
    });
    const polled = await polledWhole();
    const first = await exporter.probe();
    const page = await exporter.page();
    for (let scrape = 0; scrape < 5; scrape += 1) await exporter.page();
    const second = await exporter.probe();

    collect();
    const seconds = new Map<number, number>();
    for (const time of firstCalls.values()) {
      const second = Math.floor(time / 1000);
      seconds.set(second, (seconds.get(second) ?? 0) + 1);
    }
    const series = page.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
    process.stdout.write(
      [
        `${accountCount} accounts, ${polled} of them polled, ${series} series, ${(page.length / mebibyte).toFixed(1)} MiB of text`,
        `accounts started in each second: ${[...seconds.values()].join(', ')}`,
        `resident: ${(first.rss / mebibyte).toFixed(0)} MiB; heap: ${(first.heapUsed / mebibyte).toFixed(0)} MiB`,
        `after five scrapes: ${(second.rss / mebibyte).toFixed(0)} MiB; heap: ${(second.heapUsed / mebibyte).toFixed(0)} MiB`,
        `CPU since the start: ${exporter.cpuSeconds().toFixed(0)} s`,
        '',
      ].join('\n'),
    );
    // Ten to twenty a second where the machine is not busy, and all thousand at once where nothing spread them.
    expect(Math.max(...seconds.values())).toBeLessThan(accountCount / 4);
    expect(firstCalls.size).toBeGreaterThanOrEqual(awaited);
    expect(page.match(/^hosting_up\{/gm)).toHaveLength(accountCount);
    expect(await promtoolProblems(page)).toBe('');
    expect(first.heapUsed / accountCount).toBeLessThan(mebibyte / 2);
    expect(second.heapUsed).toBeLessThan(first.heapUsed * 1.1);
    // Timers are one for each poller and each account, and few besides.
    expect(second.resources['Timeout'] ?? 0).toBeLessThan(accountCount * 16);
    expect(second.openFiles).toBeLessThan(200);
    expect(exporter.program.stderr).not.toMatch(/level=(?:warn|error)|Warning/);
    expect(await exporter.program.stop()).toEqual({ code: 0, signal: null });
  });
});
