import { createHook } from 'node:async_hooks';
import { execFile as execFileCallback, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { collectors } from '../../src/collectors/list.ts';
import { accountMetrics } from '../../src/polling/account-metrics.ts';
import { Page, type PageFilter } from '../../src/store/page.ts';
import { ProcessMetrics } from '../../src/store/process-metrics.ts';
import { createWebServer } from '../../src/web/server.ts';
import { metricsOnly } from '../fixtures/metrics-only.ts';
import { ShownAccount } from '../fixtures/shown-account.ts';
import { type ParsedFamily, parsePage, samplesOf } from '../oracle/exposition.ts';

const execFile = promisify(execFileCallback);

const diskUsage = 'hosting_account_disk_usage_bytes';
const siteLoad = 'hosting_site_load_hourly';
const formats = ['text', 'openmetrics'] as const;

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function createPage() {
  const process = new ProcessMetrics({ version: '1', revision: 'r', nodeVersion: 'v24' }, { hasRuntime: false });
  const accounts = new Map<string, ShownAccount>();
  const page = new Page(collectors, accountMetrics, process, accounts);
  const add = (account: ShownAccount) => void accounts.set(account.name, account);
  /** Accounts `a0`, `a1` and so on, each with the usage of its disk and the load of three sites. */
  const addAccounts = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const account = new ShownAccount(`a${index}`);
      account.show('account', diskUsage, index);
      for (const item of ['x', 'y', 'z']) account.show('site_load_detail', siteLoad, index, { item });
      add(account);
      return account;
    });
  const render = (format: 'text' | 'openmetrics' = 'text', filter: PageFilter = {}) =>
    page.render({ format, encoding: 'identity' }, filter);
  const gzip = async (format: 'text' | 'openmetrics' = 'text', filter: PageFilter = {}) =>
    gunzipSync(await page.render({ format, encoding: 'gzip' }, filter)).toString();
  const read = async (filter: PageFilter = {}) => parsePage((await render('text', filter)).toString(), 'text');
  return { page, add, remove: (name: string) => accounts.delete(name), process, addAccounts, render, gzip, read };
}

/** How many pieces of text are compressed meanwhile. Each scrape compresses the metrics of the process. */
async function compressionsDuring(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'ZLIB') count += 1;
    },
  });
  hook.enable();
  await work();
  hook.disable();
  return count;
}

function accountsOf(families: readonly ParsedFamily[], metric: string): readonly string[] {
  return samplesOf(families, metric).map(({ labels }) => labels['account'] ?? '');
}

