import { expect, it } from 'vitest';
import type { Exclude } from '../../src/config/values/config.ts';
import { accountConfig } from '../fixtures/config.ts';
import { fakeClock, polledAccount } from '../fixtures/polled-account.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';

const none = { domains: [], sites: [], databases: [] };
const excluded = { domains: ['*old.example'], sites: ['old'], databases: ['old_*'] };

async function subject() {
  fakeClock('2026-06-03T12:00:00Z');
  const site = (id: number, name: string) => ({ id, name, domains: [{ fqdn: `${name}.example`, ssl: false }] });
  const api = await scriptedApi({
    'domain/getList': { result: ['old.example', 'shop.example'].map((fqdn) => ({ fqdn, is_subdomain: 0 })) },
    'domain/getSubdomainList': { result: [] },
    'site/getList': { result: [site(1, 'old'), site(2, 'shop')] },
    'stat/getSitesListLoad': {
      result: [
        { id: 1, name: 'old', cp: 5 },
        { id: 2, name: 'shop', cp: 1 },
      ],
    },
    'stat/getSiteLoad': { result: { days: [{ date: '2026-06-02', value: 3 }] } },
    'mysql/getList': { result: ['old_shop', 'old_blog', 'shop'].map((name) => ({ name, size: 1 })) },
    'stat/getDbListLoad': { result: ['old_shop', 'shop'].map((name) => ({ name, cp: 1 })) },
    'stat/getDbLoad': { result: { days: [{ date: '2026-06-02', cpu_time: 3 }] } },
    'mail/getMailboxList': { result: [{ mailbox: 'a' }] },
  });
  const names = ['domains', 'sites', 'site_load', 'site_load_detail', 'databases', 'database_load'];
  const collectors = [...names, 'database_load_detail', 'mailboxes'];
  const accountWith = (exclude: Exclude) =>
    polledAccount(accountConfig({ api: { baseUrl: api.baseUrl }, collectors, exclude }));
  return { api, accountWith };
}

async function namesOn({ page }: ReturnType<typeof polledAccount>): Promise<readonly string[]> {
  const samples = (await page()).flatMap((family) => family.samples);
  const names = samples.flatMap(({ labels }) => [
    labels['domain'] ?? [],
    labels['site'] ?? [],
    labels['database'] ?? [],
  ]);
  return [...new Set(names.flat())].sort();
}

const counts = ['hosting_domains', 'hosting_sites', 'hosting_databases'] as const;

it('what is excluded costs no call, has no series and is not counted, except as excluded', async () => {
  const { api, accountWith } = await subject();
  const account = accountWith(excluded);

  await account.account.pollOnce();

  expect(api.newCalls().filter((call) => /old|Load 1$/.test(call))).toEqual([]);
  expect(await namesOn(account)).toEqual(['shop', 'shop.example']);
  expect(await Promise.all(counts.map((name) => account.metricValue(name)))).toEqual([1, 1, 1]);
  const left = await account.series('hosting_exporter_items_excluded');
  expect(left.map(({ labels, value }) => `${labels['kind']} ${value}`).sort()).toEqual([
    'databases 2',
    'domains 1',
    'sites 1',
  ]);
  expect(await account.series('hosting_exporter_collector_failing')).toEqual([]);
});

it('an exclusion takes effect at a reload without a poll, and so does its end', async () => {
  const { api, accountWith } = await subject();
  const before = accountWith(none);
  await before.account.pollOnce();
  const everything = await namesOn(before);
  api.newCalls();

  const during = accountWith(excluded);
  during.account.replace(before.account);
  expect(await namesOn(during)).toEqual(['shop', 'shop.example']);
  const after = accountWith(none);
  after.account.replace(during.account);

  expect(await namesOn(after)).toEqual(everything);
  expect(await Promise.all(counts.map((name) => after.metricValue(name)))).toEqual([2, 2, 3]);
  expect(await after.series('hosting_exporter_items_excluded')).toEqual([]);
  expect(api.newCalls()).toEqual([]);
});

it('a fan-out whose list has no collector keeps the exclusion after a restart', async () => {
  const { api } = await subject();
  const accountWith = (exclude: Exclude) =>
    polledAccount(accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['mailboxes'], exclude }));
  const before = accountWith(none);
  await before.account.pollOnce();

  const after = accountWith(excluded);
  after.account.restore(before.account.saved());

  expect(await namesOn(after)).toEqual(['shop.example']);
  await after.account.pollOnce();
  expect(await namesOn(after)).toEqual(['shop.example']);
  expect(await after.series('hosting_exporter_collector_failing')).toEqual([]);
});
