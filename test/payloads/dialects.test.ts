import { describe, expect, it } from 'vitest';
import { readPayload } from '../../src/api/payload.ts';
import { account } from '../../src/collectors/account.ts';
import { accountInfo } from '../../src/payloads/account-info.ts';
import { databaseList } from '../../src/payloads/database-list.ts';
import { domainList } from '../../src/payloads/domain-list.ts';
import { databaseLoadList, siteLoadList } from '../../src/payloads/load-list.ts';
import { siteList } from '../../src/payloads/site-list.ts';

const notation = { sizeUnits: 'decimal', numberFormat: 'auto', timeZone: 'UTC' } as const;

describe('account info', () => {
  it('reads the four fields of the specification', () => {
    const info = accountInfo(notation).parse({
      tariff: 'Blog',
      server: 'germes',
      disk_usage: '612.4 MB',
      disk_limit: '3 GB',
    });

    expect(info).toMatchObject({ plan: 'Blog', server: 'germes', disk_usage: 612_400_000, disk_limit: 3_000_000_000 });
  });

  it('reads the documented fields of the provider', () => {
    const info = accountInfo(notation).parse({
      plan_name: 'Great',
      user_sites: 7,
      plan_site: 25,
      plan_domain: 2_147_483_647,
      user_quota: 1283,
      plan_quota: 10_000,
      plan_cp: 400,
      user_rate_current: '12.66',
      user_balance: -1339.57,
      user_days_to_block: 4865,
      server_name: 'germes',
      server_memory: '96747',
      server_loadaverage: '4.05',
      server_apache_version: ' Apache/2.2.23 (Unix)',
      server_perl_version: ' ',
      server_php_version: null,
    });

    expect(info).toMatchObject({
      plan: 'Great',
      server: 'germes',
      disk_usage: 1_283_000_000,
      disk_limit: 10_000_000_000,
      user_sites: 7,
      plan_site: 25,
      plan_domain: undefined,
      plan_cp: 400,
      user_rate_current: 12.66,
      user_balance: -1339.57,
      user_days_to_block: 4865,
      server_memory: 96_747 * 1024 ** 2,
      server_loadaverage: 4.05,
    });
    const families = account.read(info, 'shop', {}, { now: 0, settled: 0 }, true);
    const software = families.find(({ name }) => name === 'hosting_server_software_info');
    expect(software?.samples.map(({ labels }) => [labels['software'], labels['version']])).toEqual([
      ['apache', 'Apache/2.2.23 (Unix)'],
    ]);
  });

  it('leaves out null and missing fields', () => {
    const info = accountInfo(notation).parse({ disk_usage: 1, user_sites: null });

    expect(info).toMatchObject({ plan: '', server: '', user_sites: null, disk_limit: undefined });
  });

  it.each<[Readonly<Record<string, unknown>>, string]>([
    [{}, 'disk_usage: is missing'],
    [{ disk_usage: null }, 'disk_usage: is missing'],
    [{ user_quota: null }, 'user_quota: is missing'],
    [{ disk_usage: null, user_quota: null }, 'disk_usage: is missing'],
    [{ disk_usage: 'x' }, 'disk_usage: "x" is not a size'],
  ])('reports the disk usage %j and keeps the other fields', (usage, issue) => {
    const { payload, issues } = readPayload(accountInfo(notation), { ...usage, tariff: 'Blog', disk_limit: '5 GB' });

    expect(issues).toEqual([issue]);
    expect(payload).toMatchObject({ plan: 'Blog', disk_limit: 5e9 });
    expect(payload?.disk_usage ?? undefined).toBeUndefined();
  });

  it.each([[{}], [[]], [{ error: 'x' }], ['text'], [null], [{ tariff: 'Blog' }]])('rejects %j', (answer) => {
    expect(accountInfo(notation).safeParse(answer).success).toBe(false);
  });
});

