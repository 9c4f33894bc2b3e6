import { describe, expect, it } from 'vitest';
import { readAccount } from '../../../src/account-view/account-detail.ts';
import { type Figure, viewedAccount } from '../../fixtures/viewed-account.ts';

const now = Date.now();

function detailOf(figures: Readonly<Record<string, readonly Figure[]>>, opened: readonly string[] = []) {
  return readAccount(viewedAccount({ figures, lastSuccess: now }), now, new Set(opened));
}

function siteLoads(count: number): readonly Figure[] {
  return Array.from({ length: count }, (_, index) => [
    'hosting_site_load_average',
    index,
    { site_id: `${index}`, site: `s${index}` },
  ]);
}

describe('the details of an account', () => {
  it('join the figures of a site by its ID', async () => {
    const site = { site_id: '7', site: 'shop "A"' };
    const { sites } = await detailOf({
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

  it('count what counts against the plan, and else the entries of the list', async () => {
    const { planItems } = await detailOf({
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

  it('put domains without a date last', async () => {
    const { domains } = await detailOf({
      domains: [
        ['hosting_domain_auto_renew', 1, { domain: 'b' }],
        ['hosting_domain_auto_renew', 0, { domain: 'a' }],
        ['hosting_domain_expiry_timestamp_seconds', now / 1000 + 9e6, { domain: 'later' }],
        ['hosting_domain_expiry_timestamp_seconds', now / 1000 + 9e5, { domain: 'soon' }],
      ],
    });

    expect(domains.rows.map(({ name }) => name)).toEqual(['soon', 'later', 'a', 'b']);
  });

  it('have the most loaded sites, and more of them on request', async () => {
    const short = await detailOf({ site_load: siteLoads(400) });
    const opened = await detailOf({ site_load: siteLoads(400) }, ['sites']);

    expect([short.sites.total, short.sites.rows.length, short.sites.rows[0]?.name]).toEqual([400, 15, 's399']);
    expect(opened.sites.rows).toHaveLength(300);
  });

  it('let other work continue while they are read', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      turning = setImmediate(count);
    };
    let turning = setImmediate(count);

    await detailOf({ site_load: siteLoads(1000) }, ['sites']);
    clearImmediate(turning);

    // One after each metric with many series, and one for twenty histories each.
    expect(turns).toBeGreaterThanOrEqual(10 + 300 / 20);
  });
});
