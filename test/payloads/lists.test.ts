import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { readPayload } from '../../src/api/payload.ts';
import { backupContents, backupList } from '../../src/payloads/backup-list.ts';
import { databaseList } from '../../src/payloads/database-list.ts';
import { domainList, subdomainList } from '../../src/payloads/domain-list.ts';
import { ftpAccountList } from '../../src/payloads/ftp-account-list.ts';
import { databaseLoadList, siteLoadList, sortByLoad } from '../../src/payloads/load-list.ts';
import { mailboxList } from '../../src/payloads/mailbox-list.ts';
import { phpVersion } from '../../src/payloads/php-version.ts';
import { siteList } from '../../src/payloads/site-list.ts';

const notation = { sizeUnits: 'decimal', numberFormat: 'auto', timeZone: 'UTC' } as const;

/** Reads a result as the client does. */
function read<T extends z.ZodType>(schemaFor: (given: typeof notation) => T, result: unknown) {
  return readPayload(schemaFor(notation) as z.ZodType, result);
}

describe('a list with an element twice', () => {
  it.each([
    ['databases', databaseList, { name: 'a' }, { name: 'b' }],
    ['domains', domainList, { fqdn: 'a.example' }, { fqdn: 'b.example' }],
    ['subdomains', subdomainList, { fqdn: 'a.example' }, { fqdn: 'b.example' }],
    ['FTP accounts', ftpAccountList, { login: 'a' }, { login: 'b' }],
    ['sites', siteList, { id: 1 }, { id: 2 }],
    ['loads of sites', siteLoadList, { id: 1, name: 'x' }, { id: 2, name: 'x' }],
    ['loads of databases', databaseLoadList, { name: 'a' }, { name: 'b' }],
    ['mailboxes', mailboxList, { mailbox: 'a', domain: 'x.example' }, { mailbox: 'a', domain: 'y.example' }],
  ])('of %s has it once, and all others', (_what, schema, one, other) => {
    const { payload, issues, droppedElements } = read<z.ZodType>(schema, [one, other, one]);

    expect(payload).toEqual(read<z.ZodType>(schema, [one, other]).payload);
    expect(payload).toHaveLength(2);
    expect([issues, droppedElements]).toEqual([[], 0]);
  });

  it('does not count valid elements as duplicates of invalid ones', () => {
    const { payload, droppedElements } = read(databaseList, [{ name: 5 }, { name: 'a' }, { name: 6 }]);

    expect(payload).toMatchObject([{ name: 'a' }]);
    expect(droppedElements).toBe(2);
  });

  it('keeps the last one', () => {
    const sites = ['old', 'new'].map((name) => ({ id: 1, name }));

    expect(read(siteLoadList, sites).payload).toMatchObject([{ name: 'new' }]);
  });

  it('of domains of a site keeps the last one', () => {
    const domains = ['7.4', '8.4'].map((version) => ({ fqdn: 'a.example', php_version: version }));

    const { payload } = read(siteList, [{ id: 1, name: 'a', domains: [...domains, { fqdn: 'b.example' }] }]);

    expect(payload).toMatchObject([{ domains: [{ fqdn: 'a.example', php_version: '8.4' }, { fqdn: 'b.example' }] }]);
  });
});

describe('backups', () => {
  const newest = Date.parse('2026-06-03T01:00:00Z');

  it.each([
    [[], 0, undefined],
    [[{}], 1, undefined],
    [[{ date: '2026-06-02 01:00:00' }, { date: '2026-06-03 01:00:00' }, {}], 3, newest],
    [[{ date: '2026-06-03 01:00:00' }, { date: 'soon' }, { date: '2026-06-02 01:00:00' }], 2, newest],
    [[{ date: null }], 1, undefined],
  ])('in the list %j are %s, the newest of %s', (list, count, time) => {
    expect(read(backupList, list).payload).toEqual({ count, newest: time });
  });

  it.each([
    [[], undefined, undefined],
    [[{ backup_id: 7 }, { date: '2026-06-03 01:00:00' }, { backup_id: 8, date: null }, 'x'], undefined, undefined],
    [
      [
        { backup_id: 7, date: '2026-06-03 01:00:00' },
        { backup_id: '7', date: '2026-06-03 01:00:00' },
        { backup_id: 5, date: '2026-06-01 01:00:00' },
        { backup_id: 4, date: null, name: 'one' },
      ],
      2,
      newest,
    ],
  ])('in the contents %j are %s, the newest of %s', (entries, count, time) => {
    expect(read(backupContents, entries).payload).toEqual({ count, newest: time });
  });
});

it('loads are sorted from the highest to the lowest, missing ones last', () => {
  const list = [{ load: 2 }, {}, { load: 30 }, { load: null }, { load: 1 }];

  expect(sortByLoad(list)).toEqual([{ load: 30 }, { load: 2 }, { load: 1 }, {}, { load: null }]);
  expect(list[0]).toEqual({ load: 2 });
});

it.each([
  [{ name: 'shop', path: 'other/public_html' }, 'shop'],
  [{ path: '/home/u/shop/public_html' }, 'shop'],
  [{ path: '/home/u/shop/public_html/' }, 'shop'],
  [{ path: 'shop/public_html_old' }, 'public_html_old'],
  [{ path: 'shop/public_html/deep' }, 'deep'],
  [{}, ''],
])('the name of the site %j is %j', (site, name) => {
  expect(read(siteList, [{ id: 1, ...site }]).payload).toMatchObject([{ name }]);
});

it('an answer about PHP contains a version', () => {
  expect(read(phpVersion, { php_version: '8.4', other: 1 }).payload).toEqual({ php_version: '8.4' });
  expect(read(phpVersion, {}).issues).toEqual(['php_version: is missing']);
});