describe('database list', () => {
  it('reads sizes with a unit and bare megabytes', () => {
    const specification = databaseList(notation).parse([{ name: 'blog_wp', size: '44.5 MB', user: 'blog' }]);
    const provider = databaseList(notation).parse([{ name: 'blog_wp', size: '44', accesses: [{ name: 'localhost' }] }]);

    expect(specification).toEqual([{ name: 'blog_wp', size: 44_500_000, user: 'blog' }]);
    expect(provider).toEqual([{ name: 'blog_wp', size: 44_000_000, remoteAccesses: 0 }]);
  });

  it.each([
    [[], 0],
    [['localhost', '127.0.0.1', '::1', 'LOCALHOST'], 0],
    [['localhost', '192.168.1.5', '%'], 2],
  ])('counts the hosts %j as %d remote ones', (hosts, count) => {
    const accesses = hosts.map((name) => ({ name }));

    expect(databaseList(notation).parse([{ name: 'blog_wp', accesses }])).toEqual([
      { name: 'blog_wp', remoteAccesses: count },
    ]);
  });

  it.each([[''], [null], [undefined]])('reads the user %j as missing', (user) => {
    expect(databaseList(notation).parse([{ name: 'blog_wp', user }])).toEqual([{ name: 'blog_wp' }]);
  });
});

it('load lists read cp or load, as numbers or strings', () => {
  const sites = siteLoadList(notation).parse([
    { id: '299163', name: 'sitename.ru', cp: '195.257188' },
    { id: 299_164, name: 'сайт.рф', load: 3 },
  ]);
  const databases = databaseLoadList(notation).parse([
    { name: 'base', cp: '2895.257188' },
    { name: 'other', load: 0 },
  ]);

  expect(sites).toEqual([
    { id: '299163', name: 'sitename.ru', load: 195.257188 },
    { id: '299164', name: 'сайт.рф', load: 3 },
  ]);
  expect(databases).toEqual([
    { name: 'base', load: 2895.257188 },
    { name: 'other', load: 0 },
  ]);
});

it('a list of sites reads domains with and without the fields of newer API versions', () => {
  const sites = siteList(notation).parse([
    {
      id: '125',
      path: 'site.ru/public_html',
      domains: [{ id: '1', fqdn: 'site.ru', php_version: '8.2', ssl: '1', ssl_status: 'wle_set' }],
    },
    { id: 124, path: 'old/public_html/', domains: [{ id: 2, fqdn: 'old.ru', ssl: false, ssl_status: 'none' }] },
    { id: 123, name: 'named', domains: [] },
    { id: 122, path: '/home/u/u12345/moved.ru/public_html', is_frozen: '1' },
  ]);

  expect(sites).toEqual([
    {
      id: '125',
      name: 'site.ru',
      domains: [{ fqdn: 'site.ru', php_version: '8.2', ssl: true, ssl_status: 'wle_set' }],
    },
    { id: '124', name: 'old', domains: [{ fqdn: 'old.ru', ssl: false, ssl_status: 'none' }] },
    { id: '123', name: 'named', domains: [] },
    { id: '122', name: 'moved.ru', is_frozen: true, domains: [] },
  ]);
});

describe('domain list', () => {
  it.each([
    ['letters of another case', 'Shop.Example', 'shop.example'],
    ['Cyrillic letters of another case', 'ПОЧТА.рф', 'почта.рф'],
    ['punycode', 'почта.рф', 'xn--80a1acny.xn--p1ai'],
    ['a dot at the end', 'shop.example.', 'shop.example'],
  ])('has one domain for two names that differ only in %s, in lists of domains and sites', (_what, first, second) => {
    const fqdns = [{ fqdn: first }, { fqdn: second }];

    const domains = readPayload(domainList(notation), fqdns);
    const sites = readPayload(siteList(notation), [{ id: 1, name: 'a', domains: fqdns }]);

    expect(domains.payload).toEqual([{ fqdn: second }]);
    expect(sites.payload?.[0]?.domains).toEqual([{ fqdn: second }]);
  });

  it('reads the documented and the recorded field types', () => {
    const domains = domainList(notation).parse([
      { fqdn: 'mylogin.bget.ru', auto_renew: '0', date_expire: 0, registrar: null, registrar_status: null },
      {
        fqdn: 'пекарня.рф',
        auto_renew: true,
        date_expire: '2026-11-02',
        registrar: 'beget',
        registrar_status: 'delegated',
        is_under_control: 1,
      },
      { fqdn: 'forum.пекарня.рф', is_subdomain: 1 },
    ]);

    expect(domains).toEqual([
      { fqdn: 'mylogin.bget.ru', auto_renew: false },
      {
        fqdn: 'пекарня.рф',
        date_expire: Date.parse('2026-11-02T00:00:00Z'),
        auto_renew: true,
        registrar: 'beget',
        registrar_status: 'delegated',
        is_under_control: true,
      },
      { fqdn: 'forum.пекарня.рф', is_subdomain: true },
    ]);
  });
});
