import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Failure } from '../../src/api/error.ts';
import type { Method } from '../../src/api/method.ts';
import { PollLog } from '../../src/polling/poll-log.ts';
import type { Poller } from '../../src/polling/poller.ts';
import { recordedLog } from '../fixtures/recorded-log.ts';

const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-06-03T12:00:00Z') });
  return () => vi.useRealTimers();
});

function pollLog() {
  const { log, lines } = recordedLog();
  const polls = new PollLog(log);
  /** The lines since the previous call, without those at the level debug. */
  const newLines = () =>
    lines.splice(0).flatMap((line) => (line.includes('"level":"debug"') ? [] : [JSON.parse(line)]));
  return { polls, newLines };
}

const pollers = new Map<string, Poller>();

/** The same object for the same collector of an account. */
function poller(
  account: string,
  collector: string,
  method: Method = 'stat/getDbLoad',
  server = 'https://api.example.com',
) {
  const key = [account, collector, server].join();
  const client = { api: { baseUrl: `${server}/api` } };
  const created = { account: { name: account, client }, collector: { name: collector, methods: [method] } };
  const known = pollers.get(key) ?? (created as unknown as Poller);
  pollers.set(key, known);
  return known;
}

function failure(reason: Failure['reason'], message: string = reason): Failure {
  return { reason, message, accepted: reason === 'permission' || reason === 'method' };
}

