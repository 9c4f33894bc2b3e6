import { describe, expect, it } from 'vitest';
import { readAccount } from '../../../src/account-view/account-detail.ts';
import type { ExporterView } from '../../../src/account-view/exporter-view.ts';
import { readOverview } from '../../../src/account-view/overview.ts';
import { adviceFor } from '../../../src/api/reason-texts.ts';
import { accountPage } from '../../../src/pages/account-page.ts';
import type { PageContext } from '../../../src/pages/context.ts';
import { exporterPage } from '../../../src/pages/exporter-page.ts';
import { formats } from '../../../src/pages/format.ts';
import { textsOf } from '../../../src/pages/language.ts';
import { overviewPage } from '../../../src/pages/overview-page.ts';
import { pageContext } from '../../fixtures/page-context.ts';
import { type Figure, viewedAccount } from '../../fixtures/viewed-account.ts';

type Parts = Parameters<typeof viewedAccount>[0];

async function accountHtml(parts: Parts, changes: Partial<PageContext> = {}): Promise<string> {
  const context = pageContext({ path: '/accounts/shop', ...changes });
  const opened = new Set(context.query.getAll('all'));
  return accountPage(context, await readAccount(viewedAccount(parts), context.now, opened));
}

async function overviewHtml(list: readonly Parts[], changes: Partial<PageContext> = {}): Promise<string> {
  const context = pageContext(changes);
  const request = { search: context.query.get('q') ?? '', page: 1 };
  return overviewPage(context, await readOverview(list.map(viewedAccount), request, context.now));
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
  it('says first how many accounts need attention', async () => {
    const html = words(await overviewHtml([{ name: 'full', figures: { account: full } }, { name: 'other' }]));

    expect(html).toContain('1 of 2 accounts needs attention 1 critical 1 OK');
    expect(html).toContain('full critical Disk 97% full 97% 3 GB free of 100 GB unknown unknown unknown unknown');
  });

  it.each([
    [[], 'No accounts are configured'],
    [[{}], 'The account is fine'],
    [[{}, {}], 'All 2 accounts are fine'],
    [[{ polled: false }, {}], 'Waiting for the first poll'],
    [[{ figures: { account: full } }], 'Your account needs attention'],
  ] as const)('of %j says "%s"', async (list, headline) => {
    const html = await overviewHtml(list);

    expect(html).toContain(`<h1>${headline}</h1>`);
    expect(html).toContain(`<title>${headline}</title>`);
  });

  it('says what the search found, and links to everything', async () => {
    const query = new URLSearchParams({ q: 'sh', lang: 'en' });

    const html = await overviewHtml([{ name: 'shop' }, { name: 'blog' }], { query });

    expect(words(html)).toContain('1 account with “sh” in the name');
    expect(html).toContain('<a href="/?lang=en">Show all</a>');
    expect(html).toContain('<a href="/accounts/shop?lang=en">');
    expect(html).not.toContain('blog');
  });

  it('links to accounts with any name', async () => {
    const html = await overviewHtml([{ name: 'a/b?c#d' }, { name: '..' }]);

    expect(html).toContain('<a href="/accounts/a%2Fb%3Fc%23d">');
    expect(html).toContain('<a href="/accounts?name=..">');
  });

  it('has one link per page of accounts', async () => {
    const html = await overviewHtml(Array.from({ length: 101 }, (_, index) => ({ name: `a${index}` })));

    expect(html.match(/href="\/accounts\//g)).toHaveLength(100);
    expect(html).toContain('<a rel="next" href="/?page=2">Next</a>');
    expect(words(html)).toContain('Page 1 of 2');
  });
});

describe('the page of an account', () => {
  it('shows reason, message and advice of each failing collector', async () => {
    const failure = { reason: 'http', message: 'mysql/getList: HTTP status 500', accepted: false } as const;

    const html = words(await accountHtml({ failures: { databases: failure, domains: failure } }));

    // Once for all collectors with the same cause.
    expect(html.split(adviceFor('http').replace("'", '&#39;'))).toHaveLength(2);
    expect(html).toContain('http (databases, domains): ');
    expect(html).toContain(`databases failed Show polls http : ${failure.message} API methods`);
    expect(html).toContain('failing Failing polls: databases, domains');
  });

  it('names the methods to permit, or the section if the API grants permissions per section', async () => {
    const refused = { reason: 'permission', message: 'no', accepted: true } as const;

    const ofMethod = await accountHtml({
      failures: { account: { ...refused, forbiddenMethod: 'user/getAccountInfo' } },
    });
    const ofSection = await accountHtml({ failures: { account: refused } });

    expect(ofMethod).toContain('Permit “user/getAccountInfo” for the API password');
    expect(ofSection).toContain('Tick “account management” for the API password');
  });

  it('shows the polls of the collectors in its address, and nothing else', async () => {
    const query = new URLSearchParams([
      ['polls', 'account'],
      ['polls', 'domains'],
    ]);

    const html = await accountHtml({}, { query });

    expect([...html.matchAll(/<caption class="hidden">Newest polls: (\w+)</g)].map(([, name]) => name)).toEqual([
      'account',
      'domains',
    ]);
    expect(html).toContain('href="/accounts/shop?polls=domains#collector-account"');
    expect(html).toContain('href="/accounts/shop?polls=account&amp;polls=domains&amp;polls=backups#collector-backups"');
  });

  it('says that figures are missing, instead of showing zeros', async () => {
    const nothing = words(await accountHtml({}));
    const disk = words(await accountHtml({ figures: { account: full } }));

    expect(nothing).toContain('Disk used unknown Suspended in unknown Plan load unknown Balance unknown');
    expect(nothing).toContain('There are no figures: no poll has succeeded lately.');
    expect(disk).toContain('lately: site_load, site_load_detail, sites ');
  });

  it('shows the first rows of a long table, and all of them on request', async () => {
    const sizes = Array.from({ length: 350 }, (_, index): Figure => {
      return ['hosting_database_size_bytes', index, { database: `db${index}` }];
    });
    const rowsOf = (html: string) => html.match(/<bdi>db\d+<\/bdi>/g);

    const short = await accountHtml({ figures: { databases: sizes } });
    const query = new URLSearchParams({ all: 'databases' });
    const opened = await accountHtml({ figures: { databases: sizes } }, { query });

    expect(rowsOf(short)).toHaveLength(15);
    expect(short).toContain('<bdi>db349</bdi>');
    expect(short).toContain('<a href="/accounts/shop?all=databases#databases">Show all 350</a>');
    expect(rowsOf(opened)).toHaveLength(300);
    expect(opened).toContain('The first 300 of 350; the metrics have all of them.');
    expect(opened).toContain('<a href="/accounts/shop#databases">Show fewer</a>');
  });
});

const exporter: ExporterView = {
  build: { version: '1.2.3', revision: 'abc', nodeVersion: 'v24.0.0' },
  started: Date.now() - 7_200_000,
  configFile: '/etc/exporter.yml',
  lastReload: { time: Date.now() - 300_000, problems: 'exporter.yml:3: unknown key' },
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
    expect(html).toContain('failed; the previous configuration is still in use, 5 min ago exporter.yml:3: unknown key');
    expect(html).toContain('shop 30 4.5 7 1 min × 1.5 /metrics shop');
    expect(html).toContain('mysql/getList 0.25 s 3');
  });
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

  it.each(['en', 'ru'] as const)('escapes everything from outside, in %s', async (language) => {
    const changes = {
      language,
      texts: textsOf[language],
      format: formats[language],
      query: new URLSearchParams(query),
    };
    const pages = [
      await overviewHtml([parts], changes),
      await accountHtml(parts, changes),
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
