import { describe, expect, it } from 'vitest';
import { readAccount } from '../../../src/account-view/account-detail.ts';
import type { ExporterView } from '../../../src/account-view/exporter-view.ts';
import { readOverview } from '../../../src/account-view/overview.ts';
import { adviceFor, reasonTexts } from '../../../src/api/reason-texts.ts';
import { runToEnd } from '../../../src/in-turns.ts';
import { accountPage } from '../../../src/pages/account-page.ts';
import type { PageContext } from '../../../src/pages/context.ts';
import { exporterPage } from '../../../src/pages/exporter-page.ts';
import { formats } from '../../../src/pages/format.ts';
import { textsOf } from '../../../src/pages/language.ts';
import { overviewPage } from '../../../src/pages/overview-page.ts';
import { alertNames } from '../../../src/rules/thresholds.ts';
import { pageContext } from '../../fixtures/page-context.ts';
import { readText } from '../../fixtures/repository.ts';
import { type Figure, viewedAccount } from '../../fixtures/viewed-account.ts';

type Parts = Parameters<typeof viewedAccount>[0];

function accountHtml(parts: Parts, changes: Partial<PageContext> = {}): string {
  const context = pageContext({ path: '/accounts/shop', ...changes });
  const opened = new Set(context.query.getAll('all'));
  return runToEnd(accountPage(context, runToEnd(readAccount(viewedAccount(parts), context.now, opened))));
}

function overviewHtml(list: readonly Parts[], changes: Partial<PageContext> = {}): string {
  const context = pageContext(changes);
  const request = { search: context.query.get('q') ?? '', page: 1 };
  return runToEnd(overviewPage(context, runToEnd(readOverview(list.map(viewedAccount), request, context.now))));
}

/** The visible words. */
function words(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replace(/\s+/g, ' ');
}

const full: readonly Figure[] = [
  ['hosting_account_disk_usage_bytes', 97_000_000_000],
  ['hosting_account_disk_limit_bytes', 100_000_000_000],
];

