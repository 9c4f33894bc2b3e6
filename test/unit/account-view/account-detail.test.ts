import { describe, expect, it } from 'vitest';
import { readAccount } from '../../../src/account-view/account-detail.ts';
import { runToEnd } from '../../../src/in-turns.ts';
import { type Figure, viewedAccount } from '../../fixtures/viewed-account.ts';

const now = Date.now();

function detailOf(figures: Readonly<Record<string, readonly Figure[]>>, opened: readonly string[] = []) {
  return runToEnd(readAccount(viewedAccount({ figures, lastSuccess: now }), now, new Set(opened)));
}

function siteLoads(count: number): readonly Figure[] {
  return Array.from({ length: count }, (_, index) => [
    'hosting_site_load_average',
    index,
    { site_id: `${index}`, site: `s${index}` },
  ]);
}

describe('the details of an account', () => {
  it('join the figures of a site by its ID', () => {
    const site = { site_id: '7', site: 'shop "A"' };
    const { sites } = detailOf({
      account: [['hosting_account_load_limit', 20]],
      site_load: [['hosting_site_load_average', 5, site]],
      site_load_detail: [
        ['hosting_site_load_hourly', 2, site],
        ['hosting_site_load_hourly_timestamp_seconds', 3600, site],
      ],
      sites: [
        ['hosting_site_info', 1, { ...site, site: 'renamed' }],
        ['hosting_site_frozen', 1, { ...site, site: 'renamed' }],
        ['hosting_site_info', 1, { site_id: '8', site: 'new' }],
      ],
    });

    expect(sites).toEqual({
      total: 2,
      rows: [
        {
          id: '7',
          name: 'shop "A"',
          mean: 5,
          hour: { value: 2, start: 3_600_000 },
          histories: undefined,
          shareOfLimit: 0.25,
          isFrozen: true,
        },
        {
          id: '8',
          name: 'new',
          mean: undefined,
          hour: undefined,
          histories: undefined,
          shareOfLimit: undefined,
          isFrozen: false,
        },
      ],
    });
  });

  it('count what counts against the plan, and else the entries of the list', () => {
    const { planItems } = detailOf({
      account: [
        ['hosting_account_sites_used', 3],
        ['hosting_account_sites_limit', 10],
      ],
      sites: [['hosting_sites', 4]],
      domains: [['hosting_domains', 5]],
    });

    expect(planItems.slice(0, 3)).toEqual([
      { kind: 'sites', used: 3, limit: 10 },
      { kind: 'domains', used: 5, limit: undefined },
      { kind: 'databases', used: undefined, limit: undefined },
    ]);
  });

  it('put domains without a date last', () => {
    const { domains } = detailOf({
      domains: [
        ['hosting_domain_auto_renew', 1, { domain: 'b' }],
        ['hosting_domain_auto_renew', 0, { domain: 'a' }],
        ['hosting_domain_expiry_timestamp_seconds', now / 1000 + 9e6, { domain: 'later' }],
        ['hosting_domain_expiry_timestamp_seconds', now / 1000 + 9e5, { domain: 'soon' }],
      ],
    });

    expect(domains.rows.map(({ name }) => name)).toEqual(['soon', 'later', 'a', 'b']);
  });

  it('have the databases that reach the threshold of HostingDatabaseGrewFast', () => {
    const sizes = (metric: string, values: readonly number[]): readonly Figure[] =>
      values.map((value, index) => [metric, value, { database: `db${index}` }]);
    const yesterday = now / 1000 - 1.5 * 86_400;
    const { grownDatabases } = detailOf({
      databases: sizes('hosting_database_size_bytes', [3e8, 1.4e8, 9e7, 2e8, 2e8]),
      database_load_detail: [
        ...sizes('hosting_database_size_daily_bytes', [1e8, 1e8, 1e7, 1e8, 0]),
        ...sizes('hosting_database_size_daily_timestamp_seconds', [yesterday, yesterday, yesterday, 0, yesterday]),
      ],
    });

    // Of the others, one grew slowly, one is small, one has an old size, and one was empty.
    expect(grownDatabases).toEqual([{ name: 'db0', times: 3, since: yesterday * 1000 }]);
  });

  it('have the most loaded sites, and more of them on request', () => {
    const short = detailOf({ site_load: siteLoads(400) });
    const opened = detailOf({ site_load: siteLoads(400) }, ['sites']);

    expect([short.sites.total, short.sites.rows.length, short.sites.rows[0]?.name]).toEqual([400, 15, 's399']);
    expect(opened.sites.rows).toHaveLength(300);
  });

  it('are read in small steps, however large the account is', () => {
    const count = 5000;
    const ofEach = (metric: string, label: string) =>
      Array.from(
        { length: count },
        (_, index): Figure => [metric, index + now / 1000, { [label]: `${label} ${index}` }],
      );
    const account = viewedAccount({
      figures: {
        site_load: siteLoads(count),
        databases: ofEach('hosting_database_size_bytes', 'database'),
        domains: ofEach('hosting_domain_expiry_timestamp_seconds', 'domain'),
      },
    });

    const steps = [...readAccount(account, now, new Set(['sites', 'databases', 'domains']))];

    expect(Math.max(...steps)).toBeLessThanOrEqual(2000);
    expect(steps.reduce((sum, work) => sum + work, 0)).toBeGreaterThan(5 * count);
  });
});
