import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../src/polling/account.ts';
import { Page } from '../../src/store/page.ts';
import { ProcessMetrics } from '../../src/store/process-metrics.ts';
import { createWebServer } from '../../src/web/server.ts';
import { type Appearance, Chromium, type Tab } from '../fixtures/chromium.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { busyBudget, exporterView } from '../fixtures/exporter-view.ts';
import { type Figure, viewedAccount } from '../fixtures/viewed-account.ts';
import { until } from '../fixtures/waiting.ts';

const now = Date.now();
const seconds = now / 1000;
const day = 86_400;

const strangeNames = [
  '<b onclick="x()">&amp;</b>',
  'متجر الشاي',
  'W'.repeat(100),
  'агентство «Ромашка»',
  'shop',
  'a/b?c#d',
] as const;

const longName = `${'very-long-'.repeat(19)}.example`;

type Mood = 'healthy' | 'mixed' | 'all failing';

/** Account number `index` of a fleet. */
function account(index: number, mood: Mood): Account {
  const name = strangeNames[index] ?? `account ${index}`;
  const labels = hasLabels ? { customer: index % 7 === 0 ? longName : `customer ${index % 10}`, team: 'web' } : {};
  if (mood === 'all failing' || (mood === 'mixed' && index % 5 === 1)) {
    const failure = {
      reason: 'network',
      message: `user/getAccountInfo: ${'no route to host '.repeat(12)}`,
      accepted: false,
    } as const;
    return viewedAccount({
      name,
      labels,
      failures: { account: failure, databases: failure },
      lastSuccess: now - 3_600_000,
    });
  }
  const isFull = mood === 'mixed' && index % 5 === 0;
  const domain = index % 2 === 0 ? longName : 'пример.испытание';
  const named = { site_id: '1', site: index % 2 === 0 ? longName : 'shop.example' };
  const account: readonly Figure[] = [
    ['hosting_account_info', 1, { tariff: 'Business', server: 'server.example' }],
    ['hosting_account_disk_usage_bytes', isFull ? 103_000_000_000 : 40_000_000_000],
    ['hosting_account_disk_limit_bytes', 100_000_000_000],
    ['hosting_account_block_timestamp_seconds', seconds + (isFull ? 2 : 200) * day],
    ['hosting_account_load_limit', 80],
    ['hosting_account_balance', 633.27],
    ['hosting_account_sites_used', 3],
    ['hosting_account_sites_limit', 10],
  ];
  return viewedAccount({
    name,
    labels,
    collectors: ['account', 'databases', 'domains', 'backups', 'site_load', 'mailboxes'],
    lastSuccess: now - 60_000,
    figures: {
      account,
      databases: [['hosting_database_size_bytes', 1_800_000_000, { database: longName }]],
      domains: [
        ['hosting_domain_expiry_timestamp_seconds', seconds + (isFull ? 5 : 300) * day, { domain }],
        ['hosting_domain_auto_renew', 0, { domain }],
      ],
      mailboxes: [['hosting_mailboxes', 12, { domain }]],
      backups: [['hosting_backup_last_timestamp_seconds', seconds - day / 2, { kind: 'files' }]],
      site_load: [['hosting_site_load_average', isFull ? 70 : 12.5, named]],
    },
  });
}

const cleanups = new Cleanups();
let browser: Chromium;
let tab: Tab;
let origin: string;
let accounts: readonly Account[] = [];
let hasLabels = false;

function show(count: number, mood: Mood, labels = false): void {
  hasLabels = labels;
  accounts = Array.from({ length: count }, (_, index) => account(index, mood));
}

