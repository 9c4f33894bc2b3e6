import { expect, test } from 'vitest';
import type { AccountResult } from '../../src/cli/check/check.ts';
import { checkReport } from '../../src/cli/check.ts';
import { collectorResult } from '../fixtures/collector-result.ts';

const shop: AccountResult = {
  account: 'shop',
  baseUrl: 'https://api.example.com/api',
  connection: 'ok',
  clockSkewSeconds: 0,
  timeZoneDoubt: undefined,
  credentials: 'accepted',
  sites: 12,
  databases: 0,
  domains: 7,
  diskUsedBytes: 13.5e9,
  diskLimitBytes: 20e9,
  paidUntil: '2026-12-15',
  callsPerMinute: 3.5,
  budget: 30,
  collectors: [
    collectorResult({ collector: 'account' }),
    collectorResult({ collector: 'site_load_detail', detail: '12 calls per poll' }),
  ],
  advice: [],
};

const blog: AccountResult = {
  ...shop,
  account: 'blog',
  baseUrl: 'http://127.0.0.1/api',
  connection: 'failed',
  clockSkewSeconds: undefined,
  credentials: 'unknown',
  sites: undefined,
  databases: undefined,
  domains: undefined,
  diskUsedBytes: undefined,
  paidUntil: undefined,
  collectors: [
    collectorResult({ collector: 'account', state: 'failed', reason: 'network', detail: 'connection refused' }),
    collectorResult({ collector: 'databases', state: 'not permitted', reason: 'permission', detail: 'ACCESS_DENIED' }),
  ],
  advice: ['Start the server.', 'Permit mysql/getList.'],
};

test('shows the facts of an account, and its collectors in columns', () => {
  expect(checkReport([shop])).toBe(`shop  https://api.example.com/api
  reachable · clock skew 0 s · credentials accepted · 12 sites · 0 databases · 7 domains · disk 14\u00a0GB of 20\u00a0GB · paid until 2026-12-15 · 3.5 of 30 calls per minute

  COLLECTOR         STATE  DETAIL
  account           ok
  site_load_detail  ok     12 calls per poll

All collectors work.
`);
});

test('is in Russian, except names and messages of the API', () => {
  const collectors = [
    collectorResult({ collector: 'sites', detail: '12 calls per poll' }),
    collectorResult({ collector: 'mailboxes', state: 'failed', reason: 'auth', detail: 'mail/getList: AUTH_ERROR' }),
  ];

  expect(checkReport([{ ...shop, collectors }], 'ru')).toContain(`
  СБОРЩИК    СОСТОЯНИЕ      ПОДРОБНОСТИ
  sites      работает       запросов за опрос: 12
  mailboxes  ошибка (auth)  mail/getList: AUTH_ERROR
`);
});

test('omits what is not known, and advises what to do', () => {
  expect(checkReport([blog])).toBe(`blog  http://127.0.0.1/api
  NOT REACHABLE · 3.5 of 30 calls per minute

  COLLECTOR  STATE             DETAIL
  account    failed (network)  connection refused
  databases  not permitted     ACCESS_DENIED

  -> Start the server.

  -> Permit mysql/getList.

1 account needs attention.
`);
});

test('writes one site and one database in the singular', () => {
  expect(checkReport([{ ...shop, sites: 1, databases: 1 }])).toContain(' · 1 site · 1 database · 7 domains · ');
});

test('counts the accounts that need attention', () => {
  expect(checkReport([shop, blog, { ...shop, connection: 'foreign' }])).toMatch(
    /\n2 of 3 accounts need attention\.\n$/,
  );
});