describe('the page', () => {
  it('has the lines of each metric after its head: accounts in their order, then items', async () => {
    const { addAccounts, render } = createPage();
    addAccounts(2);

    const lines = (await render()).toString().split('\n');

    const start = lines.findIndex((line) => line.startsWith(`# HELP ${siteLoad} `));
    expect(lines.slice(start + 1, start + 9)).toEqual([
      `# TYPE ${siteLoad} gauge`,
      ...['a0', 'a1'].flatMap((account) =>
        ['x', 'y', 'z'].map((item) => `${siteLoad}{account="${account}",item="${item}"} ${account.slice(1)}`),
      ),
      expect.stringMatching(/^# HELP /),
    ]);
    expect(lines.filter((line) => line.startsWith('# HELP hosting_up '))).toEqual([]);
  });

  it('names units in OpenMetrics and ends there with EOF, and passes promtool in the text format', async () => {
    const { addAccounts, render } = createPage();
    addAccounts(2);
    const [text, openMetrics] = await Promise.all(formats.map(async (format) => (await render(format)).toString()));

    const families = parsePage(openMetrics ?? '', 'openmetrics');

    const unitOf = (name: string) => families.find((family) => family.name === name)?.unit;
    expect([unitOf(diskUsage), unitOf('hosting_exporter_series')]).toEqual(['bytes', '']);
    expect(openMetrics).toMatch(/\n# EOF\n$/);
    expect(text).not.toMatch(/# UNIT|# EOF/);
    expect(() => execFileSync('promtool', ['check', 'metrics'], { input: text })).not.toThrow();
  });

  it('is the same when nothing has changed, and is not joined or compressed again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { page, addAccounts, render, gzip } = createPage();
    const [account] = addAccounts(3);
    const pages = [await gzip('text'), await gzip('openmetrics')];
    const lines = vi.spyOn(account?.store ?? expect.fail(), 'lines');

    expect(await compressionsDuring(() => render('text'))).toBe(0);
    expect(await compressionsDuring(() => page.render({ format: 'text', encoding: 'gzip' }, {}))).toBe(1);
    expect([await gzip('text'), await gzip('openmetrics')]).toEqual(pages);
    expect([await render('text'), await render('openmetrics')].map(String)).toEqual(pages);
    expect(lines).not.toHaveBeenCalled();
  });

  it('shows each change, in both formats and encodings', async () => {
    const { add, remove, addAccounts, render, gzip } = createPage();
    const [first = expect.fail(), second] = addAccounts(3);
    const shown = async () => {
      const pages = await Promise.all(formats.flatMap((format) => [render(format), gzip(format)]));
      const lines = pages.map((text) => String(text).match(new RegExp(`(?<=^${siteLoad}.account=).*`, 'gm')));
      expect(new Set(lines.map(String)).size).toBe(1);
      return lines[0]?.length;
    };
    const counts = [await shown()];

    first.show('site_load_detail', siteLoad, 5, { item: 'new' });
    counts.push(await shown());
    second?.store.retain('site_load_detail', new Set(['x']));
    counts.push(await shown());
    remove('a2');
    counts.push(await shown());
    add(new ShownAccount('a0'));
    counts.push(await shown());

    expect(counts).toEqual([9, 10, 8, 5, 1]);
  });

  it('loses a figure at the end of its max_age, although nothing else has changed', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const { add, gzip } = createPage();
    const account = new ShownAccount('a');
    add(account);
    account.show('account', diskUsage, 7, { maxAge: 1000 });
    account.show('account', diskUsage, 8, { maxAge: 2000, item: 'x' });
    const shownAfter = async (milliseconds: number) => {
      vi.advanceTimersByTime(milliseconds);
      const [, series] = /hosting_exporter_series\S+ (.)/.exec(await gzip()) ?? [];
      return [(await gzip()).match(new RegExp(`^${diskUsage}`, 'gm'))?.length ?? 0, Number(series)];
    };

    const shown = [await shownAfter(0), await shownAfter(999), await shownAfter(1), await shownAfter(1000)];

    expect(shown).toEqual([
      [2, 2],
      [2, 2],
      [1, 1],
      [0, 0],
    ]);
  });

  it('does not change after it was rendered', async () => {
    const { remove, addAccounts, render } = createPage();
    const accounts = addAccounts(3);
    const rendered = await render();
    const before = rendered.toString();

    accounts[0]?.show('account', diskUsage, 99);
    remove('a1');
    await render();

    expect(rendered.toString()).toBe(before);
  });

  it('has the durations of polls as soon as an account was polled', async () => {
    const { process, addAccounts, gzip } = createPage();
    const [account] = addAccounts(1);
    const counts = [];
    for (let polls = 0; polls < 3; polls += 1) {
      // Like each poll, this updates the own metrics of the account, even if they stay the same.
      account?.store.setOwn([]);
      process.pollDuration.observe({ collector: 'account' }, 1);
      counts.push(Number(/^hosting_exporter_poll_duration_seconds_count\S+ (\d)/m.exec(await gzip())?.[1]));
    }

    expect(counts).toEqual([1, 2, 3]);
  });
});

describe('the compressed page', () => {
  it.each(formats)('is shared by simultaneous scrapes, and compressed again where it changed (%s)', async (format) => {
    const [first, second] = [createPage(), createPage()];
    const scrape = ({ page }: typeof first) => page.render({ format, encoding: 'gzip' }, {});
    for (const { addAccounts } of [first, second]) addAccounts(3);

    const alone = await compressionsDuring(() => scrape(first));
    expect(alone).toBeGreaterThan(10);
    expect(await compressionsDuring(() => Promise.all([scrape(second), scrape(second)]))).toBe(alone + 1);
    first.page.accounts.get('a0')?.store.remove('account', '');
    // The changed metric, the number of series, the durations and the metrics of the process.
    expect(await compressionsDuring(() => scrape(first))).toBe(4);
  });

  it('of selected accounts or collectors is compressed as one text', async () => {
    const { page, addAccounts } = createPage();
    addAccounts(3);
    const scrape = (filter: PageFilter) => page.render({ format: 'text', encoding: 'gzip' }, filter);
    await scrape({ collectors: new Set(['account']) });

    // The part of the page, and the metrics of the process, which are empty for selected accounts.
    expect(await compressionsDuring(() => scrape({ accounts: new Set(['a0']) }))).toBe(2);
    expect(await compressionsDuring(() => scrape({ collectors: new Set(['account']) }))).toBe(2);
  });

  it.each([
    ['empty', 0, 0],
    ['small', 2, 0],
    ['of 10 MB', 2, 120_000],
  ])('is one gzip stream that curl decodes: %s', async (_size, accounts, sites) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { page, addAccounts, render } = createPage();
    for (const account of addAccounts(accounts)) {
      const samples = Array.from({ length: sites }, (_, id) => ({ labels: { site: `магазин-${id}` }, value: id }));
      account.showFamilies('site_load', [{ name: 'hosting_site_load_average', labelNames: ['site'], samples }]);
    }
    const server = createWebServer({ telemetryPath: '/metrics' }, metricsOnly(page));
    const origin = await server.listen({ host: '127.0.0.1', port: 0 });

    const bodies = formats.map((format) => {
      const accept = format === 'text' ? 'text/plain' : 'application/openmetrics-text';
      const options = ['--silent', '--show-error', '--compressed', '--header', `accept: ${accept}`];
      return execFile('curl', [...options, `${origin}/metrics`], { encoding: 'buffer', maxBuffer: 20_000_000 });
    });

    for (const [index, { stdout: body }] of (await Promise.all(bodies)).entries()) {
      expect(body.equals(await render(formats[index])), `format ${index}`).toBe(true);
      expect(body.length, `format ${index}`).toBeGreaterThan(70 * sites);
    }
    await server.close();
  });
});