describe('one cause', () => {
  it('has one line for a dead server of 150 accounts, and one with the number of polls when all succeed again', () => {
    const { polls, newLines } = pollLog();
    const all = Array.from({ length: 150 }, (_, index) =>
      ['account', 'sites', 'databases'].map((collector) => poller(`a${index}`, collector)),
    ).flat();
    for (let poll = 0; poll < 3; poll += 1) {
      for (const one of all) polls.pollEnded(one, failure('network', 'connect ECONNREFUSED'));
      vi.advanceTimersByTime(minute);
    }
    const api = 'https://api.example.com';
    const begin = newLines();

    for (const one of all) polls.pollEnded(one, undefined);

    expect(begin).toMatchObject([{ level: 'warn', msg: 'poll failed', api, account: 'a0', collector: 'account' }]);
    const end = { api, reason: 'network', since: '2026-06-03T12:00:00.000Z', polls: 450 };
    expect(newLines()).toMatchObject([{ level: 'info', msg: 'polls succeed again', ...end }]);
  });

  it('has one line for a problem of this machine that affects many accounts, and one for another problem', () => {
    const { polls, newLines } = pollLog();
    for (const account of ['a', 'b', 'c']) {
      polls.pollEnded(poller(account, 'account'), failure('local', 'user/getAccountInfo: not sent: connect EMFILE'));
      polls.pollEnded(poller(account, 'sites'), failure('local', 'site/getList: not sent: connect EMFILE'));
    }
    polls.pollEnded(poller('d', 'account'), failure('local', 'user/getAccountInfo: not sent: password: no such file'));

    expect(newLines().map(({ account, error }) => [account, error])).toEqual([
      ['a', 'user/getAccountInfo: not sent: connect EMFILE'],
      ['d', 'user/getAccountInfo: not sent: password: no such file'],
    ]);
  });

  it('has one line for rejected credentials, and one when the last collector succeeds', () => {
    const { polls, newLines } = pollLog();
    for (const collector of ['account', 'sites']) polls.pollEnded(poller('shop', collector), failure('auth'));
    const begin = newLines();

    const ends = ['account', 'sites', 'sites'].map((collector) => {
      polls.pollEnded(poller('shop', collector), undefined);
      return newLines();
    });

    expect(begin).toMatchObject([
      { level: 'error', msg: 'the API rejects the credentials, pausing all calls of the account', account: 'shop' },
    ]);
    const end = { level: 'info', msg: 'the API accepts the credentials again', account: 'shop', reason: 'auth' };
    expect(ends).toMatchObject([[], [end], []]);
  });

  it('has one line for each section without permission', () => {
    const { polls, newLines } = pollLog();
    const denied = failure('permission');

    polls.pollEnded(poller('shop', 'site_load', 'stat/getSitesListLoad'), denied);
    polls.pollEnded(poller('shop', 'database_load', 'stat/getDbListLoad'), denied);
    polls.pollEnded(poller('shop', 'databases', 'mysql/getList'), denied);

    expect(newLines().map(({ collector }) => collector)).toEqual(['site_load', 'databases']);
  });

  it('is logged as a bug, with its stack trace', () => {
    const { polls, newLines } = pollLog();

    for (let poll = 0; poll < 2; poll += 1)
      polls.pollEnded(poller('shop', 'sites'), { ...failure('bug'), stack: 'x.ts' });

    const line = { level: 'error', msg: 'bug in the exporter, please report it', stack: 'x.ts' };
    expect(newLines()).toMatchObject([line]);
  });

  it('ends without a line when another cause begins', () => {
    const { polls, newLines } = pollLog();

    for (const reason of ['network', 'auth', 'auth', 'network'] as const) {
      polls.pollEnded(poller('shop', 'sites'), failure(reason));
    }

    expect(newLines().map(({ reason }) => reason)).toEqual(['network', 'auth', 'network']);
  });

  it('leaves out the pollers of an account that is no longer polled', () => {
    const { polls, newLines } = pollLog();
    const [shop, blog, only] = [poller('shop', 'sites'), poller('blog', 'sites'), poller('shop', 'domains')];
    for (const one of [shop, blog]) polls.pollEnded(one, failure('http'));
    polls.pollEnded(only, failure('method'));
    newLines();

    for (const one of [shop, only]) polls.forget(one);
    const forgotten = newLines();
    polls.pollEnded(blog, undefined);
    // The forgotten cause begins again.
    polls.pollEnded(only, failure('method'));

    expect(forgotten).toEqual([]);
    expect(newLines().map(({ msg, polls: affected }) => [msg, affected])).toEqual([
      ['polls succeed again', 2],
      ['poll failed', undefined],
    ]);
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
    const { polls, newLines } = pollLog();

    for (const one of [sites, blog, other]) polls.pollEnded(one, { ...failure(reason), accepted });

    expect(newLines().map(({ api }) => api)).toEqual(['https://api.example.com', 'https://other.example.com']);
  });

  it.each([
    ['payload', ['sites', 'domains', 'account']],
    ['method', ['sites', 'domains', 'account']],
    ['request', ['sites', 'domains', 'account']],
    ['api', ['sites', 'domains', 'account']],
    ['auth', ['sites', 'account']],
    ['limit', ['sites', 'account']],
  ] as const)('%s is the collector, or the account: lines for %j', (reason, expected) => {
    const { polls, newLines } = pollLog();

    for (const one of [sites, domains, blog]) polls.pollEnded(one, { ...failure(reason), accepted: true });

    const lines = newLines();
    expect(lines.map(({ collector }) => collector)).toEqual(expected);
    expect(lines.filter(({ api }) => api !== undefined)).toEqual([]);
  });
});

describe('the end of a cause', () => {
  it('names the server, or the account and the collector', () => {
    const { polls, newLines } = pollLog();
    for (const [collector, reason] of [
      ['sites', 'http'],
      ['domains', 'method'],
    ] as const) {
      polls.pollEnded(poller('shop', collector), failure(reason));
      polls.pollEnded(poller('shop', collector), undefined);
    }

    const ends = newLines().filter(({ msg }) => msg === 'polls succeed again');

    expect(ends.map(({ api, account, collector, reason }) => [api, account, collector, reason])).toEqual([
      ['https://api.example.com', undefined, undefined, 'http'],
      [undefined, 'shop', 'domains', 'method'],
    ]);
  });

  it('says since when the failure lasted, if it lasted at least a minute', () => {
    const { polls, newLines } = pollLog();
    const sinceAfter = (milliseconds: number) => {
      polls.pollEnded(poller('shop', 'sites'), failure('http'));
      vi.advanceTimersByTime(milliseconds);
      polls.pollEnded(poller('shop', 'sites'), undefined);
      return newLines().at(-1)?.since;
    };

    expect([sinceAfter(minute - 1), sinceAfter(minute)]).toEqual([undefined, '2026-06-03T12:00:59.999Z']);
  });
});
