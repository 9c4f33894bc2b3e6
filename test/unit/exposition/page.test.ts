import { afterEach, describe, expect, it, vi } from 'vitest';
import { accountName, generateResults } from '../../../bench/fleet.ts';
import { createFleetExporter, FleetAccount, type FleetExporter } from '../../../bench/fleet-exporter.ts';
import { collectors } from '../../../src/collectors/list.ts';
import type { EncodedChunk } from '../../../src/exposition/encoded-chunk.ts';
import { anyPayload } from '../../fixtures/any-payload.ts';
import { type ParsedFamily, parsePage, samplesOf } from '../../oracle/exposition.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** An exporter whose accounts have been polled once, in this order. */
function polledFleet(accounts: number, order = Array.from({ length: accounts }, (_, index) => index)): FleetExporter {
  const exporter = createFleetExporter(accounts, { hasRuntime: false });
  for (const index of order) pollAccount(exporter, index);
  return exporter;
}

function pollAccount(exporter: FleetExporter, index: number, collector?: string): void {
  const account = accountOf(exporter, index);
  for (const result of generateResults(account.name)) {
    if (collector === undefined || result.collector === collector) account.poll(result);
  }
}

function accountOf({ accounts }: FleetExporter, index: number): FleetAccount {
  const account = accounts.get(accountName(index));
  if (account === undefined) throw new Error(`account ${index} does not exist`);
  return account;
}