describe('the filter of the page', () => {
  it('selects the metrics of collectors, with the metrics of the exporter', async () => {
    const { addAccounts, read } = createPage();
    addAccounts(2);

    const families = await read({ collectors: new Set(['account']) });

    const names = families.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([diskUsage, 'hosting_exporter_series', 'hosting_exporter_build_info']),
    );
    expect(names).not.toContain(siteLoad);
  });

  it('of one collector has only its own series of a metric that two collectors provide', async () => {
    const { addAccounts, read, render } = createPage();
    const name = 'hosting_site_frozen';
    const [first, second] = addAccounts(2);
    first?.show('sites', name, 0);
    second?.show('frozen_sites', name, 1);
    const valuesOf = async (...names: readonly string[]) =>
      samplesOf(await read({ collectors: new Set(names) }), name).map(({ value }) => value);

    expect(await valuesOf('sites', 'frozen_sites')).toEqual([0, 1]);
    expect(await valuesOf('sites')).toEqual([0]);
    expect(await valuesOf('frozen_sites')).toEqual([1]);
    expect((await render()).toString().match(/^# HELP hosting_site_frozen /gm)).toHaveLength(1);
  });

  it('of accounts has only their series, as on the whole page, and no metrics of the process', async () => {
    const { process, addAccounts, read, gzip } = createPage();
    addAccounts(3);
    process.pollDuration.observe({ collector: 'sites' }, 1);
    const linesOf = (families: readonly ParsedFamily[]) =>
      families.flatMap(({ samples }) => samples.map((sample) => JSON.stringify(sample)));

    const [whole, two, one] = [
      await read(),
      await read({ accounts: new Set(['a0', 'a2']) }),
      await read({ accounts: new Set(['a1']) }),
    ].map(linesOf);

    const ofAccounts = whole?.filter((line) => line.includes('"account"'));
    expect(two).toHaveLength(10);
    expect([...(two ?? []), ...(one ?? [])].sort()).toEqual(ofAccounts?.sort());
    expect(await gzip('openmetrics', { accounts: new Set(), collectors: new Set() })).toBe('# EOF\n');
  });
});

it('the accounts of the page are shown with all series, and only while the accounts exist', async () => {
  const { add, remove, addAccounts, read } = createPage();
  const accounts = addAccounts(4);
  await read();

  const rendering = read();
  remove('a1');
  add(new ShownAccount('a2'));
  add(new ShownAccount('a4'));
  accounts[0]?.show('account', diskUsage, 99);
  await rendering;
  const families = await read();

  expect(accountsOf(families, 'hosting_exporter_series')).toEqual(['a0', 'a2', 'a3', 'a4']);
  expect(accountsOf(families, diskUsage)).toEqual(['a0', 'a3']);
  expect(accountsOf(families, siteLoad)).toEqual(['a0', 'a0', 'a0', 'a3', 'a3', 'a3']);
  expect(samplesOf(families, diskUsage)[0]?.value).toBe(99);
});