describe('the overview page', () => {
  it('says first how many accounts need attention', () => {
    const html = words(overviewHtml([{ name: 'full', figures: { account: full } }, { name: 'other' }]));

    expect(html).toContain('1 of 2 accounts needs attention 1 critical 1 OK');
    expect(html).toContain('full critical Disk 97% full 97% 3 GB free of 100 GB unknown unknown unknown unknown');
  });

  it.each([
    [[], 'No accounts are configured'],
    [[{}], 'The account is fine'],
    [[{}, {}], 'All 2 accounts are fine'],
    [[{ polled: false }, {}], 'Waiting for the first poll'],
    [[{ figures: { account: full } }], 'Your account needs attention'],
  ] as const)('of %j says "%s"', (list, headline) => {
    const html = overviewHtml(list);

    expect(html).toContain(`<h1>${headline}</h1>`);
    expect(html).toContain(`<title>${headline}</title>`);
  });

  it('says what the search found, and links to everything', () => {
    const query = new URLSearchParams({ q: 'sh', lang: 'en' });

    const html = overviewHtml([{ name: 'shop' }, { name: 'blog' }], { query });

    expect(words(html)).toContain('1 account with “sh” in the name');
    expect(html).toContain('<a href="/?lang=en">Show all</a>');
    expect(html).toContain('<a href="/accounts/shop?lang=en">');
    expect(html).not.toContain('blog');
  });

  it('says that a reload failed, and links to the page that says why', () => {
    const overview = runToEnd(readOverview([viewedAccount()], { search: '', page: 1 }, Date.now()));
    const pageAfter = (reloadFailed: boolean) => runToEnd(overviewPage(pageContext(), overview, reloadFailed));

    expect(pageAfter(true)).toContain('<a href="/status">The newest reload of the configuration failed</a>');
    expect(pageAfter(false)).not.toContain('reload of the configuration');
  });

  it('links to accounts with any name', () => {
    const html = overviewHtml([{ name: 'a/b?c#d' }, { name: '..' }, { name: '.a' }, { name: 'a..' }]);

    expect(html).toContain('<a href="/accounts/a%2Fb%3Fc%23d">');
    expect(html).toContain('<a href="/accounts?name=..">');
    expect(html).toContain('<a href="/accounts/.a">');
    expect(html).toContain('<a href="/accounts/a..">');
  });

  it('has a search from ten accounts on', () => {
    const pageOf = (count: number) =>
      overviewHtml(Array.from({ length: count }, (_, index) => ({ name: `a${index}` })));

    expect(pageOf(9)).not.toContain('<form');
    expect(pageOf(10)).toContain('<form role="search"');
  });

  it('counts all accounts that need attention', () => {
    const failures = { account: { reason: 'timeout', message: 'no answer', accepted: false } } as const;
    const warning: readonly Figure[] = [
      ['hosting_account_disk_usage_bytes', 90],
      ['hosting_account_disk_limit_bytes', 100],
    ];
    const list = [{ figures: { account: full } }, { figures: { account: warning } }, { failures }, {}];

    expect(words(overviewHtml(list))).toContain('3 of 4 accounts need attention 1 critical 1 warning 1 failing 1 OK');
  });

  it('says that a full disk has no free space', () => {
    const figures: readonly Figure[] = [
      ['hosting_account_disk_usage_bytes', 100],
      ['hosting_account_disk_limit_bytes', 100],
    ];

    expect(words(overviewHtml([{ figures: { account: figures } }]))).toContain('100% 0 B free of 100 B');
  });

  it('has one link per page of accounts', () => {
    const html = overviewHtml(Array.from({ length: 101 }, (_, index) => ({ name: `a${index}` })));

    expect(html.match(/href="\/accounts\//g)).toHaveLength(100);
    expect(html).toContain('<a rel="next" href="/?page=2">Next</a>');
    expect(words(html)).toContain('Page 1 of 2');
  });
});

describe('the page of an account', () => {
  it('shows reason, message and advice of each failing collector', () => {
    const failure = { reason: 'http', message: 'mysql/getList: HTTP status 500', accepted: false } as const;

    const html = words(accountHtml({ failures: { databases: failure, domains: failure } }));

    // Once for all collectors with the same cause.
    expect(html.split(adviceFor('http').replace("'", '&#39;'))).toHaveLength(2);
    expect(html).toContain(`http : ${reasonTexts.http.happened} (databases, domains) `);
    expect(html).toContain(`databases failed Show polls http : ${failure.message} API methods`);
    expect(html).toContain('failing Failing polls: databases, domains');
  });

  it('names the methods to permit, or the section if the API grants permissions per section', () => {
    const refused = { reason: 'permission', message: 'no', accepted: true } as const;

    const ofMethod = accountHtml({
      failures: { account: { ...refused, forbiddenMethod: 'user/getAccountInfo' } },
    });
    const ofSection = accountHtml({ failures: { account: refused } });

    expect(ofMethod).toContain('Permit “user/getAccountInfo” for the API password');
    expect(ofSection).toContain('Tick “account management” for the API password');
  });

  it('quotes messages in the language of the log, and explains their reason in that of the page', () => {
    const failure = { reason: 'auth', message: 'Username/password incorrect', accepted: false } as const;
    const changes = { language: 'ru', texts: textsOf.ru, format: formats.ru } as const;

    const html = accountHtml({ failures: { account: failure } }, changes);

    expect(html).toContain('<q lang="en" dir="auto">Username/password incorrect</q>');
    expect(words(html)).toContain('auth : логин или пароль отклонён (account)');
  });

  it('shows the first of many problems', () => {
    const domains = Array.from({ length: 50 }, (_, index): Figure => {
      return ['hosting_domain_expiry_timestamp_seconds', Date.now() / 1000, { domain: `d${index}.example` }];
    });

    const html = words(accountHtml({ figures: { domains } }));

    expect(html.match(/Domain d\d+\.example expire/g)).toHaveLength(20);
    expect(html).toContain('and 30 more');
  });

  it('says what it cannot know, also if nothing needs attention', () => {
    expect(words(accountHtml({}))).toContain('Nothing needs attention Judged by the newest figures.');
    expect(words(accountHtml({ polled: false }))).toContain('Waiting for the first poll Judged by the newest figures.');
  });

  it('shows DNS records only if they are polled', () => {
    const figures: NonNullable<Parts>['figures'] = {
      domains: [['hosting_domain_auto_renew', 1, { domain: 'shop.example' }]],
      dns: [
        ['hosting_domain_dns_records', 1, { domain: 'shop.example', type: 'A' }],
        ['hosting_domain_dns_records', 2, { domain: 'shop.example', type: 'MX' }],
      ],
    };

    expect(words(accountHtml({ figures, collectors: ['domains', 'dns'] }))).toMatch(/DNS records .* A 1, MX 2 /);
    expect(accountHtml({ figures })).not.toContain('DNS records');
  });

  it('names databases that grew fast', () => {
    const database = { database: 'spam' };
    const yesterday = Date.parse('2026-11-21T00:00:00Z') / 1000;
    const figures: NonNullable<Parts>['figures'] = {
      databases: [['hosting_database_size_bytes', 900_000_000, database]],
      database_load_detail: [
        ['hosting_database_size_daily_bytes', 300_000_000, database],
        ['hosting_database_size_daily_timestamp_seconds', yesterday, database],
      ],
    };

    const html = accountHtml({ figures }, { now: (yesterday + 86_400) * 1000 });

    expect(words(html)).toContain('Grown fast: spam × 3 since 21 Nov 2026');
  });

  it('shows the polls of the collectors in its address, and nothing else', () => {
    const query = new URLSearchParams([
      ['polls', 'account'],
      ['polls', 'domains'],
    ]);

    const html = accountHtml({}, { query });

    expect([...html.matchAll(/<caption class="hidden">Newest polls: (\w+)</g)].map(([, name]) => name)).toEqual([
      'account',
      'domains',
    ]);
    expect(html).toContain('href="/accounts/shop?polls=domains#collector-account"');
    expect(html).toContain('href="/accounts/shop?polls=account&amp;polls=domains&amp;polls=backups#collector-backups"');
  });

  it('says that figures are missing, instead of showing zeros', () => {
    const nothing = words(accountHtml({}));
    const disk = words(accountHtml({ figures: { account: full } }));

    expect(nothing).toContain('Disk used unknown Suspended in unknown Plan load unknown Balance unknown');
    expect(nothing).toContain('There are no figures: no poll has succeeded lately.');
    expect(disk).toContain('lately: site_load, site_load_detail, sites ');
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
    expect(rowsOf(opened)).toHaveLength(300);
    expect(opened).toContain('The first 300 of 350; the metrics have all of them.');
    expect(opened).toContain('<a href="/accounts/shop#databases">Show fewer</a>');
  });
});

it('long tables are rendered row by row, so that other work continues in between', () => {
  const names = Array.from({ length: 300 }, (_, index) => `a${index}`);
  const figures = names.map((name): Figure => ['hosting_database_size_bytes', 1, { database: name }]);
  const account = readAccount(viewedAccount({ figures: { databases: figures } }), Date.now(), new Set(['databases']));
  const overview = readOverview(
    names.map((name) => viewedAccount({ name })),
    { search: '', page: 1 },
    Date.now(),
  );

  expect([...accountPage(pageContext(), runToEnd(account))]).toHaveLength(300);
  expect([...overviewPage(pageContext(), runToEnd(overview))]).toHaveLength(100);
});

const exporter: ExporterView = {
  build: { version: '1.2.3', revision: 'abc', nodeVersion: 'v24.0.0' },
  started: Date.now() - 7_200_000,
  configFile: '/etc/exporter.yml',
  lastReload: { time: Date.now() - 300_000, problems: 'exporter.yml:3: unknown key' },
  webConfig: { file: '/etc/web.yml', lastReload: undefined },
  memory: { resident: 120_000_000, heap: 40_000_000 },
  accounts: 1,
  budgets: [{ name: 'shop', budget: 30, required: 4.5, queue: 7, pause: 60_000, stretch: 1.5 }],
  methods: [{ method: 'mysql/getList', calls: 3, seconds: 0.25 }],
};

describe('the page of the exporter', () => {
  it('shows the reload with its errors, the budgets and the slowest methods', () => {
    const html = words(exporterPage(pageContext({ path: '/status' }), exporter));

    expect(html).toContain('Version 1.2.3 abc, Node.js v24.0.0 Uptime 2 h');
    expect(html).toContain('/etc/exporter.yml');
    expect(html).toContain('Web configuration file: /etc/web.yml Last reload: none since the start');
    expect(html).toContain('failed 5 min ago ; the previous configuration is still in use exporter.yml:3: unknown key');
    expect(html).toContain('shop 30 4.5 7 1 min × 1.5 /metrics shop');
    expect(html).toContain('mysql/getList 0.25 s 3');
  });
});

it.each(alertNames)('docs/pages.md says what the pages show of %s', (alert) => {
  expect(readText('docs/pages.md')).toMatch(new RegExp(`\\b${alert}\\b`));
});

describe('every page', () => {
  const evil = `<img src=x onerror="alert('1')">&`;
  const evilExporter = {
    ...exporter,
    build: { version: evil, revision: evil, nodeVersion: evil },
    configFile: evil,
    lastReload: { time: 0, problems: evil },
    budgets: exporter.budgets.map((budget) => ({ ...budget, name: evil })),
    methods: [{ method: evil, calls: 1, seconds: 1 }],
  };
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

  it.each(['en', 'ru'] as const)('escapes everything from outside, in %s', (language) => {
    const changes = {
      language,
      texts: textsOf[language],
      format: formats[language],
      query: new URLSearchParams(query),
    };
    const pages = [
      overviewHtml([parts], changes),
      accountHtml(parts, changes),
      exporterPage(pageContext(changes), evilExporter),
    ];

    for (const html of pages) {
      expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;');
      expect(html).not.toMatch(/<img|<script| style=|<style|javascript:|https?:\/\//);
    }
  });

  it('is translated completely', () => {
    const [english, russian] = [textsOf.en, textsOf.ru].map((texts) => ({ ...texts, php: '', otherLanguage: '' }));
    for (const [name, text] of Object.entries(english ?? {})) {
      if (typeof text === 'string' && text !== '') expect.soft(russian?.[name as 'plan'], name).not.toBe(text);
    }
  });
});
