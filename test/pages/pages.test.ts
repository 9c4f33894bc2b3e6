import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { reasonAdvice } from '../../src/api/error.ts';
import { accountPage } from '../../src/pages/account-page.ts';
import type { PageContext } from '../../src/pages/context.ts';
import { exporterPage } from '../../src/pages/exporter-page.ts';
import { formatOf } from '../../src/pages/format.ts';
import { textsOf } from '../../src/pages/language.ts';
import { overviewPage } from '../../src/pages/overview-page.ts';
import { readAccount } from '../../src/pages/view/account-detail.ts';
import { readOverview } from '../../src/pages/view/overview.ts';
import { dailyMemory } from '../fixtures/daily-memory.ts';
import { busyBudget, exporterView } from '../fixtures/exporter-view.ts';
import { pageContext } from '../fixtures/page-context.ts';
import { fakeDate } from '../fixtures/polled-account.ts';
import { readText } from '../fixtures/repository.ts';
import { type Figure, viewedAccount } from '../fixtures/viewed-account.ts';
import { alertNames } from '../rules/rule-file.ts';

type Parts = Parameters<typeof viewedAccount>[0];

const working = { reloadFailed: () => false, otherAccounts: () => 0 };

function accountHtml(parts: Parts, changes: Partial<PageContext> = {}): string {
  const context = pageContext({ path: '/accounts/shop', ...changes });
  return accountPage(context, readAccount(viewedAccount(parts), context.now));
}

async function overviewHtml(list: readonly Parts[], changes: Partial<PageContext> = {}): Promise<string> {
  const context = pageContext(changes);
  return overviewPage(
    context,
    await readOverview(
      list.map((parts) => viewedAccount(parts)),
      context.query,
      context.now,
    ),
    working,
  );
}

/** The visible words. */
function words(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replace(/\s+/g, ' ');
}

const full: readonly Figure[] = [
  ['hosting_account_disk_usage_bytes', 98_000_000_000],
  ['hosting_account_disk_limit_bytes', 100_000_000_000],
];

it.each<[Parameters<typeof dailyMemory>[0]['lists'], string]>([
  [{}, 'There are no earlier sizes to compare with yet.'],
  [{ 1: { databases: { a: 2e9 } } }, 'Fastest growth in 1 day: e (+5 GB), a (+1 GB), b (+400 MB).'],
  [{ 1: { databases: {} }, 7: { databases: { a: 3e9, b: 1e9, c: 1e9, e: 9e9 } } }, 'No database has grown in 7 days.'],
])('under a full disk with the memory %j says: %s', (lists = {}, expected) => {
  const sizes = { a: 3e9, b: 0.4e9, c: 0.1e9, e: 5e9 };
  const databases: readonly Figure[] = [
    ['hosting_databases', 4],
    ...Object.entries(sizes).map(([database, size]): Figure => ['hosting_database_size_bytes', size, { database }]),
  ];
  const now = Date.parse('2026-06-03T12:00:00Z');
  const memory = dailyMemory({ date: '2026-06-03', disk: [98e9], lists });

  expect(words(accountHtml({ memory, figures: { account: full, databases } }, { now }))).toContain(
    `Largest databases: e (5 GB), a (3 GB), b (400 MB). ${expected}`,
  );
});

