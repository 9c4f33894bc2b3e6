import { describe, expect, it } from 'vitest';
import { accountName, pollAll } from '../../../bench/fleet.ts';
import { createFleetExporter, type FleetExporter, poll } from '../../../bench/fleet-exporter.ts';
import type { Block } from '../../../src/exposition/block.ts';
import { type ParsedFamily, parsePage, samplesOf } from '../../oracle/exposition.ts';

/** An exporter whose accounts have been polled once, in the order of these numbers. */
function polledFleet(accounts: number, order = Array.from({ length: accounts }, (_, index) => index)): FleetExporter {
  const exporter = createFleetExporter(accounts);
  for (const index of order) pollAccount(exporter, index);
  return exporter;
}

function pollAccount({ stores }: FleetExporter, index: number, collector?: string): void {
  const store = stores.get(accountName(index));
  if (store === undefined) throw new Error(`there is no account ${index}`);
  for (const result of pollAll(store.account)) {
    if (collector === undefined || result.collector === collector) poll(store, result);
  }
}

/** What was compressed, bytes of its text, to answer a scrape after another one. */
function compressedSince(former: readonly Block[], blocks: readonly Block[]): readonly number[] {
  const known = new Set(former);
  return blocks.filter((block) => !known.has(block)).map(({ text }) => text.length);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function parse(blocks: readonly Block[]): readonly ParsedFamily[] {
  return parsePage(Buffer.concat(blocks.map(({ text }) => text)).toString('utf8'), 'text');
}

const now = Date.now();

describe('the work of a scrape', () => {
  it('compresses only what is about the process, where nothing has changed', async () => {
    const { page } = polledFleet(60);
    const former = await page.render('text', {}, now);

    const blocks = await page.render('text', {}, now);

    expect(compressedSince(former, blocks)).toHaveLength(1);
    expect(blocks.at(-1)?.text.toString('utf8')).toContain('process_cpu_seconds_total');
  });

  it('compresses only what changed, for the pages of single accounts too', async () => {
    const exporter = polledFleet(3);
    const filter = { accounts: new Set([accountName(0), accountName(1)]) };
    const former = await exporter.page.render('text', filter, now);

    const same = await exporter.page.render('openmetrics', filter, now);
    pollAccount(exporter, 1, 'databases');
    const changed = await exporter.page.render('text', filter, now);

    const heads = same.filter(({ text }) => text.toString('utf8').startsWith('# '));
    expect(compressedSince([...former, ...heads], same)).toEqual([]);
    // Number and sizes of the databases, and of what the exporter says the calls and the time of the last success.
    expect(compressedSince(former, changed).length).toBeLessThan(5);
  });

  it('puts a page together of few blocks', async () => {
    const { page } = polledFleet(100);

    const blocks = await page.render('text', {}, now);

    const series = parse(blocks).flatMap(({ samples }) => samples).length;
    expect(series).toBeGreaterThan(40_000);
    expect(blocks.length).toBeLessThan(series / 25);
  });
});

describe('the work of a poll', () => {
  it('is the same with 200 accounts as with 10', async () => {
    const work = [];
    for (const accounts of [10, 200]) {
      const exporter = polledFleet(accounts);
      const former = await exporter.page.render('text', { process: 'own' }, now);
      pollAccount(exporter, 5, 'databases');
      work.push(sum(compressedSince(former, await exporter.page.render('text', { process: 'own' }, now))));
    }

    const [few = 0, many = 0] = work;

    expect(few).toBeGreaterThan(0);
    expect(many).toBeLessThan(2.5 * few);
  });

  it('does nothing where the figures are as they were', async () => {
    const exporter = polledFleet(10);
    const [store] = exporter.stores.values();
    const results = pollAll(accountName(0));
    const publish = () => {
      for (const { collector, item, families } of results) store?.publish(collector, item, families, now + 1000);
    };
    publish();
    const former = await exporter.page.render('text', { process: 'own' }, now);

    publish();
    const blocks = await exporter.page.render('text', { process: 'own' }, now);

    expect(compressedSince(former, blocks)).toHaveLength(1);
  });

  it('is that of a few items for one item of many', async () => {
    const exporter = polledFleet(1);
    const [store] = exporter.stores.values();
    const publish = (item: number, value: number) => {
      const labels = { account: accountName(0), site_id: String(item), site: 'x' };
      const name = 'hosting_site_load_hourly';
      const family = { name, labelNames: Object.keys(labels), samples: [{ labels, value }] };
      store?.publish('site_load_detail', String(item), [family], now + 1000);
    };
    for (let item = 0; item < 2000; item += 1) publish(item, 1);
    const filter = { collectors: new Set(['site_load_detail']), process: 'own' } as const;
    const former = await exporter.page.render('text', filter, now);

    publish(1000, 2);
    const blocks = await exporter.page.render('text', filter, now);

    // The lines of the bundle, what is about the process, and nothing else.
    const compressed = compressedSince(former, blocks);
    expect(compressed).toHaveLength(2);
    expect(compressed[0]).toBeLessThan(24 * 100);
  });

  it('leaves blocks that keep no other memory alive', async () => {
    const blocks = await polledFleet(2).page.render('text', {}, now);

    const own = blocks.flatMap(({ text, deflated }) => [text, deflated]);

    expect(own.filter((bytes) => bytes.buffer.byteLength !== bytes.length)).toEqual([]);
  });
});

describe('the page of many accounts', () => {
  it('is that of the moment when the scrape began', async () => {
    const exporter = polledFleet(40);
    const blocks = await exporter.page.render('text', {}, now);
    const before = parse(blocks);

    for (let index = 0; index < 40; index += 1) pollAccount(exporter, index);
    exporter.stores.get(accountName(7))?.retain('site_load_detail', new Set());
    await exporter.page.render('text', {}, now + 7_200_000);

    expect(parse(blocks)).toEqual(before);
  });

  it('shows the accounts in the order of the configuration, however their polls end', async () => {
    const order = Array.from({ length: 100 }, (_, index) => (index * 37) % 100);

    const families = parse(await polledFleet(100, order).page.render('text', {}, now));

    const inOrder = Array.from({ length: 100 }, (_, index) => accountName(index));
    for (const name of ['hosting_up', 'hosting_account_disk_usage_bytes']) {
      expect(samplesOf(families, name).map(({ labels }) => labels['account'])).toEqual(inOrder);
    }
    const sites = samplesOf(families, 'hosting_site_load_hourly').map(({ labels }) => labels['account']);
    expect([...new Set(sites)]).toEqual(inOrder);
    expect(sites).toHaveLength(1000);
  });

  it('holds each series once, with the same figures as the pages of its accounts', async () => {
    const { page } = polledFleet(30);
    const figures = (blocks: readonly Block[]) =>
      parse(blocks)
        .flatMap(({ samples }) => samples)
        .filter(({ labels }) => labels['account'] !== undefined);
    const all = figures(await page.render('text', {}, now));

    const single = [];
    for (let index = 0; index < 30; index += 1) {
      single.push(...figures(await page.render('text', { accounts: new Set([accountName(index)]) }, now)));
    }

    const keys = (samples: typeof all) => samples.map((sample) => JSON.stringify(sample)).sort();
    expect(keys(all)).toEqual(keys(single));
  });

  it('lets go of what has expired', async () => {
    const { page } = polledFleet(30);

    const families = parse(await page.render('text', {}, now + 7_200_000));

    expect(samplesOf(families, 'hosting_account_disk_usage_bytes')).toEqual([]);
    const series = samplesOf(families, 'hosting_exporter_collector_series');
    expect(series.filter(({ value }) => value !== 0)).toEqual([]);
  });

  it('lets go of an account that is watched no more, and takes in a new one', async () => {
    const exporter = polledFleet(30);
    const stores = exporter.stores as Map<string, unknown>;
    const { stores: others } = polledFleet(31);
    await exporter.page.render('text', {}, now);

    stores.delete(accountName(3));
    stores.set(accountName(30), others.get(accountName(30)));
    const families = parse(await exporter.page.render('text', {}, now));

    const accounts = samplesOf(families, 'hosting_account_disk_usage_bytes').map(({ labels }) => labels['account']);
    expect(accounts).toHaveLength(30);
    expect(accounts).not.toContain(accountName(3));
    expect(accounts.at(-1)).toBe(accountName(30));
  });
});
