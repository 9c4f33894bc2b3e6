import { expect, it, onTestFinished, vi } from 'vitest';
import { checkAccount } from '../../../src/cli/check/check.ts';
import { databases } from '../../../src/collectors/databases.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { fakeDate } from '../../fixtures/polled-account.ts';
import { type ScriptedAnswer, scriptedApi } from '../../fixtures/scripted-api.ts';
import { httpServer } from '../../fixtures/servers.ts';

const options = { signal: new AbortController().signal, onPause: () => {} };

const rejected = { refuse: 'AUTH_ERROR', text: 'Username/password incorrect' } as const;

/** Checks an account with these collectors, whose API rejects these methods. */
async function checkRejected(names: readonly string[], methods: readonly string[]) {
  const api = await scriptedApi(Object.fromEntries(methods.map((method) => [method, rejected])));
  const config = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: names });
  return { api, result: await checkAccount(config, options) };
}

it('takes rejections of some sections for missing permissions if another section accepts the credentials', async () => {
  const { result } = await checkRejected(
    ['account', 'databases', 'site_load', 'database_load', 'sites', 'domains', 'ftp_accounts', 'cron_tasks'],
    ['user/getAccountInfo', 'mysql/getList', 'stat/getSitesListLoad', 'stat/getDbListLoad'],
  );

  expect(result.credentials).toBe('accepted');
  expect(result.collectors.map(({ collector, state }) => [collector, state])).toEqual([
    ['account', 'not permitted'],
    ['databases', 'not permitted'],
    ['site_load', 'not permitted'],
    ['database_load', 'not permitted'],
    ['sites', 'ok'],
    ['domains', 'ok'],
    ['ftp_accounts', 'ok'],
    ['cron_tasks', 'ok'],
  ]);
});

it('gives up after three calls if every section rejects the credentials', async () => {
  const { api, result } = await checkRejected(
    ['account', 'databases', 'domains', 'ftp_accounts', 'cron_tasks'],
    ['user/getAccountInfo', 'mysql/getList', 'domain/getList', 'ftp/getList', 'cron/getList'],
  );

  expect(api.newCalls()).toHaveLength(3);
  expect(result.credentials).toBe('rejected');
  expect(result.connection).toBe('ok');
  expect(result.collectors.filter(({ state }) => state === 'skipped')).toHaveLength(2);
});

it('fails a collector whose figures are impossible, as a poll does', async () => {
  const api = await scriptedApi({ 'user/getAccountInfo': { result: { user_quota: 5, user_days_to_block: 1e308 } } });
  const config = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['account'] });

  const { collectors: results } = await checkAccount(config, options);

  expect(results).toMatchObject([
    { state: 'failed', reason: 'payload', detail: expect.stringContaining('hosting_account_block_timestamp_seconds') },
  ]);
});

/** Checks the account of an API with these answers. */
async function checkAnswers(
  answers: Readonly<Record<string, ScriptedAnswer>>,
  names: readonly string[],
  every = 3_600_000,
) {
  const api = await scriptedApi(answers);
  const schedule = { kind: 'every', interval: every } as const;
  const enabled = Object.fromEntries(names.map((name) => [name, { schedule }]));
  const config = accountConfig({ api: { baseUrl: api.baseUrl, requestsPerMinute: 600 }, collectors: enabled });
  return { api, result: await checkAccount(config, options) };
}

const info = { result: { user_quota: 5 } };
const twoDatabases = { result: ['a', 'b'].map((name) => ({ name, cp: '1' })) };

const listCalls = [
  'domain/getList',
  'domain/getSubdomainList',
  'site/getList',
  'mysql/getList',
  'stat/getSitesListLoad',
];

it('calls the account first, then the other lists from the last to the first, then the fan-outs', async () => {
  const names = ['account', 'databases', 'site_load_detail', 'sites', 'domains'];

  const { api, result } = await checkAnswers({ 'user/getAccountInfo': info }, names);

  expect(api.newCalls()).toEqual(['user/getAccountInfo', ...listCalls]);
  expect(result.collectors.map(({ collector }) => collector)).toEqual([
    'account',
    'databases',
    'site_load_detail',
    'sites',
    'domains',
  ]);
});

it('calls a fan-out with the first item of its list, and fetches the list only if no collector has', async () => {
  const answers = { 'stat/getDbListLoad': twoDatabases, 'stat/getDbLoad': { result: { days: [] } } } as const;

  const alone = await checkAnswers(answers, ['database_load_detail']);
  const withList = await checkAnswers(answers, ['database_load', 'database_load_detail']);

  expect(alone.api.newCalls()).toEqual(['stat/getDbListLoad', 'stat/getDbLoad a']);
  expect(withList.api.newCalls()).toEqual(['stat/getDbListLoad', 'stat/getDbLoad a']);
  expect(alone.result.collectors.map(({ state, detail }) => [state, detail])).toEqual([['ok', '2 calls per poll']]);
});