beforeAll(async () => {
  const processMetrics = new ProcessMetrics(
    { version: '1.2.3', revision: 'r', nodeVersion: 'v24' },
    { hasRuntime: true },
  );
  const server = createWebServer(
    { telemetryPath: '/metrics' },
    {
      page: new Page([], [], processMetrics, new Map()),
      notReady: () => undefined,
      alive: () => true,
      configPage: async () => '',
      reload: undefined,
      pages: {
        accounts: () => accounts,
        account: (name) => accounts.find((candidate) => candidate.name === name),
        reloadFailed: () => true,
        otherAccounts: () => 0,
        exporter: () =>
          exporterView(now, {
            configFile: `/etc/${longName}.yml`,
            lastReload: { time: now - 300_000, problems: `config.yml:3: ${'x'.repeat(300)}` },
            webConfig: { file: `/etc/${longName}-web.yml`, lastReload: { time: now, problems: 'x'.repeat(300) } },
            budgets: strangeNames.map(busyBudget),
          }),
      },
    },
  );
  // Compression takes a tenth of the CPU time of these tests.
  server.addHook('onRequest', async ({ headers }) => {
    headers['accept-encoding'] = 'identity';
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  cleanups.add(() => server.close());
  origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  browser = await Chromium.start(cleanups);
  tab = await browser.open();
});

afterAll(() => cleanups.end());

/** Elements that reach beyond the window, and everything that the page reported. */
async function faults(path: string, appearance: Appearance): Promise<readonly string[]> {
  await tab.appear(appearance);
  tab.messages.length = 0;
  await tab.goTo(`${origin}${path}`);
  const wide = await tab.evaluate<readonly string[]>(`[...document.querySelectorAll('body *')]
    .filter((element) => !element.closest('.hidden, .skip, thead') && element.getBoundingClientRect().right > innerWidth + 1)
    .map((element) => element.outerHTML.slice(0, 200))
    .concat(document.documentElement.scrollWidth > innerWidth ? ['the page is ' + document.documentElement.scrollWidth + ' wide'] : [])`);
  return [...wide, ...tab.messages];
}

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Serious findings of axe-core in the page that was shown last. */
async function findings(rules?: readonly string[]): Promise<readonly string[]> {
  const options = { resultTypes: ['violations'], ...(rules !== undefined && { runOnly: rules }) };
  const { violations } = await tab.evaluate<{ readonly violations: readonly Finding[] }>(
    `axe.run(${JSON.stringify(options)})`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

/** Dark changes only colors, which the tests with axe-core check on each page. */
const appearances = [
  { width: 320, dark: false },
  { width: 375, dark: true },
  { width: 860, dark: false },
  { width: 961, dark: false },
  { width: 1440, dark: false },
];
const paths = [
  '/',
  '/?sort=disk&q=o',
  `/accounts/${encodeURIComponent(strangeNames[0])}`,
  '/status',
  '/accounts/unknown',
];

const moods = ['healthy', 'mixed', 'all failing'] as const;

/**
 * Each width shows each number of accounts, each page, each mood and each language. Except for the narrowest width, it
 * does not show each page in each mood.
 */
const numbered = appearances.map((appearance, index) => [appearance, index] as const);

it.each(numbered)('the list fits without a message at %j', async (appearance, index) => {
  const moodAt = (position: number) => moods[(position + index) % moods.length] ?? 'mixed';
  // The list has at most 100 rows.
  for (const [position, count] of [1, 5, 1000].entries()) {
    show(count, moodAt(position));

    expect.soft(await faults('/', appearance), `${count} accounts, ${moodAt(position)}`).toEqual([]);
  }
  const labelled = [
    ['/', 200],
    ['/?q=long&sort=disk&lang=ru', 30],
    ['/?state=ok&label_customer=customer+1', 30],
  ] as const;
  for (const [position, [path, count]] of labelled.entries()) {
    show(count, moodAt(position), true);

    expect.soft(await faults(path, appearance), `${path}, ${moodAt(position)}`).toEqual([]);
  }
});

it.each(numbered)('every page fits without a message at %j, in both languages', async (appearance, index) => {
  for (const [turn, mood] of (['mixed', 'all failing'] as const).entries()) {
    show(6, mood);
    for (const [position, path] of paths.entries()) {
      if (index > 0 && (position + index) % 2 !== turn) continue;
      const language = (position + Math.floor(index / 2) + turn) % 2 === 0 ? 'en' : 'ru';
      const url = `${path}${path.includes('?') ? '&' : '?'}lang=${language}`;
      const reported = (await faults(url, appearance)).filter((fault) => !/status of 404/.test(fault));

      expect.soft(reported, `${url}, ${mood}`).toEqual([]);
    }
  }
});

it.each(paths)('%s has no serious finding of axe-core in any color or width, and links of 24 pixels', async (path) => {
  show(6, 'mixed', true);
  await faults(path, { width: 1440 });
  await tab.evaluate(`${axe.source}; undefined`);

  expect.soft(await findings()).toEqual([]);
  await tab.appear({ width: 1440, dark: true });
  expect.soft(await findings(['color-contrast']), 'dark').toEqual([]);
  await tab.appear({ width: 320 });
  expect.soft(await findings(), 'narrow').toEqual([]);
  // Links outside of sentences
  const low = await tab.evaluate(`[...document.querySelectorAll('a:not(.skip)')]
      .filter((link) => link.closest('nav, header, th, td, .toggle, .head, .counts') && link.getBoundingClientRect().height < 24)
      .map((link) => link.outerHTML)`);
  expect(low).toEqual([]);
});

it('names are text: nothing of them becomes an element', async () => {
  show(6, 'mixed');
  await faults('/', { width: 1440 });

  expect(
    await tab.evaluate('document.querySelectorAll("b, [onclick], script:not([src]), style, [style]").length'),
  ).toBe(0);
  expect(
    await tab.evaluate('[...document.querySelectorAll("tbody th a bdi")].map((name) => name.innerText).sort()'),
  ).toEqual([...strangeNames].sort());
});

it.each([
  ['healthy', true],
  ['mixed', false],
  ['all failing', true],
] as const)('100 accounts that are %s are short on a phone, with labels: %s', async (mood, labels) => {
  show(100, mood, labels);
  await faults('/', { width: 375 });

  expect(await tab.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThanOrEqual(12_000);
  // The other names are too long for one line.
  const fine = 'tr.ok:has(a[href*="account%20"])';
  const rows = `[...document.querySelectorAll('${fine}')].map((row) => row.getBoundingClientRect().height)`;
  expect(await tab.evaluate<number>(`Math.max(0, ...${rows})`)).toBeLessThan(45);
});

it('the collectors of an account take one line until the reader opens them', async () => {
  show(6, 'all failing');
  await faults('/accounts/shop', { width: 375 });

  expect(await tab.evaluate('document.querySelector("#collector-account").checkVisibility()')).toBe(false);
  expect(await tab.evaluate('document.querySelector("#collectors summary").innerText')).toMatch(
    /^Collectors 4 · failed: account, databases$/,
  );
  expect(await tab.evaluate('document.querySelector("#collectors summary").getBoundingClientRect().height < 60')).toBe(
    true,
  );
});

it('problems, then domains come before the long lists of an account', async () => {
  show(1, 'mixed');
  await faults(`/accounts/${encodeURIComponent(strangeNames[0])}`, { width: 375 });

  const ids = await tab.evaluate(
    '[...document.querySelectorAll("main h2[id], main details.card")].map(({ id }) => id)',
  );
  expect(ids).toEqual([
    'problems',
    'changes',
    'domains',
    'sites',
    'databases',
    'limits',
    'backups',
    'server',
    'collectors',
  ]);
});

it('each cell of a table remains a cell on a narrow screen', async () => {
  show(1, 'mixed');
  await faults('/', { width: 320 });

  const { nodes } = (await tab.send('Accessibility.getFullAXTree')) as {
    nodes: readonly { readonly role?: { readonly value: string } }[];
  };

  const roles = nodes.map(({ role }) => role?.value);
  expect(roles).toEqual(expect.arrayContaining(['banner', 'navigation', 'main', 'contentinfo', 'table', 'rowheader']));
  expect(roles.filter((role) => role === 'cell')).toHaveLength(5);
});

it('the first press of Tab reaches the link to the content', async () => {
  show(1, 'healthy');
  await faults('/', { width: 1440 });

  await tab.press('Tab');
  await tab.press('Enter');

  expect(await tab.evaluate('document.activeElement.id')).toBe('content');
});

it('the exporter is an app that can be installed', async () => {
  show(1, 'healthy');
  await tab.goTo(`${origin}/accounts/shop`);

  const { url, errors, data } = await tab.send('Page.getAppManifest');
  const { start_url: start, icons, ...app } = JSON.parse(String(data));

  expect(errors).toEqual([]);
  // Chromium requires these of an app. The headless shell does not check them.
  expect(app).toMatchObject({ name: 'Hosting', display: 'standalone' });
  expect(icons).toMatchObject([{ sizes: '512x512', type: 'image/png' }]);
  expect(new URL(start, String(url)).href).toBe(`${origin}/`);
  const icon = Buffer.from(await (await fetch(new URL(icons[0].src, String(url)))).arrayBuffer());
  expect([icon.subarray(1, 4).toString(), icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual(['PNG', 512, 512]);
  expect(await tab.evaluate('document.querySelectorAll("meta[name=theme-color]").length')).toBe(2);
});

describe('an automatic update', () => {
  const headline = () => tab.evaluate<string>('document.querySelector("h1").innerText');
  let tab: Tab;

  beforeAll(async () => {
    tab = await browser.open();
    await tab.appear({ width: 375, height: 500 });
    await tab.hastenUpdates();
  });

  it('keeps what was opened, the focus and the scroll position', async () => {
    show(6, 'mixed');
    await tab.goTo(`${origin}/accounts/shop`);
    await tab.evaluate('for (const id of ["collectors", "last-week"]) document.getElementById(id).open = true');
    await tab.evaluate('document.getElementById("collector-domains").scrollIntoView()');
    const before = await tab.evaluate<number>('scrollY');
    const state = await headline();
    await tab.evaluate('document.querySelector("#collectors > p a").focus({ preventScroll: true })');
    const focused = await tab.evaluate('document.activeElement.href');

    show(6, 'all failing');
    await until(async () => (await headline()) !== state);

    expect(before).toBeGreaterThan(500);
    expect(await tab.evaluate('document.activeElement.href')).toBe(focused);
    expect(await tab.evaluate('document.querySelector("#collector-domains p").checkVisibility()')).toBe(true);
    expect(await tab.evaluate('document.title')).toContain('no new data');
    // The page has become shorter.
    const lowest = await tab.evaluate<number>('document.documentElement.scrollHeight - innerHeight');
    expect(await tab.evaluate('scrollY')).toBe(Math.min(before, lowest));
  });

  it('keeps the text, the selection and the focus of the search', async () => {
    show(12, 'mixed');
    await tab.goTo(`${origin}/`);
    const before = await headline();
    await tab.evaluate('document.querySelector("#q").focus()');
    await tab.send('Input.insertText', { text: 'teapots' });
    await tab.evaluate('document.querySelector("#q").setSelectionRange(3, 3)');

    show(12, 'healthy');
    await until(async () => (await headline()) !== before);

    expect(await headline()).toBe('All 12 accounts are fine');
    expect(await tab.evaluate('[document.activeElement.value, document.activeElement.selectionStart]')).toEqual([
      'teapots',
      3,
    ]);
    expect(await tab.evaluate('document.querySelectorAll("tbody tr, form, h1").length')).toBe(14);
  });

  it('waits while text is selected', async () => {
    show(12, 'mixed');
    await tab.goTo(`${origin}/`);
    const before = await headline();
    await tab.evaluate('getSelection().selectAllChildren(document.querySelector("h1"))');
    show(12, 'healthy');

    await tab.evaluate(
      'new Promise((resolve) => { let count = 0; setInterval(() => { if ((count += 1) === 5) resolve(); }); })',
    );
    const whileSelected = await headline();
    await tab.evaluate('getSelection().removeAllRanges()');
    await until(async () => (await headline()) !== before);

    expect(whileSelected).toBe(before);
  });

  it('says that the exporter does not answer, until it does', async () => {
    show(1, 'healthy');
    await tab.goTo(`${origin}/`);
    const isLost = () => tab.evaluate<boolean>('document.getElementById("lost").checkVisibility()');
    const network = (offline: boolean) =>
      tab.send('Network.emulateNetworkConditions', {
        offline,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });

    expect(await isLost()).toBe(false);
    await network(true);
    await until(isLost);
    await network(false);
    await until(async () => !(await isLost()));

    expect(await headline()).toBe('The account is fine');
  });
});

it.each(['/', '/accounts/shop', '/status'])('%s prints as a table on A4 without navigation and forms', async (path) => {
  show(12, 'mixed');
  // A4 without margins is 794 pixels wide.
  await faults(path, { width: 718 });
  await tab.send('Emulation.setEmulatedMedia', { media: 'print' });

  const [widest, display, hidden] = await tab.evaluate<readonly [number, string, boolean]>(`[
      Math.max(...[...document.querySelectorAll('main *')].map((element) => element.getBoundingClientRect().right)),
      getComputedStyle(document.querySelector('tbody td')).display,
      [...document.querySelectorAll('header, form')].every((element) => !element.checkVisibility()),
    ]`);

  expect(widest).toBeLessThanOrEqual(718);
  expect([display, hidden]).toEqual(['table-cell', true]);
  await tab.send('Emulation.setEmulatedMedia', { media: '' });
});
