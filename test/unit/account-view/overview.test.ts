import { describe, expect, it, vi } from 'vitest';
import { type Overview, readOverview } from '../../../src/account-view/overview.ts';
import { runToEnd } from '../../../src/in-turns.ts';
import { viewedAccount } from '../../fixtures/viewed-account.ts';

const now = Date.now();

function withDisk(name: string, percent: number, onStatus = () => {}) {
  const figures = [
    ['hosting_account_disk_usage_bytes', percent],
    ['hosting_account_disk_limit_bytes', 100],
  ] as const;
  return viewedAccount({ name, onStatus, figures: { account: figures }, lastSuccess: now });
}

const namesOf = ({ accounts }: Overview) => accounts.map(({ name }) => name);

describe('the overview', () => {
  it('lists the most urgent accounts first, then by name', () => {
    const accounts = [
      withDisk('site 10', 10),
      withDisk('site 9', 10),
      withDisk('b', 86),
      viewedAccount({ name: 'new', polled: false }),
      withDisk('a', 87),
      viewedAccount({ name: 'down', failures: { account: { reason: 'network', message: '', accepted: false } } }),
      withDisk('z', 99),
    ];

    const overview = runToEnd(readOverview(accounts, { search: '', page: 1 }, now));

    expect(namesOf(overview)).toEqual(['z', 'a', 'b', 'down', 'new', 'site 9', 'site 10']);
    expect(overview.counts).toEqual({ critical: 1, warning: 2, failing: 1, waiting: 1, ok: 2 });
  });

  it('finds accounts by part of their name, in any case and script', () => {
    const accounts = ['Магазин', 'shop-one', 'SHOP-two', 'blog'].map((name) => withDisk(name, 10));

    const found = (search: string) => namesOf(runToEnd(readOverview(accounts, { search, page: 1 }, now)));

    expect(found('ShOp')).toEqual(['shop-one', 'SHOP-two']);
    expect(found('МАГ')).toEqual(['Магазин']);
    expect(found('nothing')).toEqual([]);
  });

  it('counts all accounts, even if the search finds few', () => {
    const accounts = [withDisk('a', 99), withDisk('b', 10)];

    const overview = runToEnd(readOverview(accounts, { search: 'b', page: 1 }, now));

    expect(overview).toMatchObject({ total: 2, found: 1, pages: 1, counts: { critical: 1, ok: 1 } });
  });

  it.each([
    [1, 1, 'a000', 100],
    [3, 3, 'a200', 50],
    [99, 3, 'a200', 50],
  ])('shows for page %d of 250 accounts page %d', (page, shown, first, count) => {
    const accounts = Array.from({ length: 250 }, (_, index) => withDisk(`a${String(index).padStart(3, '0')}`, 10));

    const overview = runToEnd(readOverview(accounts, { search: '', page }, now));

    expect(overview).toMatchObject({ page: shown, pages: 3 });
    expect(namesOf(overview)).toHaveLength(count);
    expect(namesOf(overview)[0]).toBe(first);
  });

  it('reads each figure of each account once, and no figure that it does not show', () => {
    const accounts = ['a', 'b', 'c'].map((name) => withDisk(name, 10));
    const reads = accounts.map(({ store }) => vi.spyOn(store, 'lines'));
    const payloads = accounts.map(({ store }) => vi.spyOn(store, 'payload'));

    runToEnd(readOverview(accounts, { search: 'a', page: 1 }, now));

    for (const { mock } of reads) {
      const metrics = mock.calls.map(([, metric]) => metric);
      expect(metrics.length).toBeLessThanOrEqual(12);
      expect(metrics).toEqual([...new Set(metrics)]);
    }
    expect(payloads.map(({ mock }) => mock.calls)).toEqual(accounts.map(() => [['account', '']]));
  });

  it('is read in small steps, with at least one per account, and computes no schedules', () => {
    let statuses = 0;
    const accounts = Array.from({ length: 1000 }, (_, index) =>
      withDisk(`a${index}`, 10, () => {
        statuses += 1;
      }),
    );
    const domains = Array.from({ length: 5000 }, (_, index) => {
      return ['hosting_domain_expiry_timestamp_seconds', now / 1000, { domain: `d${index}` }] as const;
    });

    const all = [...accounts, viewedAccount({ name: 'big', figures: { domains } })];
    const steps = [...readOverview(all, { search: '', page: 1 }, now)];

    expect(steps.length).toBeGreaterThan(1000);
    expect(Math.max(...steps)).toBeLessThanOrEqual(2000);
    expect(statuses).toBe(0);
  });
});