it.each([
  [[], 'no items yet', 1],
  [['a'], '1 call per poll', 2],
])('tells how many calls a fan-out over %s needs', async (names, detail, calls) => {
  const answers = {
    'stat/getDbListLoad': { result: names.map((name) => ({ name, cp: '1' })) },
    'stat/getDbLoad': { result: { days: [] } },
  };

  const { api, result } = await checkAnswers(answers, ['database_load_detail']);

  expect(result.collectors).toMatchObject([{ state: 'ok', detail }]);
  expect(api.newCalls()).toHaveLength(calls);
});

it('adds up the calls of the schedules, with each item of a fan-out', async () => {
  const answers = { 'stat/getDbListLoad': twoDatabases, 'stat/getDbLoad': { result: { days: [] } } } as const;

  const { result } = await checkAnswers(answers, ['database_load', 'database_load_detail', 'domains'], 7 * 60_000);

  // One call for each list, and two for the fan-out.
  expect(result.callsPerMinute).toBe(0.57);
  expect(result.budget).toBe(600);
});

it('counts sites and databases in the first list that contains some, and domains without subdomains', async () => {
  const lists = {
    'domain/getList': { result: [0, 1].map((is_subdomain) => ({ fqdn: `${is_subdomain}.example`, is_subdomain })) },
    'stat/getDbListLoad': twoDatabases,
    'mysql/getList': { result: [{ name: 'a' }] },
    'stat/getSitesListLoad': { result: [1, 2, 3].map((id) => ({ id, name: `site${id}` })) },
    'site/getList': { result: [1, 2, 3, 4].map((id) => ({ id, name: `site${id}` })) },
  };
  const countsOf = async (...names: readonly string[]) => {
    const { sites, databases, domains } = (await checkAnswers(lists, names)).result;
    return [sites, databases, domains].slice(0, names.includes('domains') ? 3 : 2);
  };

  expect(await countsOf('account')).toEqual([undefined, undefined]);
  expect(await countsOf('database_load')).toEqual([undefined, 2]);
  expect(await countsOf('databases', 'database_load')).toEqual([undefined, 1]);
  expect(await countsOf('sites')).toEqual([4, undefined]);
  expect(await countsOf('site_load', 'sites')).toEqual([4, undefined]);
  expect(await countsOf('domains', 'mailboxes')).toEqual([undefined, undefined, 1]);
});

it('takes a rejection for an answer of the API, although another call failed', async () => {
  const answers = { 'user/getAccountInfo': 'reset', 'mysql/getList': rejected } as const;

  const { result } = await checkAnswers(answers, ['account', 'databases']);

  expect(result.connection).toBe('ok');
});

it.each([
  ['http', { status: 500 }, 'failing'],
  ['http', { status: 404 }, 'foreign'],
  ['network', 'reset', 'failed'],
] as const)('gives up after three calls that fail with the reason %s', async (reason, answer, connection) => {
  const methods = ['mysql/getList', 'domain/getList', 'ftp/getList', 'cron/getList'];
  const answers = Object.fromEntries(methods.map((method) => [method, answer]));

  const { api, result } = await checkAnswers(answers, ['databases', 'domains', 'ftp_accounts', 'cron_tasks']);

  // A call whose connection is closed is sent twice.
  expect(api.newCalls()).toHaveLength(reason === 'network' ? 6 : 3);
  expect(result.connection).toBe(connection);
  expect(result.credentials).toBe('unknown');
  expect(result.collectors.map((collector) => collector.reason)).toEqual([undefined, reason, reason, reason]);
});

it('does not give up after failures that concern one collector, or after a success', async () => {
  const failing = { refuse: 'METHOD_FAILED' } as const;
  const names = ['databases', 'domains', 'ftp_accounts', 'cron_tasks'];

  const failed = await checkAnswers(
    { 'mysql/getList': failing, 'domain/getList': failing, 'ftp/getList': failing, 'cron/getList': failing },
    names,
  );
  const mixed = await checkAnswers(
    { 'domain/getList': { status: 500 }, 'ftp/getList': { status: 500 }, 'mysql/getList': { status: 500 } },
    names,
  );

  expect(failed.api.newCalls()).toHaveLength(4);
  // cron_tasks succeeds with two calls.
  expect(mixed.api.newCalls()).toHaveLength(5);
  expect([failed.result.connection, mixed.result.connection]).toEqual(['ok', 'ok']);
});

