import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { textsOf } from '../../src/pages/language.ts';
import { fleetReport } from '../../src/pages/report.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { recordedContext } from '../fixtures/command-context.ts';
import { freePort, listen } from '../fixtures/servers.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

const cleanups = new Cleanups();
// The command changes this variable of its process.
beforeEach(() => void vi.stubEnv('no_proxy', ''));
afterEach(async () => {
  await cleanups.end();
  vi.unstubAllEnvs();
});

/** Runs the command until it is stopped, or the test ends. */
function start(flags: readonly string[]) {
  const stop = new AbortController();
  const context = recordedContext({ signal: stop.signal });
  const ended = run(['demo', '--port=0', ...flags], context);
  const finish = () => {
    stop.abort();
    return ended;
  };
  cleanups.add(finish);
  return {
    finish,
    printed: context.printed,
    said: (text: string) => until(text, () => context.printed.stdout.includes(text)),
  };
}

async function upOf(url: string): Promise<readonly string[]> {
  return (await (await fetch(`${url}/metrics`)).text()).match(/^hosting_up.*$/gm) ?? [];
}

it.each(['--port', '--sandbox.port'])('names %s if that port is in use', async (flag) => {
  const taken = await listen(createServer(), cleanups);
  const context = recordedContext();

  const code = await run(['demo', '--port=0', `${flag}=${taken}`], context);

  expect(code).toBe(3);
  expect(context.printed.stderr).toMatch(
    new RegExp(`${taken}: cannot listen: .*EADDRINUSE.*; choose another \\w+ with ${flag}\n$`),
  );
});

it('shows four accounts that work and one with a wrong password, and stops', async () => {
  const sandboxPort = await freePort();
  // The demo calls its sandbox without a proxy.
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9');
  const demo = start(['--web.listen-address=127.0.0.2:0', `--sandbox.port=${sandboxPort}`]);

  await demo.said('Press Ctrl-C to stop.');
  const [, url = ''] = /^ {2}(http\S+)\/metrics/m.exec(demo.printed.stdout) ?? [];
  await until('four accounts', async () => (await upOf(url)).filter((line) => line.endsWith(' 1')).length === 4);
  const up = await upOf(url);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.2:/);
  const sandbox = await fetch(`http://127.0.0.1:${sandboxPort}/sandbox`);
  const code = await demo.finish();

  expect(up.filter((line) => line.endsWith(' 0'))).toEqual(['hosting_up{account="forgotten"} 0']);
  expect(sandbox.status).toBe(200);
  // The hints fit a terminal of 80 by 24.
  const hints =
    /^The demo is running\.(?:.*\n)+Press Ctrl-C to stop\.$/m.exec(demo.printed.stdout)?.[0].split('\n') ?? [];
  expect(hints.length).toBeGreaterThan(10);
  expect(hints.length).toBeLessThanOrEqual(24);
  expect(Math.max(...hints.map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(code).toBe(0);
  for (const closed of [`${url}/metrics`, `http://127.0.0.1:${sandboxPort}/sandbox`]) {
    await expect(fetch(closed), closed).rejects.toThrow('fetch failed');
  }
});

it('writes a history of the accounts that work, and keeps it at the next start', async () => {
  const output = join(temporaryFolder(cleanups), 'history.om');
  const flags = ['--accounts=3', `--history.output=${output}`, '--history.instance=demo:1'];
  const historyAfterStart = async () => {
    const demo = start(flags);
    await demo.said('Press Ctrl-C to stop.');
    expect(await demo.finish()).toBe(0);
    expect(demo.printed.stderr).not.toContain('forgotten: ');
    return readFileSync(output, 'utf8');
  };

  const history = await historyAfterStart();

  expect(history).toContain('instance="demo:1"');
  const times = [...history.matchAll(/^hosting_site_load_daily\{.*\} \S+ (\d+)$/gm)].map(([, time]) => Number(time));
  const daysAgo = (time: number) => (Date.now() / 1000 - time) / 86_400;
  expect(daysAgo(times.reduce((one, other) => Math.min(one, other)))).toBeGreaterThan(25);
  // Up to now, because the Prometheus of the demo is empty.
  expect(daysAgo(times.reduce((one, other) => Math.max(one, other)))).toBeLessThan(1 / 24);
  writeFileSync(output, 'previous');
  expect(await historyAfterStart()).toBe('previous');
});

it('shows the page of many accounts before their figures', async () => {
  const demo = start(['--accounts=101', '--log.level=warn']);
  await demo.said('Press Ctrl-C to stop.');
  const [, url = ''] = /^ {2}(http\S+)\/metrics/m.exec(demo.printed.stdout) ?? [];
  const waiting = async () => fleetReport.parse(await (await fetch(`${url}/accounts.json`)).json()).counts.waiting ?? 0;

  const first = await waiting();
  expect(first).toBeGreaterThan(0);
  await until('more figures', async () => (await waiting()) < first);
  expect(await demo.finish()).toBe(0);
});

it('shows an agency whose few problems differ, and what changed, from the first page on', async () => {
  const demo = start(['--accounts=60', '--log.level=warn']);

  await demo.said('Press Ctrl-C to stop.');
  const [, url = ''] = /^ {2}(http\S+)\/metrics/m.exec(demo.printed.stdout) ?? [];
  const report = fleetReport.parse(await (await fetch(`${url}/accounts.json?changes`)).json());
  const page = await (await fetch(`${url}/accounts/hill-winery`)).text();
  const customers = Map.groupBy(report.accounts, ({ labels }) => labels['customer']);
  const causesOf = (customer: string) =>
    report.problems.filter(({ account }) => customers.get(customer)?.some((one) => one.account === account));

  expect(report.accounts).toHaveLength(60);
  expect(report.counts).toEqual({ critical: 3, warning: 3, failing: 1, partly: 1, waiting: 0, ok: 52 });
  expect(
    report.accounts.filter(({ labels }) => labels['customer'] === undefined).map(({ account }) => account),
  ).toEqual(['forgotten']);
  expect(new Set(causesOf('Harbour Group').map(({ kind }) => kind))).toEqual(new Set(['disk', 'suspension', 'domain']));
  for (const list of Map.groupBy(report.problems, ({ kind }) => kind).values()) expect(list.length).toBeLessThan(3);
  const changesOf = (day: 'yesterday' | 'lastWeek') =>
    report.accounts.filter(({ changes }) => changes?.[day]?.length).map(({ account }) => account);
  expect(changesOf('yesterday')).toEqual(['linen-house', 'amber-jewels']);
  expect(changesOf('lastWeek').length).toBeGreaterThan(50);
  expect(page.match(/class="chart"/g)?.length).toBeGreaterThan(4);
  expect(page).not.toContain(textsOf.en.trendLater);
  expect(demo.printed.stdout).toContain('-d login=anchor-inn ');
  expect(await demo.finish()).toBe(0);
});
