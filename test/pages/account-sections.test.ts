import { expect, it } from 'vitest';
import { accountPage } from '../../src/pages/account-page.ts';
import { readAccount } from '../../src/pages/view/account-detail.ts';
import type { Account } from '../../src/polling/account.ts';
import { pageContext } from '../fixtures/page-context.ts';
import { changed, type Figure, resultOf, showFigures, viewedAccount } from '../fixtures/viewed-account.ts';

// The golden pages show the figures of each section. These tests show which figure is preferred, and the order of rows.

const now = Date.now();

function sectionHtml(id: string, account: Account): string {
  const html = accountPage(pageContext({ now }), readAccount(account, now));
  return html.split('</section>').find((section) => section.includes(` id="${id}"`)) ?? '';
}

/** The rows of a section, as words. */
function rowsOf(id: string, figures: Readonly<Record<string, readonly Figure[]>>): readonly string[] {
  const html = sectionHtml(id, viewedAccount({ figures, lastSuccess: now }));
  return [...html.matchAll(/<tr role="row"(?: class="\w+")?><th role="rowheader".*?<\/tr>/gs)].map(([row]) =>
    row
      .replace(/<[^>]+>/g, ' ')
      .replaceAll('\u00a0', ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );
}

it('joins the figures of a site by its ID, under the name that its load has, with the ID if names are equal', () => {
  const site = { site_id: '7', site: 'shop "A"' };

  const rows = rowsOf('sites', {
    account: [['hosting_account_load_limit', 20]],
    site_load: [['hosting_site_load_average', 5, site]],
    site_load_detail: [
      ['hosting_site_load_hourly', 2, site],
      ['hosting_site_load_hourly_timestamp_seconds', 3600, site],
    ],
    sites: [
      ['hosting_site_info', 1, { ...site, site: 'renamed' }],
      ['hosting_site_frozen', 1, { ...site, site: 'renamed' }],
      ...['8', '9', '10'].map(
        (id): Figure => ['hosting_site_info', 1, { site_id: id, site: id === '10' ? '' : 'new' }],
      ),
    ],
  });

  expect(rows).toEqual([
    'shop &quot;A&quot; frozen 5 25% 2 none none',
    'new (8) unknown no limit reported unknown none none',
    'new (9) unknown no limit reported unknown none none',
    '10 unknown no limit reported unknown none none',
  ]);
});

it('shows no share of a plan whose load limit is zero', () => {
  const load: Figure = ['hosting_site_load_average', 1, { site_id: '1', site: 'a' }];

  expect(rowsOf('sites', { account: [['hosting_account_load_limit', 0]], site_load: [load] })).toEqual([
    'a 1 no limit reported unknown none none',
  ]);
});

it('counts what counts against the plan', () => {
  const rows = rowsOf('limits', {
    account: ['sites', 'domains', 'mailboxes', 'ftp_accounts'].map((kind, index) => [
      `hosting_account_${kind}_used`,
      index + 1,
    ]),
    sites: [['hosting_sites', 9]],
    domains: [['hosting_domains', 9]],
    mailboxes: [['hosting_mailboxes', 9, { domain: 'a' }]],
    ftp_accounts: [['hosting_ftp_accounts', 9]],
  });

  const counts = rows.map((row) => row.replace(' no limit reported', ''));
  expect(counts).toEqual([
    'Sites 1',
    'Domains 2',
    'Databases unknown',
    'Mailboxes 3',
    'FTP accounts 4',
    'Cron tasks unknown',
  ]);
});

it.each([
  [2, false],
  [3, true],
])('a plan of three sites with %i sites warns: %s', (used, warns) => {
  const account = [
    ['hosting_account_sites_used', used],
    ['hosting_account_sites_limit', 3],
  ] as const;

  expect(sectionHtml('limits', viewedAccount({ figures: { account } })).includes('warning')).toBe(warns);
});

it('counts the entries of lists if the API does not say what counts against the plan', () => {
  const rows = rowsOf('limits', {
    account: [['hosting_account_databases_limit', 8]],
    sites: [['hosting_sites', 4]],
    domains: [['hosting_domains', 5]],
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

  expect(rows.map((row) => row.replace(' no limit reported', ''))).toEqual([
    'Sites 4',
    'Domains 5',
    'Databases 6 8 75%',
    'Mailboxes 5',
    'FTP accounts 7',
    'Cron tasks 8 and 1 disabled',
  ]);
});

it.each([
  [0, 3, true],
  [0, 0, false],
  [1, 3, false],
  [undefined, 3, false],
])('with cron_email_set %s and %d cron tasks, says that no address receives their output: %s', (set, tasks, says) => {
  const email = set === undefined ? [] : [['hosting_cron_email_set', set] as const];

  const rows = rowsOf('limits', {
    account: [],
    cron_tasks: [...email, ['hosting_cron_tasks', tasks, { state: 'enabled' }]],
  });

  expect(rows.at(-1)?.includes('no e-mail address')).toBe(says);
});

it('shows when the API answered with the oldest figures of a section', () => {
  const account = viewedAccount({ lastSuccess: now });
  for (const [item, hours] of Object.entries({ a: 2, b: 3, c: 1 })) {
    showFigures(account.store, 'domains', [], { item, answered: now - hours * 3_600_000 });
  }

  expect(sectionHtml('domains', account)).toMatch(/Updated <time[^>]+>3\u00a0h ago</);
});

it('orders databases by their load and then by their size, unknown ones last', () => {
  const rows = rowsOf('databases', {
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
      // An hour whose start is unknown is not shown.
      ['hosting_database_load_hourly', 4, { database: 'small' }],
      ['hosting_database_load_hourly_timestamp_seconds', 7200, { database: 'loaded' }],
    ],
  });

  expect(rows).toEqual([
    'loaded 20 B 5 4 2 none none none',
    'without size unknown 5 unknown unknown none none none',
    'idle unknown 0 unknown unknown none none none',
    'large 30 B unknown unknown unknown none none none',
    'small 10 B unknown unknown unknown none none none',
    'empty 0 B unknown unknown unknown none none none',
  ]);
});

it('charts the complete days of sites and databases', () => {
  const day = 86_400_000;
  const end = Date.parse('2026-06-03T00:00:00Z');
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
  });
  const show = (collector: string, item: Readonly<Record<string, string>>, value: number) => {
    const payload = JSON.stringify({ hours: [], days: rows(value), sizeDays: [] });
    const providerTime = end + day + 600_000 - 1;
    account.store.set(collector, JSON.stringify(item), resultOf(account.store, { payload, providerTime }));
  };
  show('site_load_detail', { site_id: '7', site: 'a' }, 11);
  show('database_load_detail', { database: 'b' }, 12);

  const settling = changed(account, { settlingTime: 600_000 });

  expect(sectionHtml('sites', settling)).toContain('highest 11, latest 11');
  expect(sectionHtml('databases', settling)).toContain('highest 12, latest 12');
});