/** The size of each text that was encoded between two scrapes. */
function encodedSince(previous: readonly EncodedChunk[], chunks: readonly EncodedChunk[]): readonly number[] {
  const known = new Set(previous.flatMap(({ texts }) => texts));
  return chunks.flatMap(({ texts }) => texts.filter((text) => !known.has(text))).map(({ length }) => length);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function parse(chunks: readonly EncodedChunk[]): readonly ParsedFamily[] {
  return parsePage(Buffer.concat(chunks.flatMap(({ texts }) => texts)).toString('utf8'), 'text');
}

describe('a scrape', () => {
  it('encodes only the metrics of the process if nothing has changed', async () => {
    const { page } = polledFleet(6);
    const previous = await page.render('text', {});

    const chunks = await page.render('text', {});

    expect(encodedSince(previous, chunks)).toHaveLength(1);
    expect(String(chunks.at(-1)?.texts)).toContain('hosting_exporter_build_info');
  });

  it('encodes only what changed for the page of selected accounts', async () => {
    const exporter = polledFleet(3);
    const filter = { accounts: new Set([accountName(0), accountName(1)]) };
    const previous = await exporter.page.render('text', filter);

    const same = await exporter.page.render('openmetrics', filter);
    pollAccount(exporter, 1, 'databases');
    const changed = await exporter.page.render('text', filter);

    const heads = same.filter(({ texts }) => String(texts).startsWith('# '));
    expect(encodedSince([...previous, ...heads], same)).toEqual([]);
    // Number, sizes, users and remote accesses of the databases, and the exporter's own metrics that a poll changes.
    expect(encodedSince(previous, changed).length).toBeLessThan(6);
  });

  it('names the unit of sizes and times in OpenMetrics, and not in the text format', async () => {
    const { page } = polledFleet(1);
    const rendered = async (format: 'text' | 'openmetrics') =>
      Buffer.concat((await page.render(format, {})).flatMap(({ texts }) => texts)).toString('utf8');

    const families = parsePage(await rendered('openmetrics'), 'openmetrics');

    const unitOf = (name: string) => families.find((family) => family.name === name)?.unit;
    expect(unitOf('hosting_database_size_bytes')).toBe('bytes');
    expect(unitOf('hosting_exporter_collector_interval_seconds')).toBe('seconds');
    expect(unitOf('hosting_up')).toBe('');
    expect(await rendered('text')).not.toContain('# UNIT');
  });

  it('assembles the page from few chunks', async () => {
    const { page } = polledFleet(20);

    const chunks = await page.render('text', {});

    const series = parse(chunks).flatMap(({ samples }) => samples).length;
    expect(series).toBeGreaterThan(5000);
    expect(chunks.length).toBeLessThan(series / 25);
  });
});

describe("the exporter's own metrics", () => {
  it('follow each poll of an account', async () => {
    const exporter = polledFleet(2);
    const { page } = exporter;
    const callsShown = async () =>
      samplesOf(parse(await page.render('text', {})), 'hosting_exporter_api_requests_total').map(({ value }) => value);
    const [before = 0, other = 0] = await callsShown();

    pollAccount(exporter, 0, 'databases');

    expect(await callsShown()).toEqual([before + 1, other]);
  });
});

describe('the filter of the page', () => {
  it('knows the accounts and the collectors', () => {
    const { page } = polledFleet(2);

    expect([...page.accountNames]).toEqual([accountName(0), accountName(1)]);
    expect([...page.collectorNames]).toEqual(collectors.map(({ name }) => name));
  });

  it('selects the metrics of collectors, with those of the exporter', async () => {
    const { page } = polledFleet(2);

    const families = parse(await page.render('text', { collectors: new Set(['databases']) }));

    const names = families.map(({ name }) => name);
    expect(names).toContain('hosting_database_size_bytes');
    expect(names).toContain('hosting_up');
    expect(names).not.toContain('hosting_account_disk_usage_bytes');
    expect(names.filter((name) => !name.startsWith('hosting_'))).toEqual([]);
  });

  it('of one collector has only its own series of a metric that two collectors provide', async () => {
    const exporter = createFleetExporter(2, { hasRuntime: false });
    const name = 'hosting_site_frozen';
    const labelNames = ['account', 'site_id', 'site'];
    for (const [index, collector] of ['sites', 'frozen_sites'].entries()) {
      const account = accountOf(exporter, index);
      const samples = [{ labels: { account: account.name, site_id: '1', site: 'a' }, value: index }];
      account.poll({ collector, item: '', families: [{ name, labelNames, samples }], payload: anyPayload });
    }
    const valuesOf = async (...collectors: readonly string[]) =>
      samplesOf(parse(await exporter.page.render('text', { collectors: new Set(collectors) })), name).map(
        ({ value }) => value,
      );

    expect(await valuesOf('sites', 'frozen_sites')).toEqual([0, 1]);
    expect(await valuesOf('sites')).toEqual([0]);
    expect(await valuesOf('frozen_sites')).toEqual([1]);
  });

  it('of one account has no metrics of the process and of other accounts', async () => {
    const { page } = polledFleet(2);

    const families = parse(await page.render('text', { accounts: new Set([accountName(1)]) }));

    const accounts = families.flatMap(({ samples }) => samples.map(({ labels }) => labels['account']));
    expect(new Set(accounts)).toEqual(new Set([accountName(1)]));
  });
});

describe('a poll', () => {
  it('encodes less than 2.5 times as much with 100 accounts as with 10', async () => {
    const work = [];
    for (const accounts of [10, 100]) {
      const exporter = polledFleet(accounts);
      const previous = await exporter.page.render('text', {});
      pollAccount(exporter, 2, 'databases');
      work.push(sum(encodedSince(previous, await exporter.page.render('text', {}))));
    }

    const [few = 0, many = 0] = work;

    expect(few).toBeGreaterThan(0);
    expect(many).toBeLessThan(2.5 * few);
  });

  it('encodes nothing if all values are the same', async () => {
    const exporter = polledFleet(10);
    const { store } = accountOf(exporter, 0);
    const results = generateResults(accountName(0));
    const publish = () => {
      for (const { collector, item, families, payload } of results) {
        store.publish(collector, item, families, 60_000, payload);
      }
    };
    publish();
    const previous = await exporter.page.render('text', {});

    publish();
    const chunks = await exporter.page.render('text', {});

    expect(encodedSince(previous, chunks)).toHaveLength(1);
  });

  it('of one item encodes only a chunk of few items', async () => {
    const exporter = polledFleet(1);
    const { store } = accountOf(exporter, 0);
    const publish = (item: number, value: number) => {
      const labels = { account: accountName(0), site_id: String(item), site: 'x' };
      const name = 'hosting_site_load_hourly';
      const family = { name, labelNames: Object.keys(labels), samples: [{ labels, value }] };
      store.publish('site_load_detail', String(item), [family], 60_000, anyPayload);
    };
    for (let item = 0; item < 2000; item += 1) publish(item, 1);
    const filter = { collectors: new Set(['site_load_detail']) };
    const previous = await exporter.page.render('text', filter);

    publish(1000, 2);
    const chunks = await exporter.page.render('text', filter);

    // The chunk of the item, and the metrics of the process.
    const encoded = encodedSince(previous, chunks);
    expect(encoded).toHaveLength(2);
    expect(encoded[0]).toBeLessThan(768 * 100);
  });

  it('creates chunks that share no memory', async () => {
    const chunks = await polledFleet(2).page.render('text', {});

    const buffers = chunks.flatMap(({ texts, deflated }) => [...texts, deflated]);

    expect(buffers.filter((bytes) => bytes.buffer.byteLength !== bytes.length)).toEqual([]);
  });
});

describe('the page of many accounts', () => {
  it('does not change after it was rendered', async () => {
    const exporter = polledFleet(10);
    const chunks = await exporter.page.render('text', {});
    const before = parse(chunks);

    for (let index = 0; index < 10; index += 1) pollAccount(exporter, index);
    accountOf(exporter, 7).store.retain('site_load_detail', new Set());
    exporter.page.remove(accountName(8));
    await exporter.page.render('text', {});

    expect(parse(chunks)).toEqual(before);
  });

  it('contains every account once, regardless of the order of polls', async () => {
    const order = Array.from({ length: 20 }, (_, index) => (index * 7) % 20);

    const families = parse(await polledFleet(20, order).page.render('text', {}));

    const names = Array.from({ length: 20 }, (_, index) => accountName(index));
    const shown = (name: string) => samplesOf(families, name).map(({ labels }) => labels['account'] ?? '');
    expect(shown('hosting_up')).toEqual(names);
    expect(shown('hosting_account_disk_usage_bytes').sort()).toEqual(names);
    expect(shown('hosting_site_load_hourly')).toHaveLength(200);
    expect(new Set(shown('hosting_site_load_hourly'))).toEqual(new Set(names));
  });

  it('contains each series once, with the same values as the pages of its accounts', async () => {
    const { page } = polledFleet(9);
    const accountSamples = (chunks: readonly EncodedChunk[]) =>
      parse(chunks)
        .flatMap(({ samples }) => samples)
        .filter(({ labels }) => labels['account'] !== undefined);
    const all = accountSamples(await page.render('text', {}));

    const single = [];
    for (let index = 0; index < 9; index += 1) {
      single.push(...accountSamples(await page.render('text', { accounts: new Set([accountName(index)]) })));
    }

    const keys = (samples: typeof all) => samples.map((sample) => JSON.stringify(sample)).sort();
    expect(keys(all)).toEqual(keys(single));
  });

  it('drops expired results', async () => {
    const { page } = polledFleet(9);

    vi.useFakeTimers({ now: Date.now() + 7_200_000, toFake: ['Date'] });
    const families = parse(await page.render('text', {}));

    expect(samplesOf(families, 'hosting_account_disk_usage_bytes')).toEqual([]);
    const series = samplesOf(families, 'hosting_exporter_series');
    expect(series.map(({ value }) => value)).toEqual(Array.from({ length: 9 }, () => 0));
  });

  it('removes an account with all of its series, and adds a new one', async () => {
    const exporter = polledFleet(9);
    const { page } = exporter;
    await page.render('text', {});

    page.remove(accountName(3));
    const added = new FleetAccount(accountName(9), page);
    page.add(added);
    for (const result of generateResults(added.name)) added.poll(result);
    const families = parse(await page.render('text', {}));

    const accounts = samplesOf(families, 'hosting_account_disk_usage_bytes').map(({ labels }) => labels['account']);
    expect(accounts).toHaveLength(9);
    expect(accounts).toContain(accountName(9));
    const removed = families
      .flatMap(({ samples }) => samples)
      .filter(({ labels }) => labels['account'] === accountName(3));
    expect(removed).toEqual([]);
    expect(page.accountNames.has(accountName(3))).toBe(false);
  });

  it('shows only the accounts at its end if a reload removes and replaces some of them', async () => {
    const exporter = polledFleet(9);
    const { page } = exporter;
    await page.render('text', {});
    for (const index of [3, 5, 6]) pollAccount(exporter, index);

    const rendering = page.render('text', {});
    page.remove(accountName(3));
    page.add(new FleetAccount(accountName(5), page));
    const during = parse(await rendering);
    pollAccount(exporter, 6);
    const after = parse(await page.render('text', {}));

    const expected = [0, 1, 2, 4, 6, 7, 8, 5].map(accountName);
    for (const families of [during, after]) {
      const own = samplesOf(families, 'hosting_exporter_series').map(({ labels }) => labels['account']);
      expect(own).toEqual(expected);
      const figures = samplesOf(families, 'hosting_account_disk_usage_bytes').map(({ labels }) => labels['account']);
      expect(figures).toEqual(expected.slice(0, -1));
    }
  });

  it('with another account of the same name loses the figures of the first', async () => {
    const exporter = polledFleet(2);
    const { page } = exporter;
    await page.render('text', {});

    page.add(new FleetAccount(accountName(0), page));
    const families = parse(await page.render('text', {}));

    const seriesOf = (metric: string) =>
      samplesOf(families, metric).filter(({ labels }) => labels['account'] === accountName(0)).length;
    expect(seriesOf('hosting_account_disk_usage_bytes')).toBe(0);
    expect(seriesOf('hosting_exporter_series')).toBe(1);
  });
});
