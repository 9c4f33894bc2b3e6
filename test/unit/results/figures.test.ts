import { describe, expect, it } from 'vitest';
import type { Collector } from '../../../src/collectors/collector.ts';
import { databases } from '../../../src/collectors/databases.ts';
import { siteLoadDetail } from '../../../src/collectors/site-load-detail.ts';
import type { ViewedAccount } from '../../../src/pages/view/viewed-account.ts';
import { Figures, readResults } from '../../../src/results/figures.ts';
import { KeptPayload } from '../../../src/results/kept-payload.ts';
import { TimeSlice } from '../../../src/runtime/time-slice.ts';
import { type Figure, publishFigures, viewedAccount } from '../../fixtures/viewed-account.ts';

async function figuresOf(account: ViewedAccount): Promise<Figures> {
  const results = await readResults(account, new TimeSlice());
  return new Figures(results.flatMap(({ families }) => families));
}

/** An account with this collector alone. */
function accountWith(collector: Collector, settlingTime = 0): ViewedAccount {
  const account = viewedAccount({ collectors: [collector.name] });
  return { ...account, settlingTime, pollers: account.pollers.map((poller) => ({ ...poller, collector })) };
}

const loads: readonly Figure[] = [
  ['hosting_site_load_average', 3, { site_id: '1', site: 'a' }],
  ['hosting_site_load_average', 5, { site_id: '2', site: 'b' }],
  ['hosting_site_load_average', 1, { site_id: '3', site: 'c' }],
];

describe('the figures of an account', () => {
  it('have values, sums and labels, by label', async () => {
    const figures = await figuresOf(
      viewedAccount({ figures: { site_load: loads, databases: [['hosting_databases', 4]] } }),
    );

    expect(figures.value('hosting_databases')).toBe(4);
    expect(figures.sum('site_id', 'hosting_site_load_average')).toBe(9);
    expect(figures.by('site', 'hosting_site_load_average')).toEqual(
      new Map([
        ['a', 3],
        ['b', 5],
        ['c', 1],
      ]),
    );
    expect(figures.labelsBy('site_id', 'hosting_site_load_average').get('2')).toEqual({
      account: 'shop',
      site_id: '2',
      site: 'b',
    });
  });

  it('are unknown without a result', async () => {
    const figures = await figuresOf(viewedAccount());

    expect(figures.value('hosting_databases')).toBeUndefined();
    expect(figures.sum('site_id', 'hosting_site_load_average')).toBeUndefined();
    expect(figures.samples('hosting_site_load_average')).toEqual([]);
  });

  it('count a series once, with its last value', async () => {
    const twice: Figure = ['hosting_site_load_average', 7, { site_id: '1', site: 'a' }];

    const figures = await figuresOf(viewedAccount({ figures: { site_load: [...loads, twice] } }));

    expect(figures.sum('site_id', 'hosting_site_load_average')).toBe(13);
  });

  it('are those of all items', async () => {
    const account = viewedAccount({ collectors: ['mailboxes'] });
    for (const [domain, count] of [
      ['a', 2],
      ['b', 3],
    ] as const) {
      publishFigures(account.store, 'mailboxes', [['hosting_mailboxes', count, { domain }]], { item: domain });
    }

    expect((await figuresOf(account)).sum('domain', 'hosting_mailboxes')).toBe(5);
  });

  it('are limited like those of the metrics page', async () => {
    const figures = await figuresOf(viewedAccount({ figures: { site_load: loads }, maxSeries: 2 }));

    expect([...figures.by('site', 'hosting_site_load_average').keys()].sort()).toEqual(['a', 'b']);
  });

  it('leave out impossible values', async () => {
    const figures = await figuresOf(
      viewedAccount({
        figures: {
          databases: [
            ['hosting_databases', 2],
            ['hosting_database_size_bytes', -1, { database: 'a' }],
          ],
        },
      }),
    );

    expect(figures.value('hosting_databases')).toBe(2);
    expect(figures.samples('hosting_database_size_bytes')).toEqual([]);
  });

  it('are read at the time of the answer by the clock of the API, minus settling_time', async () => {
    const hour = 3_600_000;
    const answered = Date.now();
    // The clock of the API is half an hour ahead.
    const providerTime = answered + hour / 2;
    const rows = [1.4, 0.6, 0.4].map((age, index) => {
      const end = providerTime - age * hour;
      return { period: { start: end - hour, end }, value: index };
    });
    const item = { site_id: '1', site: 'a' };
    const account = accountWith(siteLoadDetail, hour / 2);
    const kept = new KeptPayload({ hours: rows, days: [] }, { answered, providerTime, complete: true });
    account.store.publish('site_load_detail', JSON.stringify(item), [], hour, kept);

    const [sample] = (await figuresOf(account)).samples('hosting_site_load_hourly');

    expect(sample).toEqual({ labels: { account: 'shop', ...item }, value: 1 });
  });

  it('leave out the count of an incomplete list', async () => {
    const account = accountWith(databases);
    const arrival = { answered: Date.now(), providerTime: Date.now(), complete: false };
    account.store.publish('databases', '', [], 60_000, new KeptPayload([{ name: 'a', size: 5 }], arrival));

    const figures = await figuresOf(account);

    expect(figures.value('hosting_databases')).toBeUndefined();
    expect(figures.value('hosting_database_size_bytes')).toBe(5);
  });
});
