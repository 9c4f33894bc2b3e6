import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Failure } from '../../../src/api/error.ts';
import type { Method } from '../../../src/api/method.ts';
import { FailureLog, type ReportedPoller } from '../../../src/polling/failure-log.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';

const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-06-03T12:00:00Z') });
  return () => vi.useRealTimers();
});

function failureLog() {
  const { log, lines } = recordedLog();
  /** The lines since the previous call. */
  const newLines = () => lines.splice(0).map((line) => JSON.parse(line));
  return { failures: new FailureLog(log), newLines };
}

const pollers = new Map<string, ReportedPoller>();

/** The same object for the same collector of an account. */
function poller(
  name: string,
  collector: string,
  method: Method = 'stat/getDbLoad',
  server = 'https://api.example.com',
) {
  const key = [name, collector, server].join();
  const known = pollers.get(key) ?? { account: { name, server }, collector: { name: collector, methods: [method] } };
  pollers.set(key, known);
  return known;
}

function failure(reason: Failure['reason'], message: string = reason): Failure {
  return { reason, message, accepted: reason === 'permission' || reason === 'method' };
}

describe('one cause', () => {
  it('has one line for a dead server of 150 accounts, and one with the number of polls when all succeed again', () => {
    const { failures, newLines } = failureLog();
    const all = Array.from({ length: 150 }, (_, index) =>
      ['account', 'sites', 'databases'].map((collector) => poller(`a${index}`, collector)),
    ).flat();
    for (let poll = 0; poll < 3; poll += 1) {
      for (const one of all) failures.failed(one, failure('network', 'connect ECONNREFUSED'));
      vi.advanceTimersByTime(minute);
    }
    const begin = newLines();

    for (const one of all) failures.succeeded(one);

    expect(begin).toMatchObject([
      { level: 'warn', msg: 'poll failed', api: 'https://api.example.com', account: 'a0', collector: 'account' },
    ]);
    expect(newLines()).toMatchObject([
      {
        level: 'info',
        msg: 'polls succeed again',
        api: 'https://api.example.com',
        reason: 'network',
        since: '2026-06-03T12:00:00.000Z',
        polls: 450,
      },
    ]);
  });

  it('has one line for a problem of this machine that affects many accounts, and one for another problem', () => {
    const { failures, newLines } = failureLog();
    for (const account of ['a', 'b', 'c']) {
      failures.failed(poller(account, 'account'), failure('local', 'user/getAccountInfo: not sent: connect EMFILE'));
      failures.failed(poller(account, 'sites'), failure('local', 'site/getList: not sent: connect EMFILE'));
    }
    failures.failed(poller('d', 'account'), failure('local', 'user/getAccountInfo: not sent: password: no such file'));

    expect(newLines().map(({ account, error }) => [account, error])).toEqual([
      ['a', 'user/getAccountInfo: not sent: connect EMFILE'],
      ['d', 'user/getAccountInfo: not sent: password: no such file'],
    ]);
  });

  it('has one line for rejected credentials, and one when the last collector succeeds', () => {
    const { failures, newLines } = failureLog();
    for (const collector of ['account', 'sites']) failures.failed(poller('shop', collector), failure('auth'));
    const begin = newLines();

    const wrote = ['account', 'sites', 'sites'].map((collector) => failures.succeeded(poller('shop', collector)));

    expect(begin).toMatchObject([
      { level: 'error', msg: 'the API rejects the credentials, pausing all calls of the account', account: 'shop' },
    ]);
    expect(wrote).toEqual([false, true, false]);
    expect(newLines()).toMatchObject([
      { level: 'info', msg: 'the API accepts the credentials again', account: 'shop', reason: 'auth' },
    ]);
  });

  it('has one line for each section without permission', () => {
    const { failures, newLines } = failureLog();
    const denied = failure('permission');

    failures.failed(poller('shop', 'site_load', 'stat/getSitesListLoad'), denied);
    failures.failed(poller('shop', 'database_load', 'stat/getDbListLoad'), denied);
    failures.failed(poller('shop', 'databases', 'mysql/getList'), denied);

    expect(newLines().map(({ collector }) => collector)).toEqual(['site_load', 'databases']);
  });

  it('is logged as a bug, with its stack trace', () => {
    const { failures, newLines } = failureLog();

    const wrote = [1, 2].map(() => failures.failed(poller('shop', 'sites'), { ...failure('bug'), stack: 'at x.ts' }));

    expect(wrote).toEqual([true, false]);
    expect(newLines()).toMatchObject([
      { level: 'error', msg: 'bug in the exporter, please report it', stack: 'at x.ts' },
    ]);
  });

  it('ends without a line when another one begins', () => {
    const { failures, newLines } = failureLog();

    for (const reason of ['network', 'auth', 'auth'] as const)
      failures.failed(poller('shop', 'sites'), failure(reason));

    expect(newLines().map(({ reason, level }) => [reason, level])).toEqual([
      ['network', 'warn'],
      ['auth', 'error'],
    ]);
  });

  it('leaves out the pollers of an account that is no longer polled', () => {
    const { failures, newLines } = failureLog();
    const [shop, blog, only] = [poller('shop', 'sites'), poller('blog', 'sites'), poller('shop', 'domains')];
    for (const one of [shop, blog]) failures.failed(one, failure('http'));
    failures.failed(only, failure('method'));
    newLines();

    failures.forget([shop, only]);
    const forgotten = newLines();
    const wrote = failures.succeeded(blog);

    expect([forgotten, wrote]).toEqual([[], true]);
    // The forgotten cause begins again.
    expect(failures.failed(only, failure('method'))).toBe(true);
  });
});