it('does not take a bug for a failure of the API', async () => {
  const fetch = vi.spyOn(databases, 'fetch').mockRejectedValue(new TypeError('broken'));
  onTestFinished(() => fetch.mockRestore());
  const config = accountConfig({ collectors: ['databases'] });

  await expect(checkAccount(config, options)).rejects.toThrow('bug in the exporter: TypeError: broken');
});

it.each([
  [125_400, 125],
  [-90_600, -91],
])('reports a clock of the API that differs by %i ms', async (skew, seconds) => {
  fakeDate('2026-06-03T12:00:00.400Z');
  const baseUrl = await httpServer((_request, response) => {
    response.setHeader('date', new Date(Date.now() + skew).toUTCString());
    response.end('{"status":"success","result":[]}');
  });

  const result = await checkAccount(accountConfig({ api: { baseUrl }, collectors: ['databases'] }), options);

  expect(Math.abs((result.clockSkewSeconds ?? 0) - seconds)).toBeLessThanOrEqual(1);
});

it.each<[string, ScriptedAnswer, string, RegExp]>([
  ['HTTP status 502', { status: 502 }, 'failing', /provider's server fails with HTTP status 502/],
  ['HTTP status 403', { status: 403 }, 'failing', /refuses this machine with HTTP status 403/],
  ['HTTP status 409', { status: 409 }, 'failing', /Check base_url. A 5xx is the provider's problem/],
  ['HTTP status 404', { status: 404 }, 'foreign', /is not the API. Check base_url/],
  ['a truncated answer', { status: 200, body: '{"status":' }, 'failing', /If a field is invalid/],
  ['an HTML page', { status: 200, body: '<!DOCTYPE html><p>' }, 'foreign', /is not the API. Check base_url/],
  ['JSON without envelope', { status: 200, body: '{}' }, 'foreign', /is not the API. Check base_url/],
])('tells an outage from a wrong address: %s', async (_what, answer, connection, advice) => {
  const { result } = await checkAnswers({ 'user/getAccountInfo': answer }, ['account']);

  expect(result.connection).toBe(connection);
  expect(result.advice.join('\n')).toMatch(advice);
  expect(result.advice.join('\n').includes('is not the API')).toBe(connection === 'foreign');
});

it('advises on the address if TLS fails', async () => {
  const api = await scriptedApi();
  const config = accountConfig({ api: { baseUrl: api.baseUrl.replace('http:', 'https:') }, collectors: ['account'] });

  const { connection, advice } = await checkAccount(config, options);

  expect(connection).toBe('failed');
  expect(advice.join('\n')).toMatch(/The TLS connection to https:.* fails. Check the scheme and the port of base_url/);
});

it('reports a fan-out as failed after three failed items', async () => {
  const four = ['a', 'b', 'c', 'd'];
  const check = (failing: readonly string[], names = four, failure: ScriptedAnswer = { refuse: 'METHOD_FAILED' }) => {
    const list = { result: names.map((name) => ({ name, cp: '1' })) };
    const refusals = failing.map((name) => [`stat/getDbLoad ${name}`, failure] as const);
    const answers = { 'stat/getDbListLoad': list, 'stat/getDbLoad': { result: { days: [] } } };
    return checkAnswers({ ...answers, ...Object.fromEntries(refusals) }, ['database_load_detail']);
  };

  const second = await check(['a']);
  const none = await check(four);
  const all = await check(['a', 'b'], ['a', 'b']);
  const unreachable = await check(four, four, 'reset');

  expect(second.api.newCalls()).toHaveLength(3);
  expect(second.result.collectors[0]).toMatchObject({
    state: 'ok',
    detail: expect.stringMatching(/^4 calls per poll; 1 item failed: .*METHOD_FAILED/),
  });
  expect(none.api.newCalls()).toHaveLength(4);
  expect(none.result.collectors[0]).toMatchObject({
    state: 'failed',
    reason: 'method',
    detail: expect.stringMatching(/^the first 3 items failed: .*METHOD_FAILED/),
  });
  expect(all.result.collectors[0]?.detail).toMatch(/^stat\/getDbLoad: .*METHOD_FAILED/);
  // The list and one item, whose call is repeated once.
  expect(unreachable.api.newCalls()).toHaveLength(3);
  expect(unreachable.result.collectors[0]?.detail).toMatch(/^stat\/getDbLoad: /);
});