describe('the overview page', () => {
  it('says first how many accounts need attention', async () => {
    const html = words(await overviewHtml([{ name: 'full', figures: { account: full } }, { name: 'other' }]));

    expect(html).toContain(
      '1 of 2 accounts needs attention 1 critical 1 OK What to do Today critical Disk 98% full full Free space: ',
    );
    expect(html).toContain(
      'full critical Disk 98% full 98% 2 GB free of 100 GB not reported collector disabled none none',
    );
    expect(html).not.toMatch(/Within a week|Later/);
  });

  it('says what to do by the day on which it hurts, once for each problem', async () => {
    fakeDate('2026-06-03T20:00Z');
    const domains = (...dates: readonly string[]): Readonly<Record<string, readonly Figure[]>> => ({
      domains: dates.map((date) => [
        'hosting_domain_expiry_timestamp_seconds',
        Date.parse(date) / 1000,
        { domain: `${date.slice(5, 10)}.example` },
      ]),
    });
    const accounts: readonly Parts[] = [
      { name: 'tokyo', timeZone: 'Asia/Tokyo', figures: domains('2026-06-04T00:00+09:00') },
      {
        name: 'berlin',
        timeZone: 'Europe/Berlin',
        figures: domains('2026-06-04T00:00+02:00', '2026-06-10T00:00+02:00'),
      },
      {
        name: 'rome',
        timeZone: 'Europe/Rome',
        figures: domains('2026-06-05', '2026-06-06', '2026-06-07', '2026-06-12'),
      },
    ];

    const diaryWith = async (query: string) => {
      const html = words(await overviewHtml(accounts, { query: new URLSearchParams(query) }));
      return html
        .split(/What to do|What comes next/)[1]
        ?.replaceAll(' Ask the owner whether the domain is still needed.', '');
    };

    expect(await diaryWith('')).toBe(
      ' Today critical Domain 06-04.example expires today tokyo' +
        ' Within a week critical Domain 06-04.example expires tomorrow berlin' +
        ' critical Domain 06-05.example expires in 2 days rome' +
        ' critical Domain 06-06.example expires in 3 days rome and 2 more' +
        ' Later warning Domain 06-12.example expires in 9 days rome ',
    );
    expect(await diaryWith('all=week&sort=disk')).toContain(
      ' critical Domain 06-07.example expires in 4 days rome critical Domain 06-10.example expires in 7 days berlin Later',
    );
    expect(await diaryWith('q=tokyo')).toBe(' Today critical Domain 06-04.example expires today tokyo ');
  });

  it('says what comes next, for many accounts by week and cause', async () => {
    const now = Date.parse('2026-11-28T10:00Z');
    const paid = (name: string, days: number, more: Parts = {}): Parts => ({
      ...{ name, labels: { customer: `customer ${days % 3}` }, ...more },
      figures: { account: [['hosting_account_block_timestamp_seconds', now / 1000 + days * 86_400]], ...more?.figures },
    });
    const domains: readonly Figure[] = [
      ['hosting_domain_expiry_timestamp_seconds', now / 1000 + 20 * 86_400, { domain: 'a.example' }],
      ['hosting_domain_expiry_timestamp_seconds', now / 1000 + 21 * 86_400, { domain: 'b.example' }],
      ['hosting_domain_auto_renew', 1, { domain: 'b.example' }],
      ['hosting_domain_expiry_timestamp_seconds', now / 1000 + 61 * 86_400, { domain: 'c.example' }],
    ];
    const php: Figure = ['hosting_site_domain_info', 1, { domain: 'a.example', php_version: '8.2' }];
    const shop = paid('shop', 59, { labels: { customer: 'acme' }, figures: { domains, sites: [php] } });
    const comingIn = async (list: readonly Parts[], query = '') => {
      const html = await overviewHtml(list, { now, query: new URLSearchParams(query) });
      return words(html)
        .split(/What comes next|Account, site| Money/)[1]
        ?.replaceAll('\u2009', ' ');
    };

    expect((await comingIn([shop]))?.split(' Accounts')[0]).toBe(
      ' 18 Dec 2026: shop domain a.example expires Renew by hand 19 Dec 2026: shop domain b.example expires Renews automatically' +
        ' 31 Dec 2026: shop last security fixes of PHP 8.2: a.example 26 Jan 2027: shop payment due',
    );
    const many = [shop, ...Array.from({ length: 30 }, (_, index) => paid(`account ${index}`, 10 + (index % 4)))];
    const folded = await comingIn(many);
    expect(folded).toMatch(
      /^ 7 – 13 Dec 2026 Payment due: 30 accounts, 3 customers 8 Dec 2026: account 0 payment due 8 Dec 2026: account 4 .* and 10 more 14 – 20 Dec 2026 18 Dec 2026: shop domain a/,
    );
    expect(await comingIn(many, 'all=coming-20794-payment')).not.toContain('and 10 more');
    expect(await comingIn(many, 'label_customer=acme')).not.toContain('account 0');
  });

  it.each([
    [[], 'No accounts are configured'],
    [[{}], 'The account is fine'],
    [[{}, {}], 'Both accounts are fine'],
    [[{}, {}, {}], 'All 3 accounts are fine'],
    [[{ polled: false }, {}], 'Waiting for the first poll'],
    [[{ missing: { domains: 1 } }, {}], '1 of 2 accounts needs attention'],
    [
      [{ failures: { domains: { reason: 'permission', message: '', accepted: true } } }],
      'Your account needs attention',
    ],
    [[{ figures: { account: full } }], 'Your account needs attention'],
  ] as const)('of %j says "%s"', async (list, headline) => {
    const html = await overviewHtml(list);

    expect(html).toContain(`<h1>${headline}</h1>`);
    expect(html).toContain(`<title>${headline} · hosting-account-exporter</title>`);
  });

  it('says that the flags select no account', async () => {
    const overview = await readOverview([], new URLSearchParams(), Date.now());
    const others = { ...working, otherAccounts: () => 3 };
    const inRussian = pageContext({ language: 'ru', texts: textsOf.ru, format: formatOf('ru', 'UTC') });

    expect(overviewPage(pageContext(), overview, others)).toContain(
      '<h1>0 of 3 configured accounts are selected for this exporter</h1>',
    );
    expect(overviewPage(inRussian, overview, others)).toContain(
      '<h1>Для этого экспортёра не выбран ни один из настроенных аккаунтов (3)</h1>',
    );
  });

  it('links to accounts with any name', async () => {
    const html = await overviewHtml([{ name: 'a/b?c#d' }, { name: '..' }, { name: '.a' }, { name: 'a..' }]);

    expect(html).toContain('<a href="/accounts/a%2Fb%3Fc%23d">');
    expect(html).toContain('<a href="/accounts?name=..">');
    expect(html).toContain('<a href="/accounts/.a">');
    expect(html).toContain('<a href="/accounts/a..">');
  });

  it('says what else than the name matches', async () => {
    const figures: NonNullable<Parts>['figures'] = {
      sites: [['hosting_site_info', 1, { site_id: '1', site: 'Teapots' }]],
      databases: ['tea_1', 'tea_2', 'tea_3', 'tea_4', 'cups'].map((database) => [
        'hosting_database_size_bytes',
        1,
        { database },
      ]),
      domains: [['hosting_domain_expiry_timestamp_seconds', Date.now() / 1000 + 3e7, { domain: 'tea.example' }]],
    };
    const list = [{ name: 'shop', labels: { customer: 'Tea & Co' }, figures }, { name: 'my-tea' }, { name: 'blog' }];

    const html = words(await overviewHtml(list, { query: new URLSearchParams({ q: 'TEA' }) }));

    expect(html).toContain('2 accounts match “TEA”');
    expect(html).toContain(
      'shop OK customer: Tea &amp; Co Database: tea_1, tea_2, tea_3 and 1 more Domain: tea.example Site: Teapots ',
    );
    expect(html).toContain('my-tea OK not reported');
  });

  it('has a search from three accounts on, which keeps the other parameters', async () => {
    const query = new URLSearchParams('lang=en&state=ok&sort=disk&page=2&q=');
    const pageOf = (count: number) =>
      overviewHtml(
        Array.from({ length: count }, (_, index) => ({ name: `a${index}` })),
        { query },
      );

    expect(await pageOf(2)).not.toContain('<form');
    expect(
      [...(await pageOf(3)).matchAll(/type="hidden" name="(\w+)" value="(\w+)"/g)].map(([, ...pair]) => pair),
    ).toEqual([
      ['lang', 'en'],
      ['state', 'ok'],
      ['sort', 'disk'],
    ]);
  });

  const grouped: readonly Parts[] = [
    { name: 'a', labels: { team: 'x', customer: 'acme' } },
    { name: 'b', labels: { customer: 'acme' } },
    { name: 'full', labels: { customer: 'beta' }, figures: { account: full } },
    { name: 'c', labels: { customer: 'beta' } },
    { name: 'd' },
  ];

  it.each([
    ['all=acme', / acme 2 a OK .* b OK /],
    ['group=team', /Group by: .* none .* no team 4 · 3 OK \( b, c, d \) Show all full .* x 1 · 1 OK \( a \) Show all/],
    ['group=none', / full critical .* a OK .* b OK .* c OK .* d OK /],
    ['group=unknown', / beta 2 .* acme 2 · 2 OK \(/],
    ['sort=disk', / Disk used ↓ .* full critical .* a OK .* d OK /],
    ['sort=-account', / Account ↑ .* full critical .* d OK .* c OK .* b OK .* a OK /],
    ['sort=-account&group=customer', / beta 2 full .* c OK .* no customer 1 d OK .* acme 2 b OK .* a OK /],
    ['sort=unknown', / beta 2 · 1 OK \( c \) Show all full critical /],
    ['label_customer=acme', / 2 accounts match “customer: acme” · Show all .* acme 2 a OK .* b OK /],
    ['label_customer=', / 1 account matches “no customer” · Show all .* d OK /],
    ['label_constructor=x', / No account matches “constructor: x” · Show all /],
    ['state=critical', / 1 account matches “critical” .* beta 1 full critical/],
    ['state=ok&state=critical', / 5 accounts match “critical”, “OK” .* acme 2 a OK .* b OK /],
    ['state=unknown&page=-1', / beta 2 · 1 OK \( c \) Show all full critical .* acme 2 · 2 OK \(/],
    ['state=warning&q=a', / No account matches “a”, “warning” /],
  ])('with ?%s shows the accounts that the address requests', async (query, expected) => {
    expect(words(await overviewHtml(grouped, { query: new URLSearchParams(query) }))).toMatch(expected);
  });

  it('links from each state to its accounts, and back', async () => {
    expect(await overviewHtml([{}, {}])).toContain('<a class="badge ok" href="/?state=ok">2 OK</a>');
    expect(await overviewHtml([{}, {}], { query: new URLSearchParams('state=ok&page=3') })).toContain(
      '<a class="badge ok" href="/" aria-current="true">2 OK</a>',
    );
  });

  it('has one link per page of accounts', async () => {
    const html = await overviewHtml(Array.from({ length: 101 }, (_, index) => ({ name: `a${index}` })));

    expect(html.match(/href="\/accounts\//g)).toHaveLength(100);
    expect(html).toContain('<a rel="next" href="/?page=2">Next</a>');
    expect(words(html)).toContain('Page 1 of 2');
  });
});

describe('the page of an account', () => {
  it('shows reason, message and advice of each failing collector', () => {
    const failure = {
      reason: 'http',
      status: 500,
      message: 'mysql/getList: HTTP status 500',
      accepted: false,
    } as const;

    const html = words(accountHtml({ failures: { databases: failure, domains: failure } }));

    // Once for all collectors with the same cause.
    expect(html.split(reasonAdvice.method)).toHaveLength(2);
    expect(html).toContain(
      'partially monitored The API returned HTTP 500: databases, domains Wait. If the error remains, ask the provider.',
    );
    expect(html).toContain(`databases failed http : The API returned an HTTP error. ${failure.message} API methods`);
  });

  it('says once why a whole account fails, and when the next attempt is', () => {
    const failure = { reason: 'auth', message: 'Username/password incorrect', accepted: false } as const;
    const failures = { account: failure, databases: failure, domains: failure, backups: failure };
    const nextAttempt = Date.parse('2026-06-03T12:00:05Z');

    const html = words(accountHtml({ failures, nextAttempt, timeZone: 'Europe/Moscow' }));

    const [above = ''] = html.split('Collectors');
    expect(above.split('The API rejects the login or password')).toHaveLength(2);
    expect(above.split('Username/password incorrect')).toHaveLength(2);
    expect(html).toContain('Next attempt: 3 Jun 2026, 15:00:05 GMT+3');
  });

  it('names the lines of the configuration that disable collectors without permission', () => {
    const refused = { reason: 'permission', message: 'no', accepted: true } as const;
    const failures = { domains: refused, backups: { ...refused, forbiddenMethod: 'backup/getFileList' } } as const;

    const html = accountHtml({ name: 'shop: "a"', failures });

    const [, yaml = ''] = /<pre[^>]*>([^<]*)<\/pre>/.exec(html) ?? [];
    expect(parse(yaml.replaceAll('&quot;', '"'))).toEqual({
      accounts: [{ name: 'shop: "a"', collectors: { domains: { enabled: false }, backups: { enabled: false } } }],
    });
    expect(words(html)).toContain('Allow “backup/getFileList” for the API password');
    expect(words(html)).toContain('Tick “account management” for the API password');
  });

  it('says once what to do about several domains, and for each alert about them', () => {
    const expiry = (days: number, domain: string): Figure => [
      'hosting_domain_expiry_timestamp_seconds',
      Date.now() / 1000 + days * 86_400,
      { domain },
    ];
    const domains = [
      expiry(2.5, 'a.example'),
      expiry(3.5, 'b.example'),
      expiry(1.5, 'c.example'),
      expiry(-2, 'd.example'),
      ['hosting_domain_auto_renew', 1, { domain: 'c.example' }] as const,
    ];

    const html = accountHtml({ figures: { domains } });

    expect([...html.matchAll(/<details id="steps-(\w+)"/g)].map(([, alert]) => alert).toSorted()).toEqual([
      'HostingDomainExpired',
      'HostingDomainExpiring',
      'HostingDomainRenewalOverdue',
    ]);
  });

  it('names domains that expire on the same day in one line', () => {
    const domains = Array.from({ length: 5 }, (_, index): Figure => {
      return ['hosting_domain_expiry_timestamp_seconds', Date.now() / 1000, { domain: `d${index}.example` }];
    });

    const html = words(accountHtml({ figures: { domains } }));

    expect(html).toContain('Domains expire today: d0.example, d1.example, d2.example and 2 more What to do');
  });

  it('shows the first rows of a long table, and all of them on request', () => {
    const sizes = Array.from({ length: 350 }, (_, index): Figure => {
      return ['hosting_database_size_bytes', index, { database: `db${index}` }];
    });
    const rowsOf = (html: string) => html.match(/<bdi>db\d+<\/bdi>/g);

    const short = accountHtml({ figures: { databases: sizes } });
    const query = new URLSearchParams({ all: 'databases' });
    const opened = accountHtml({ figures: { databases: sizes } }, { query });

    expect(rowsOf(short)).toHaveLength(15);
    expect(short).toContain('<bdi>db349</bdi>');
    expect(short).toContain('<a href="/accounts/shop?all=databases#databases">Show all 350</a>');
    expect(rowsOf(opened)).toHaveLength(350);
    expect(opened).toContain('<a href="/accounts/shop#databases">Show fewer</a>');
  });
});

it('docs/pages.md names only alerts that exist', () => {
  const named = readText('docs/pages.md').match(/\bHosting[A-Z]\w+/g) ?? [];

  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !alertNames.includes(name))).toEqual([]);
});

describe('every page', () => {
  const evil = `<img src=x onerror="alert('1')">&`;
  const evilExporter = exporterView(Date.now(), {
    build: { version: evil, revision: evil, nodeVersion: evil },
    configFile: evil,
    lastReload: { time: 0, problems: evil },
    budgets: [busyBudget(evil)],
  });
  const labels = { database: evil, domain: evil, site: evil, site_id: evil, registrar: evil, status: evil, kind: evil };
  const parts: Parts = {
    name: evil,
    collectors: ['account', 'databases', 'domains', 'site_load', 'backups'],
    failures: { account: { reason: 'api', message: evil, accepted: true } },
    figures: {
      account: [['hosting_account_info', 1, { tariff: evil, server: evil }]],
      databases: [['hosting_database_size_bytes', 1, labels]],
      domains: [
        ['hosting_domain_info', 1, labels],
        ['hosting_domain_expiry_timestamp_seconds', 1, labels],
      ],
      site_load: [['hosting_site_load_average', 1, labels]],
      backups: [['hosting_backup_last_timestamp_seconds', 1, labels]],
    },
  };
  const query = new URLSearchParams({ q: evil, polls: 'account', x: evil });

  it.each(['en', 'ru'] as const)('escapes everything from outside, in %s', async (language) => {
    const changes = {
      language,
      texts: textsOf[language],
      format: formatOf(language, 'UTC'),
      query: new URLSearchParams(query),
    };
    const pages = [
      await overviewHtml([parts], changes),
      accountHtml(parts, changes),
      exporterPage(pageContext(changes), evilExporter),
    ];

    for (const html of pages) {
      expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;');
      expect(html).not.toMatch(/<img|<script(?! src="\/style\/)| style=|<style|javascript:|https?:\/\//);
    }
  });

  it('is translated completely', () => {
    const [english, russian] = [textsOf.en, textsOf.ru].map((texts) => ({ ...texts, php: '', otherLanguage: '' }));
    for (const [name, text] of Object.entries(english ?? {})) {
      if (typeof text === 'string' && text !== '') expect.soft(russian?.[name as 'plan'], name).not.toBe(text);
      // A function without named parameters fills in a text.
      if (typeof text !== 'function' || text.length > 0) continue;
      const fill = (one: unknown) => (one as (...values: string[]) => string)('<1>', '<2>', '<3>', '<4>', '<5>');
      const filledIn = (words: string) => words.match(/<\d>/g)?.toSorted();
      expect.soft(filledIn(fill(russian?.[name as 'plan'])), name).toEqual(filledIn(fill(text)));
    }
  });
});
