import { describe, expect, it } from 'vitest';
import { readAccount } from '../../../../src/pages/view/account-detail.ts';
import { type Figure, resultOf, showFigures, viewedAccount } from '../../../fixtures/viewed-account.ts';

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
          histories: {},
          shareOfLimit: 0.25,
          isFrozen: true,
        },
        {
          id: '8',
          name: 'new',
          mean: undefined,
          hour: undefined,
          histories: {},
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

  it('count entries of lists where the account does not say what counts', () => {
    const { planItems, cronTasksDisabled } = detailOf({
      account: [['hosting_account_databases_limit', 9]],
      databases: [['hosting_databases', 6]],
      mailboxes: [
        ['hosting_mailboxes', 2, { domain: 'a' }],
        ['hosting_mailboxes', 3, { domain: 'b' }],
      ],
      ftp_accounts: [['hosting_ftp_accounts', 7]],
      cron_tasks: [
        ['hosting_cron_tasks', 8, { state: 'enabled' }],
        ['hosting_cron_tasks', 1, { state: 'disabled' }],
      ],
    });

    expect(planItems.slice(2)).toEqual([
      { kind: 'databases', used: 6, limit: 9 },
      { kind: 'mailboxes', used: 5, limit: undefined },
      { kind: 'ftpAccounts', used: 7, limit: undefined },
      { kind: 'cronTasks', used: 8, limit: undefined },
    ]);
    expect(cronTasksDisabled).toBe(1);
  });

  it.each([
    [0, true],
    [1, false],
    [undefined, false],
  ])('tell whether no address receives the output of cron tasks: %s', (value, expected) => {
    const cronEmail = value === undefined ? [] : [['hosting_cron_email_set', value] as const];

    expect(detailOf({ cron_tasks: cronEmail }).lacksCronEmail).toBe(expected);
  });

  it('have the restores and downloads, the newest first', () => {
    const job = (seconds: number, kind: string, operation: string, status: string) =>
      ['hosting_backup_job_last_timestamp_seconds', seconds, { kind, operation, status }] as const;

    const { backupJobs } = detailOf({
      backups: [job(50, 'files', 'download', 'success'), job(70, 'databases', 'restore', 'error')],
    });

    expect(backupJobs).toEqual([
      { kind: 'databases', operation: 'restore', status: 'error', newest: 70_000 },
      { kind: 'files', operation: 'download', status: 'success', newest: 50_000 },
    ]);
  });

  it('have what counts against the plan for mailboxes and FTP accounts', () => {
    const { planItems } = detailOf({
      account: [
        ['hosting_account_mailboxes_used', 4],
        ['hosting_account_mailboxes_limit', 10],
        ['hosting_account_ftp_accounts_used', 2],
        ['hosting_account_ftp_accounts_limit', 3],
      ],
      mailboxes: [['hosting_mailboxes', 5, { domain: 'a' }]],
      ftp_accounts: [['hosting_ftp_accounts', 7]],
    });

    expect(planItems.slice(3, 5)).toEqual([
      { kind: 'mailboxes', used: 4, limit: 10 },
      { kind: 'ftpAccounts', used: 2, limit: 3 },
    ]);
  });

  it('name the plan and the server, and have the money and the server load', () => {
    const detail = detailOf({
      account: [
        ['hosting_account_info', 1, { tariff: 'Blog', server: 'germes' }],
        ['hosting_account_balance', 12.5],
        ['hosting_account_daily_charge', 0.5],
        ['hosting_server_load_average', 1.5],
        ['hosting_server_memory_bytes', 8e9],
        ['hosting_server_memory_used_bytes', 3e9],
        ['hosting_server_uptime_seconds', 60],
        ['hosting_server_software_info', 1, { server: 'germes', software: 'nginx', version: '1.27' }],
      ],
    });

    expect(detail).toMatchObject({
      plan: 'Blog',
      balance: 12.5,
      dailyCharge: 0.5,
      server: {
        name: 'germes',
        loadAverage: 1.5,
        memory: 8e9,
        memoryUsed: 3e9,
        uptimeSeconds: 60,
        software: ['nginx: 1.27'],
      },
    });
    expect(detailOf({})).toMatchObject({ plan: '', server: { name: '' } });
  });

  it('tell when the API answered with the oldest figures of each collector', () => {
    const account = viewedAccount();
    for (const [item, answered] of Object.entries({ a: now - 2000, b: now - 3000, c: now - 1000 })) {
      showFigures(account.store, 'domains', [], { item, answered });
    }

    const { answered } = readAccount(account, now);

    expect(answered).toEqual(new Map([['domains', now - 3000]]));
  });

  it('order databases by their load and then by their size, unknown ones last', () => {
    const { databases } = detailOf({
      databases: [
        ['hosting_database_size_bytes', 10, { database: 'small' }],
        ['hosting_database_size_bytes', 30, { database: 'large' }],
        ['hosting_database_size_bytes', 20, { database: 'loaded' }],
        ['hosting_database_size_bytes', 0, { database: 'empty' }],
        ['hosting_database_remote_accesses', 2, { database: 'loaded' }],
      ],
      database_load: [
        ['hosting_database_load_average', 5, { database: 'loaded' }],
        ['hosting_database_load_average', 5, { database: 'without size' }],
        ['hosting_database_load_average', 0, { database: 'idle' }],
      ],
      database_load_detail: [
        ['hosting_database_load_hourly', 4, { database: 'loaded' }],
        ['hosting_database_load_hourly', 4, { database: 'small' }],
        ['hosting_database_load_hourly_timestamp_seconds', 7200, { database: 'loaded' }],
      ],
    });

    expect(databases.total).toBe(6);
    expect(databases.rows.map(({ name }) => name)).toEqual([
      'loaded',
      'without size',
      'idle',
      'large',
      'small',
      'empty',
    ]);
    expect(databases.rows[0]).toEqual({
      name: 'loaded',
      size: 20,
      mean: 5,
      hour: { value: 4, start: 7_200_000 },
      histories: {},
      remoteAccesses: 2,
    });
    // An hour whose start is unknown is not shown.
    expect(databases.rows[4]).toMatchObject({ name: 'small', hour: undefined });
  });

  it('have the complete days of the sites and databases that are shown', () => {
    const day = 86_400_000;
    const end = Date.parse('2026-06-03T00:00:00Z');
    const providerTime = end + day + 600_000 - 1;
    // The second day is not complete, because it ended less than settling_time ago.
    const rows = (value: number) => [
      { period: { start: end - day, end }, value },
      { period: { start: end, end: end + day }, value: 99 },
    ];
    const account = viewedAccount({
      figures: {
        site_load: [['hosting_site_load_average', 1, { site_id: '7', site: 'a' }]],
        database_load: [['hosting_database_load_average', 1, { database: 'b' }]],
      },
      collectors: ['site_load_detail', 'database_load_detail'],
    });
    const show = (collector: string, item: Readonly<Record<string, string>>, value: number) => {
      const payload = JSON.stringify({ hours: [], days: rows(value), sizeDays: [] });
      account.store.set(collector, JSON.stringify(item), resultOf(account.store, { payload, providerTime }));
    };
    show('site_load_detail', { site_id: '7', site: 'a' }, 11);
    show('database_load_detail', { database: 'b' }, 12);

    const { sites, databases } = readAccount({ ...account, settlingTime: 600_000 }, now);

    expect(sites.rows[0]?.histories?.days?.values.at(-1)).toBe(11);
    expect(databases.rows[0]?.histories?.days?.values.at(-1)).toBe(12);
  });

  it('have no share of a plan whose load limit is zero', () => {
    const { sites } = detailOf({ account: [['hosting_account_load_limit', 0]], site_load: siteLoads(1) });

    expect(sites.rows[0]?.shareOfLimit).toBeUndefined();
  });

  it('join the figures of a domain by its name', () => {
    const ofA = { domain: 'a.example' };
    const ofB = { domain: 'b.example' };
    const expiry = Math.floor(now / 1000) + 100.5 * 86_400;
    const { domains } = detailOf({
      domains: [
        ['hosting_domain_expiry_timestamp_seconds', expiry, ofA],
        ['hosting_domain_expiry_timestamp_seconds', expiry + 1, ofB],
        ['hosting_domain_auto_renew', 1, ofA],
        ['hosting_domain_renewal_info', 1, { ...ofA, status: 'pending' }],
        ['hosting_domain_info', 1, { ...ofA, registrar: 'RU-CENTER', status: 'active' }],
      ],
      sites: [
        ['hosting_site_domain_info', 1, { ...ofA, php_version: '7.4', ssl_status: 'issued' }],
        ['hosting_site_domain_info', 1, { ...ofB, php_version: '8.1', ssl_status: 'none' }],
      ],
      php_versions: [['hosting_domain_php_info', 1, { ...ofA, version: '8.3' }]],
      dns: [
        ['hosting_domain_dns_records', 2, { ...ofA, type: 'MX' }],
        ['hosting_domain_dns_records', 1, { ...ofA, type: 'A' }],
      ],
      mailboxes: [
        ['hosting_mailboxes', 3, ofA],
        ['hosting_mailboxes_forwarding', 2, ofA],
        ['hosting_mailboxes_spam_filter_disabled', 1, ofA],
      ],
    });

    expect(domains).toEqual({
      total: 2,
      rows: [
        {
          name: 'a.example',
          isRegistered: true,
          hasSite: true,
          expiry: { time: expiry * 1000, days: 100, level: 'ok', alert: 'HostingDomainRenewalOverdue' },
          renewsAutomatically: true,
          renewal: 'pending',
          registrar: 'RU-CENTER',
          status: 'active',
          phpVersion: '8.3',
          certificate: 'issued',
          dnsRecords: [
            { type: 'MX', count: 2 },
            { type: 'A', count: 1 },
          ],
          mailboxes: 3,
          forwarding: 2,
          withoutSpamFilter: 1,
        },
        {
          name: 'b.example',
          isRegistered: true,
          hasSite: true,
          expiry: { time: (expiry + 1) * 1000, days: 100, level: 'ok', alert: 'HostingDomainExpiring' },
          renewsAutomatically: undefined,
          renewal: '',
          registrar: '',
          status: '',
          phpVersion: '8.1',
          certificate: 'none',
          dnsRecords: [],
          mailboxes: undefined,
          forwarding: undefined,
          withoutSpamFilter: undefined,
        },
      ],
    });
  });

  it('rate a domain by whether the provider renews it', () => {
    const ofEach = (metric: string, values: readonly (readonly [string, number])[]): readonly Figure[] =>
      values.map(([domain, value]) => [metric, value, { domain }]);
    const inDays = Math.floor(now / 1000) + 10.5 * 86_400;
    const { domains } = detailOf({
      domains: [
        ...ofEach('hosting_domain_expiry_timestamp_seconds', [
          ['manual', inDays],
          ['renewed', inDays],
          ['unknown', inDays],
        ]),
        ...ofEach('hosting_domain_auto_renew', [
          ['manual', 0],
          ['renewed', 1],
          ['no date', 1],
        ]),
      ],
    });

    const rows = domains.rows.map((row) => [row.name, row.renewsAutomatically, row.expiry?.level]);
    expect(rows).toEqual([
      ['manual', false, 'warning'],
      ['renewed', true, 'ok'],
      ['unknown', undefined, 'warning'],
      ['no date', true, undefined],
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

  it('have the most loaded sites, and more of them on request', () => {
    const short = detailOf({ site_load: siteLoads(400) });
    const opened = detailOf({ site_load: siteLoads(400) }, ['sites']);

    expect([short.sites.total, short.sites.rows.length, short.sites.rows[0]?.name]).toEqual([400, 15, 's399']);
    expect(opened.sites.rows).toHaveLength(300);
  });
});
