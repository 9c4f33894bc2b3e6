import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FailureLog, type ReportedPoll } from '../../../src/polling/failure-log.ts';
import type { PollFailure } from '../../../src/results/finished-poll.ts';
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

const polls = new Map<string, ReportedPoll>();

/** The same object for the same collector of an account, as its poller has it. */
function poll(account: string, collector: string, section = 'stat'): ReportedPoll {
  const key = [account, collector, section].join();
  const known = polls.get(key) ?? { account, collector, server: 'https://api.example.com', section };
  polls.set(key, known);
  return known;
}

function failure(reason: PollFailure['reason'], message: string = reason): PollFailure {
  return { reason, message, accepted: reason === 'permission' || reason === 'method' };
}

describe('one cause', () => {
  it('has one line for a dead server of 150 accounts, and one with the number of accounts', () => {
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

  it('has one line for a problem of this machine that affects many accounts, and one for another problem', () => {
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

  it('has one line for rejected credentials, and one when the last collector succeeds', () => {
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

  it('has one line for each section without permission', () => {
    const { failures, newLines } = failureLog();
    const denied = failure('permission');

    failures.failed(poll('shop', 'site_load', 'stat'), denied);
    failures.failed(poll('shop', 'database_load', 'stat'), denied);
    failures.failed(poll('shop', 'databases', 'mysql'), denied);

    expect(newLines().map(({ collector }) => collector)).toEqual(['site_load', 'databases']);
  });

  it('is logged as a bug, with its stack trace', () => {
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
      'polls fail intermittently, next report in an hour',
      'polls failed intermittently in the last hour',
    ]);
    expect(newLines().map(({ msg }) => msg)).toEqual([
      'polls failed intermittently in the last hour',
      'polls succeed again',
    ]);
  });
});

describe('the cause of a failure', () => {
  const other = { ...poll('blog', 'sites'), server: 'https://other.example.com' };

  it.each([
    ['network', false],
    ['timeout', false],
    ['http', false],
    ['payload', false],
  ] as const)('%s is the server, for all of its accounts', (reason, accepted) => {
    const { failures, newLines } = failureLog();
    const given = { ...failure(reason), accepted };

    const wrote = [poll('shop', 'sites'), poll('blog', 'account'), other].map((one) => failures.failed(one, given));

    expect(wrote).toEqual([true, false, true]);
    expect(newLines().map(({ api }) => api)).toEqual(['https://api.example.com', 'https://other.example.com']);
  });

  it.each([
    ['payload', true],
    ['method', true],
    ['request', true],
    ['api', true],
  ] as const)('%s is the collector', (reason, accepted) => {
    const { failures, newLines } = failureLog();
    const polls = [poll('shop', 'sites'), poll('shop', 'domains'), poll('blog', 'sites')];

    const wrote = polls.map((one) => failures.failed(one, { ...failure(reason), accepted }));

    expect(wrote).toEqual([true, true, true]);
    expect(newLines().map(({ api, account, collector }) => [api, account, collector])).toEqual([
      [undefined, 'shop', 'sites'],
      [undefined, 'shop', 'domains'],
      [undefined, 'blog', 'sites'],
    ]);
  });

  it.each(['auth', 'limit'] as const)('%s is the account', (reason) => {
    const { failures } = failureLog();
    const polls = [poll('shop', 'sites'), poll('shop', 'domains'), poll('blog', 'sites')];

    expect(polls.map((one) => failures.failed(one, failure(reason)))).toEqual([true, false, true]);
  });
});

it.each([
  ['network', 'http', false],
  ['auth', 'limit', false],
  ['method', 'api', true],
  ['payload', 'request', true],
] as const)('the failures %s and %s are two causes', (first, second, accepted) => {
  const { failures } = failureLog();
  const { account, collector, server, section } = poll('shop', 'sites');
  // Two polls of which every other part is the same.
  const same = { account, collector, server, section };

  expect(failures.failed(poll('shop', 'sites'), { ...failure(first), accepted })).toBe(true);
  expect(failures.failed(same, { ...failure(second), accepted })).toBe(true);
});

describe('the end of a cause', () => {
  it('names the server, or the account and the collector', () => {
    const { failures, newLines } = failureLog();
    for (const [collector, reason] of [
      ['sites', 'http'],
      ['domains', 'method'],
    ] as const) {
      failures.failed(poll('shop', collector), failure(reason));
      failures.succeeded(poll('shop', collector));
    }

    const ends = newLines().filter(({ msg }) => msg === 'polls succeed again');

    expect(ends.map(({ api, account, collector, reason }) => [api, account, collector, reason])).toEqual([
      ['https://api.example.com', undefined, undefined, 'http'],
      [undefined, 'shop', 'domains', 'method'],
    ]);
  });

  it('is one line, not one for each later success', () => {
    const { failures } = failureLog();
    failures.failed(poll('shop', 'sites'), failure('http'));

    const wrote = [1, 2, 3].map(() => failures.succeeded(poll('shop', 'sites')));

    expect(wrote).toEqual([true, false, false]);
  });

  it('stops its reminders', () => {
    const { failures, newLines } = failureLog();
    failures.failed(poll('shop', 'sites'), failure('http'));
    vi.advanceTimersByTime(30 * minute);
    failures.succeeded(poll('shop', 'sites'));
    newLines();

    vi.advanceTimersByTime(3 * hour);

    expect(newLines()).toEqual([]);
  });

  it('says since when it lasted, from a minute on', () => {
    const { failures, newLines } = failureLog();
    const sinceAfter = (milliseconds: number) => {
      failures.failed(poll('shop', 'sites'), failure('http'));
      vi.advanceTimersByTime(milliseconds);
      failures.succeeded(poll('shop', 'sites'));
      const since = newLines().at(-1)?.since;
      vi.advanceTimersByTime(2 * hour);
      return since;
    };

    expect([sinceAfter(minute - 1), sinceAfter(minute)]).toEqual([undefined, '2026-06-03T14:00:59.999Z']);
  });

  it.each([
    [0, ['poll failed', 'polls succeed again']],
    [1, ['polls fail intermittently, next report in an hour']],
  ])(
    'is forgotten after an hour, and not %i ms earlier, so that the next failure is a new cause',
    (early, expected) => {
      const { failures, newLines } = failureLog();
      const failAndSucceed = () => {
        failures.failed(poll('shop', 'sites'), failure('http'));
        failures.succeeded(poll('shop', 'sites'));
      };
      vi.advanceTimersByTime(early);
      failAndSucceed();
      failAndSucceed();
      newLines();

      // The log looks at its causes at full minutes.
      vi.advanceTimersByTime(hour - early);
      failAndSucceed();

      expect(newLines().map(({ msg }) => msg)).toEqual(expected);
    },
  );

  it('without a poll, of a cause of one collector that came and went, names none', () => {
    const { failures, newLines } = failureLog();
    for (let time = 0; time < 4; time += 1) {
      failures.failed(poll('shop', 'sites'), failure('method'));
      failures.succeeded(poll('shop', 'sites'));
    }

    vi.advanceTimersByTime(2 * hour);

    expect(newLines().at(-1)).toMatchObject({ msg: 'polls succeed again', reason: 'method' });
  });
});

describe('a reminder', () => {
  it('counts the failed polls since the line before, if there are several', () => {
    const { failures, newLines } = failureLog();
    const failTimes = (count: number) => {
      for (let time = 0; time < count; time += 1) failures.failed(poll('shop', 'sites'), failure('http'));
      vi.advanceTimersByTime(hour);
      return newLines().map(({ failed_polls: count }) => count);
    };
    failures.failed(poll('shop', 'sites'), failure('http'));
    const [first] = newLines();

    const counts = [failTimes(3), failTimes(2), failTimes(1), failTimes(0)];

    expect(first.failed_polls).toBeUndefined();
    expect(counts).toEqual([[3], [2], [undefined], [undefined]]);
  });

  it('of a cause that comes and goes is only written for failures, an hour after the line before', () => {
    const { failures, newLines } = failureLog();
    for (let time = 0; time < 3; time += 1) {
      if (time > 0) failures.succeeded(poll('shop', 'sites'));
      failures.failed(poll('shop', 'sites'), failure('http'));
    }
    newLines();

    vi.advanceTimersByTime(3 * hour);
    const quiet = newLines();
    failures.failed(poll('shop', 'sites'), failure('http'));
    vi.advanceTimersByTime(minute);
    const first = newLines();
    failures.failed(poll('shop', 'sites'), failure('http'));
    vi.advanceTimersByTime(59 * minute);
    const early = newLines();
    vi.advanceTimersByTime(minute);

    expect([quiet, early]).toEqual([[], []]);
    for (const lines of [first, newLines()]) {
      expect(lines.map(({ msg }: { msg: string }) => msg)).toEqual(['polls failed intermittently in the last hour']);
    }
  });

  it('reports more polls of the same cause once their number has doubled', () => {
    const { failures, newLines } = failureLog();
    const reportedAfter = (...accounts: readonly string[]) => {
      for (const account of accounts) failures.failed(poll(account, 'sites'), failure('http'));
      vi.advanceTimersByTime(minute);
      return newLines().map(({ accounts: count }) => count);
    };
    reportedAfter('a');

    const reported = [reportedAfter('b'), reportedAfter('c'), reportedAfter('d'), reportedAfter('e', 'f', 'g')];

    expect(reported).toEqual([[2], [], [4], []]);
  });

  it('does not report more collectors of a section without permission', () => {
    const { failures, newLines } = failureLog();
    for (const collector of ['site_load', 'database_load', 'site_load_detail']) {
      failures.failed(poll('shop', collector), failure('permission'));
    }
    newLines();

    vi.advanceTimersByTime(30 * minute);

    expect(newLines()).toEqual([]);
  });

  it('is not written after the log was stopped', () => {
    const { failures, newLines } = failureLog();
    failures.failed(poll('shop', 'sites'), failure('http'));
    newLines();

    failures.stop();
    vi.advanceTimersByTime(3 * hour);

    expect(newLines()).toEqual([]);
  });
});

describe('an account that is no longer polled', () => {
  it('leaves the others of its cause, which still end it', () => {
    const { failures, newLines } = failureLog();
    failures.failed(poll('shop', 'sites'), failure('http'));
    failures.failed(poll('blog', 'sites'), failure('http'));
    newLines();

    failures.forget('shop');
    vi.advanceTimersByTime(hour);
    const reminder = newLines();
    const wrote = failures.succeeded(poll('blog', 'sites'));

    expect(reminder).toMatchObject([{ msg: 'polls still fail', account: 'blog' }]);
    expect(wrote).toBe(true);
  });
});

describe('whether a line was written', () => {
  it('is known for each failure and success of a cause that comes and goes', () => {
    const { failures } = failureLog();
    const wrote: (readonly [boolean, boolean])[] = [];

    for (let time = 0; time < 4; time += 1) {
      wrote.push([failures.failed(poll('shop', 'sites'), failure('http')), failures.succeeded(poll('shop', 'sites'))]);
    }

    expect(wrote).toEqual([
      [true, true],
      [true, true],
      [true, false],
      [false, false],
    ]);
  });

  it('is false for a success before all polls of the cause succeed, and for a repeated failure', () => {
    const { failures } = failureLog();
    failures.failed(poll('shop', 'sites'), failure('http'));
    failures.failed(poll('shop', 'domains'), failure('http'));

    const wrote = [
      failures.failed(poll('shop', 'domains'), failure('http')),
      failures.succeeded(poll('shop', 'domains')),
      failures.succeeded(poll('shop', 'sites')),
    ];

    expect(wrote).toEqual([false, false, true]);
  });
});
