import { describe, expect, it, vi } from 'vitest';
import { siteLoad } from '../../../src/collectors/site-load.ts';
import { siteLoadDetail } from '../../../src/collectors/site-load-detail.ts';
import type { AccountStore } from '../../../src/exposition/account-store.ts';
import { itemPayloads, newestPayload } from '../../../src/polling/kept-payloads.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { fakeClock, polledAccount } from '../../fixtures/polled-account.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';

const start = '2026-06-03T12:00:00Z';
const hour = 3_600_000;
const load = (value: number) => ({ result: { days: [{ date: '2026-06-01', value }] } });

/** By the site's id. */
function loadsBySite(store: AccountStore) {
  return itemPayloads(store, siteLoadDetail).toSorted((a, b) => Number(a.item['site_id']) - Number(b.item['site_id']));
}

async function polledSites() {
  fakeClock(start);
  const api = await scriptedApi({
    'stat/getSitesListLoad': { result: [1, 2].map((id) => ({ id, name: `site${id}` })) },
    'stat/getSiteLoad 1': load(1),
    'stat/getSiteLoad 2': load(2),
  });
  const config = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['site_load', 'site_load_detail'] });
  const polled = polledAccount(config);
  await polled.account.pollOnce();
  return { api, ...polled, store: polled.account.store };
}

describe('the payload of a poll', () => {
  it('is kept with the time of the answer', async () => {
    const { store } = await polledSites();

    const kept = newestPayload(store, siteLoad);

    expect(kept?.payload.map(({ id, name }) => [id, name])).toEqual([
      ['1', 'site1'],
      ['2', 'site2'],
    ]);
    expect(kept?.complete).toBe(true);
    expect(Date.now() - (kept?.answered ?? 0)).toBeLessThan(60_000);
    expect(kept?.answered).toBeGreaterThanOrEqual(Date.parse(start));
  });

  it('is kept for each item of a fan-out', async () => {
    const { store } = await polledSites();

    const kept = loadsBySite(store);

    const day = { start: Date.parse('2026-06-01T00:00:00Z'), end: Date.parse('2026-06-02T00:00:00Z') };
    expect(kept.map(({ item, payload }) => [item, payload])).toEqual([
      [
        { site_id: '1', site: 'site1' },
        { hours: [], days: [{ period: day, value: 1 }] },
      ],
      [
        { site_id: '2', site: 'site2' },
        { hours: [], days: [{ period: day, value: 2 }] },
      ],
    ]);
  });

  it('stays after a failed poll, with its time', async () => {
    const { api, poller, store } = await polledSites();
    const before = loadsBySite(store);
    api.answer('stat/getSiteLoad 1', { status: 500 });
    api.answer('stat/getSiteLoad 2', load(3));

    await vi.advanceTimersByTimeAsync(hour / 2);
    await poller('site_load_detail').poll();

    const after = loadsBySite(store);
    expect(after[0]).toEqual(before[0]);
    expect(after[1]?.payload.days[0]?.value).toBe(3);
    expect(after[1]?.answered).toBeGreaterThan(before[1]?.answered ?? 0);
  });

  it('leaves with its figures when its item leaves the list', async () => {
    const { account, api, store } = await polledSites();

    api.answer('stat/getSitesListLoad', { result: [{ id: 2, name: 'site2' }] });
    await account.pollOnce();

    expect(itemPayloads(store, siteLoadDetail).map(({ item }) => item['site_id'])).toEqual(['2']);
  });

  it('leaves with its figures when they expire', async () => {
    const { account, store } = await polledSites();
    account.stop();

    await vi.advanceTimersByTimeAsync(4 * hour);

    expect(newestPayload(store, siteLoad)).toBeUndefined();
    expect(itemPayloads(store, siteLoadDetail)).toEqual([]);
  });

  it('says if elements of its list were dropped', async () => {
    const { account, api, store } = await polledSites();

    api.answer('stat/getSitesListLoad', { result: [{ id: 1, name: 'site1' }, { name: 'no id' }] });
    await account.pollOnce();

    const kept = newestPayload(store, siteLoad);
    expect(kept?.complete).toBe(false);
    expect(kept?.payload).toHaveLength(1);
  });
});
