import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FailureLog } from '../../../src/polling/failure-log.ts';
import type { PollFailure } from '../../../src/polling/failure-tracker.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';

const minute = 60_000;
const hour = 60 * minute;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-06-03T12:00:00Z') });
  return () => vi.useRealTimers();
});

function failureLog() {
  const { log, lines } = recordedLog();
  const failures = new FailureLog(log);
  failures.start();
  onTestFinished(() => failures.stop());
  let read = 0;
  return {
    failures,
    /** The lines since the previous call. */
    newLines: () => {
      const parsed = lines.slice(read).map((line) => JSON.parse(line));
      read = lines.length;
      return parsed;
    },
  };
}

function poll(account: string, collector: string, section = 'stat') {
  return { account, collector, server: 'https://api.example.com', section };
}

function failure(reason: PollFailure['reason'], message: string = reason): PollFailure {
  return { reason, message, accepted: reason === 'permission' || reason === 'method' };
}

describe('one cause', () => {
  it('is one line for a dead server of 150 accounts, and one that reports their number', () => {
    const { failures, newLines } = failureLog();
    for (let account = 0; account < 150; account += 1) {
      for (const collector of ['account', 'sites', 'databases']) {
        failures.failed(poll(`a${account}`, collector), failure('network', 'connect ECONNREFUSED'));
      }
    }
    const first = newLines();

    vi.advanceTimersByTime(30 * minute);

    expect(first).toMatchObject([
      { level: 'warn', msg: 'poll failed', api: 'https://api.example.com', account: 'a0', collector: 'account' },
    ]);
    expect(newLines()).toMatchObject([
      {
        level: 'warn',
        msg: 'more polls fail for the same reason',
        accounts: 150,
        collectors: 'account, sites, databases',
        reason: 'network',
        since: '2026-06-03T12:00:00.000Z',
      },
    ]);
  });

  it('is one line for a problem of this machine that affects many accounts, and one for another problem', () => {
    const { failures, newLines } = failureLog();
    for (const account of ['a', 'b', 'c']) {
      failures.failed(poll(account, 'account'), failure('local', 'user/getAccountInfo: not sent: connect EMFILE'));
      failures.failed(poll(account, 'sites'), failure('local', 'site/getList: not sent: connect EMFILE'));
    }
    failures.failed(poll('d', 'account'), failure('local', 'user/getAccountInfo: not sent: password: no such file'));
    const first = newLines();

    vi.advanceTimersByTime(minute);

    expect(first.map(({ account, error }) => [account, error])).toEqual([
      ['a', 'user/getAccountInfo: not sent: connect EMFILE'],
      ['d', 'user/getAccountInfo: not sent: password: no such file'],
    ]);
    expect(newLines()).toMatchObject([{ msg: 'more polls fail for the same reason', accounts: 3, reason: 'local' }]);
  });

  it('is one line for rejected credentials, and one when the last collector succeeds', () => {
    const { failures, newLines } = failureLog();
    for (const collector of ['account', 'sites']) failures.failed(poll('shop', collector), failure('auth'));
    const first = newLines();

    failures.succeeded(poll('shop', 'account'));
    const between = newLines();
    failures.succeeded(poll('shop', 'sites'));

    expect(first).toMatchObject([
      { level: 'error', msg: 'the API rejects the credentials, pausing all calls of the account', account: 'shop' },
    ]);
    expect(between).toEqual([]);
    expect(newLines()).toMatchObject([
      { level: 'info', msg: 'the API accepts the credentials again', account: 'shop', reason: 'auth' },
    ]);
  });

  it('is one line for each section without permission', () => {
    const { failures, newLines } = failureLog();
    const denied = failure('permission');

    failures.failed(poll('shop', 'site_load', 'stat'), denied);
    failures.failed(poll('shop', 'database_load', 'stat'), denied);
    failures.failed(poll('shop', 'databases', 'mysql'), denied);

    expect(newLines().map(({ collector }) => collector)).toEqual(['site_load', 'databases']);
  });

  it('is a bug with its stack', () => {
    const { failures, newLines } = failureLog();

    failures.failed(poll('shop', 'sites'), { ...failure('bug'), stack: 'Error: at x.ts' });
    failures.failed(poll('shop', 'sites'), { ...failure('bug'), stack: 'Error: at x.ts' });

    expect(newLines()).toMatchObject([
      { level: 'error', msg: 'bug in the exporter, please report it', stack: 'Error: at x.ts' },
    ]);
  });
});

describe('a failure that lasts', () => {
  it('is reported every hour, with the newest message', () => {
    const { failures, newLines } = failureLog();
    failures.failed(poll('shop', 'sites'), failure('http', 'HTTP status 500'));
    failures.failed(poll('shop', 'sites'), failure('http', 'HTTP status 503'));
    newLines();

    vi.advanceTimersByTime(3 * hour + minute);

    const reminders = newLines();
    expect(reminders).toHaveLength(3);
    expect(reminders[0]).toMatchObject({ level: 'warn', msg: 'polls still fail', error: 'HTTP status 503' });
  });

  it('is a new line when the reason changes, and ends without one', () => {
    const { failures, newLines } = failureLog();
    failures.failed(poll('shop', 'sites'), failure('network'));
    failures.failed(poll('shop', 'sites'), failure('auth'));
    failures.failed(poll('shop', 'sites'), failure('auth'));
    const changes = newLines();

    vi.advanceTimersByTime(hour + minute);

    expect(changes.map(({ reason, level }) => [reason, level])).toEqual([
      ['network', 'warn'],
      ['auth', 'error'],
    ]);
    expect(newLines().map(({ reason, msg }) => [reason, msg])).toEqual([['auth', 'polls still fail']]);
  });

  it('is not reported for an account that is no longer polled', () => {
    const { failures, newLines } = failureLog();
    failures.failed(poll('shop', 'sites'), failure('http'));
    failures.failed(poll('blog', 'sites'), failure('method'));
    newLines();

    failures.forget('shop');
    failures.forget('blog');
    vi.advanceTimersByTime(3 * hour);

    expect(newLines()).toEqual([]);
  });
});

describe('a cause that comes and goes', () => {
  it('is reported hourly after the third time, and as ended after an hour without failures', () => {
    const { failures, newLines } = failureLog();
    for (let time = 0; time < 60; time += 1) {
      failures.failed(poll('shop', 'sites'), failure('http'));
      vi.advanceTimersByTime(minute);
      failures.succeeded(poll('shop', 'sites'));
      vi.advanceTimersByTime(minute);
    }
    const during = newLines();

    vi.advanceTimersByTime(2 * hour);

    expect(during.map(({ msg }) => msg)).toEqual([
      'poll failed',
      'polls succeed again',
      'poll failed',
      'polls succeed again',
      'polls fail and succeed by turns, next report in an hour',
      'polls failed and succeeded by turns in the last hour',
    ]);
    expect(newLines().map(({ msg }) => msg)).toEqual([
      'polls failed and succeeded by turns in the last hour',
      'polls succeed again',
    ]);
  });
});