describe('the cause of a failure', () => {
  const other = poller('blog', 'sites', 'site/getList', 'https://other.example.com');
  const [sites, domains, blog] = [poller('shop', 'sites'), poller('shop', 'domains'), poller('blog', 'account')];

  it.each([
    ['network', false],
    ['timeout', false],
    ['http', false],
    ['payload', false],
  ] as const)('%s is the server, for all of its accounts', (reason, accepted) => {
    const { failures, newLines } = failureLog();

    const wrote = [sites, blog, other].map((one) => failures.failed(one, { ...failure(reason), accepted }));

    expect(wrote).toEqual([true, false, true]);
    expect(newLines().map(({ api }) => api)).toEqual(['https://api.example.com', 'https://other.example.com']);
  });

  it.each(['payload', 'method', 'request', 'api'] as const)('%s is the collector', (reason) => {
    const { failures, newLines } = failureLog();

    for (const one of [sites, domains, blog]) failures.failed(one, { ...failure(reason), accepted: true });

    expect(newLines().map(({ api, account, collector }) => [api, account, collector])).toEqual([
      [undefined, 'shop', 'sites'],
      [undefined, 'shop', 'domains'],
      [undefined, 'blog', 'account'],
    ]);
  });

  it.each(['auth', 'limit'] as const)('%s is the account', (reason) => {
    const { failures } = failureLog();

    expect([sites, domains, blog].map((one) => failures.failed(one, failure(reason)))).toEqual([true, false, true]);
  });

  it.each([
    ['network', 'http', false],
    ['auth', 'limit', false],
    ['method', 'api', true],
    ['payload', 'request', true],
  ] as const)('%s differs from %s', (first, second, accepted) => {
    const { failures } = failureLog();
    // Two pollers that are equal in every part.
    const same = { ...sites };

    expect(failures.failed(sites, { ...failure(first), accepted })).toBe(true);
    expect(failures.failed(same, { ...failure(second), accepted })).toBe(true);
  });
});

describe('the end of a cause', () => {
  it('names the server, or the account and the collector', () => {
    const { failures, newLines } = failureLog();
    for (const [collector, reason] of [
      ['sites', 'http'],
      ['domains', 'method'],
    ] as const) {
      failures.failed(poller('shop', collector), failure(reason));
      failures.succeeded(poller('shop', collector));
    }

    const ends = newLines().filter(({ msg }) => msg === 'polls succeed again');

    expect(ends.map(({ api, account, collector, reason }) => [api, account, collector, reason])).toEqual([
      ['https://api.example.com', undefined, undefined, 'http'],
      [undefined, 'shop', 'domains', 'method'],
    ]);
  });

  it('says since when it lasted, from a minute on', () => {
    const { failures, newLines } = failureLog();
    const sinceAfter = (milliseconds: number) => {
      failures.failed(poller('shop', 'sites'), failure('http'));
      vi.advanceTimersByTime(milliseconds);
      failures.succeeded(poller('shop', 'sites'));
      return newLines().at(-1)?.since;
    };

    expect([sinceAfter(minute - 1), sinceAfter(minute)]).toEqual([undefined, '2026-06-03T12:00:59.999Z']);
  });
});
