import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { metricsMarkdown } from '../../docs/src/metrics.ts';
import { startSandbox } from '../../sandbox/src/server.ts';
import { App } from '../../src/app.ts';
import { collectors } from '../../src/collectors/list.ts';
import { accountMetrics } from '../../src/polling/account-metrics.ts';
import { accountConfig, config } from '../fixtures/config.ts';
import { readProcessMetrics } from '../fixtures/process-metrics.ts';
import { recordedLog } from '../fixtures/recorded-log.ts';

const noon = Date.UTC(2026, 10, 20, 12);

let examples: ReadonlyMap<string, string>;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: noon });
  examples = new Map([...(await linesOf('specification')), ...(await linesOf('provider'))]);
  vi.useRealTimers();
});

test('docs/metrics.md is up to date: run npx vitest run test/docs -u', async () => {
  const page = metricsMarkdown(collectors, [...accountMetrics, ...(await readProcessMetrics())], examples);

  await expect(page).toMatchFileSnapshot(join(import.meta.dirname, '../../docs/metrics.md'));
});

test('every metric of a collector has an example', () => {
  const without = collectors.flatMap(({ metrics }) => metrics.filter(({ name }) => !examples.has(name)));

  expect(without).toEqual([]);
});

test('the HELP of every load says that its unit is undocumented and differs from that of the others', () => {
  const loads = collectors
    .flatMap(({ metrics }) => metrics)
    .filter(({ name }) => /^hosting_(?:site|database)_load_(?:average|hourly|daily)$/.test(name));

  expect(loads).toHaveLength(6);
  for (const { help } of loads) expect(help).toMatch(/undocumented points for \w+; never add them to points for/);
});

/** One line of each metric on the page of the sandbox account shop, at noon of a fixed day. */
async function linesOf(dialect: 'specification' | 'provider'): Promise<ReadonlyMap<string, string>> {
  const sandbox = await startSandbox({ dialect, clock: { now: () => noon }, requestsPerMinute: 0 });
  const account = accountConfig({
    api: { baseUrl: sandbox.baseUrl, requestsPerMinute: 60_000 },
    labels: { customer: 'acme', team: 'web' },
    alerts: [{ alert: 'HostingDiskAlmostFull', severity: 'warning', value: 0.9 }],
  });
  const { log } = recordedLog();
  const app = new App(config(account), { version: '0.1.0', revision: 'abc1234', nodeVersion: 'v24.0.0' }, log);
  await Promise.all(app.accounts.map((account) => account.pollOnce()));
  const page = await app.web.inject('/metrics');
  await app.stop();
  await sandbox.close();
  const lines = page.body
    .split('\n')
    .filter((line) => line.startsWith('hosting_') && !/duration/.test(line))
    .map(cutToTheMinute)
    // Items are on the page in the order of their answers, which varies: the main site and domain come first.
    .toSorted((one, other) => Number(other.includes('"teapots.example"')) - Number(one.includes('"teapots.example"')));
  return new Map(lines.map((line): [string, string] => [line.split(/[{ ]/)[0] ?? '', line]).toReversed());
}

/** Rounds times of the poll, which differ by milliseconds from run to run. */
function cutToTheMinute(line: string): string {
  return line.replace(/(?<= )\d{10}\.\d+$/, (seconds) => String(Math.floor(Number(seconds) / 60) * 60));
}