it.each([
  [0, 'none', 'off'],
  [0, 'wle_set', 'off'],
  [0, '', 'off'],
  [1, 'none', 'on no Let’s Encrypt'],
  [1, 'wle_set', 'on Let’s Encrypt'],
  [1, 'renewing', 'on status “renewing”'],
  [1, '', 'on'],
  [undefined, 'wle_set', 'Let’s Encrypt'],
  [undefined, '', 'unknown'],
])('HTTPS follows ssl %j, and its certificate ssl_status %j: %s', (ssl, status, shown) => {
  const rows = rowsOf('domains', {
    sites: [
      ['hosting_site_domain_info', 1, { domain: 'a.example', php_version: '8.4', ssl_status: status }],
      ...(ssl === undefined ? [] : [['hosting_site_domain_https', ssl, { domain: 'a.example' }] as Figure]),
    ],
  });

  expect(rows[0]).toMatch(new RegExp(` 8\\.4 ${shown} unknown$`));
});

it('joins the figures of a domain by its name, orders domains by expiry, and puts those without a date last', () => {
  const [a, b] = [{ domain: 'a.example' }, { domain: 'b.example' }];
  const expiry = Math.floor(now / 1000) + 100 * 86_400;

  const rows = rowsOf('domains', {
    domains: [
      ['hosting_domain_auto_renew', 1, { domain: 'd.example' }],
      ['hosting_domain_auto_renew', 0, { domain: 'c.example' }],
      ['hosting_domain_expiry_timestamp_seconds', expiry + 1, b],
      ['hosting_domain_expiry_timestamp_seconds', expiry, a],
      ['hosting_domain_auto_renew', 1, a],
      ['hosting_domain_renewal_info', 1, { ...a, status: 'pending' }],
      ['hosting_domain_info', 1, { ...a, registrar: 'RU-CENTER', status: 'delegated' }],
    ],
    sites: [
      ['hosting_site_domain_info', 1, { ...a, php_version: '7.4', ssl_status: 'issued' }],
      ['hosting_site_domain_info', 1, { ...b, php_version: '8.1', ssl_status: 'wle_set' }],
    ],
    php_versions: [['hosting_domain_php_info', 1, { ...a, version: '8.3' }]],
    mailboxes: [
      ['hosting_mailboxes', 3, a],
      ['hosting_mailboxes_forwarding', 2, a],
      ['hosting_mailboxes_spam_filter_disabled', 1, a],
    ],
  });

  expect(rows.map((row) => row.replace(/in 100 days \d+ \w+ \d+/, 'DATE'))).toEqual([
    'a.example DATE automatic renewal ordered RU-CENTER delegated 8.3 status “issued” 3 2 forwarding 1 without spam filter',
    'b.example DATE unknown unknown 8.1 no more security fixes Let’s Encrypt —',
    'c.example — — — — — —',
    'd.example — automatic — — — —',
  ]);
});
