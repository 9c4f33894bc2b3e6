import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiSession, type SessionSnapshot } from '../../../src/api/session.ts';
import { newSession } from '../../fixtures/new-session.ts';

const now = Date.parse('2026-06-03T12:00:00Z');
const minute = 60_000;
const hour = 60 * minute;
const wrongPassword = 'Username/password incorrect';

beforeEach(() => {
  vi.useFakeTimers({ now });
  // A process has run for a while, so that the monotonic clock differs from one that starts at 0.
  vi.advanceTimersByTime(hour);
  return () => vi.useRealTimers();
});

function restored(snapshot: Partial<SessionSnapshot>, requestsPerMinute = 30): ApiSession {
  const session = new ApiSession(requestsPerMinute);
  session.restore({ ...newSession, ...snapshot });
  return session;
}

/** Milliseconds until a call starts. */
async function waitOf({ budget }: ApiSession): Promise<number> {
  const before = Date.now();
  const started = budget.run('list', new AbortController().signal, async () => Date.now());
  await vi.advanceTimersByTimeAsync(3 * hour);
  return (await started) - before;
}

describe('a session', () => {
  it('has nothing to remember at first', () => {
    expect(new ApiSession(30).snapshot()).toMatchObject({ pausedUntil: undefined, rejection: undefined });
    expect(restored({}).snapshot()).toMatchObject({ ...newSession, nextCall: now });
  });

  it('is the same after a restart', async () => {
    const first = new ApiSession(30);
    await first.budget.run('list', new AbortController().signal, async () => {});
    // The pause ends before the next call is due.
    first.budget.pause(1500);
    first.gate.rejected('wrong', performance.now(), 'no');
    first.access.accepted('mysql/getList', first.access.sent());
    first.access.rejected('site/getList', 'auth', wrongPassword, first.access.sent());
    first.unknownMethods.set('backup/getFileBackupList', performance.now() + hour);
    first.offeredMethods.add('domain/getSubdomainList');
    first.dialect = 'provider';
    const snapshot = first.snapshot();

    expect(snapshot.nextCall).toBe(Date.now() + 2000);
    expect(snapshot.pausedUntil).toBe(Date.now() + 1500);
    expect(snapshot.rejection).toEqual({
      secret: 'wrong',
      count: 1,
      rejected: Date.now(),
      nextAttempt: Date.now() + 5000,
    });
    expect(snapshot.unknownMethods).toEqual([['backup/getFileBackupList', Date.now() + hour]]);
    expect(restored(snapshot).snapshot()).toEqual(snapshot);
  });

  it('does not share what it remembers with its snapshot', () => {
    const session = new ApiSession(30);
    session.access.accepted('mysql/getList', session.access.sent());
    const { access } = session.snapshot();

    session.access.rejected('mysql/getList', 'auth', wrongPassword, session.access.sent());

    expect(access.accepted).toHaveLength(1);
    expect(access.rejected).toEqual([]);
  });
});

describe('after a restart', () => {
  it.each([
    [1500, 1500],
    [9000, 2000],
    [-1, 0],
  ])('the next call that is due in %i ms starts after %i ms', async (due, wait) => {
    expect(await waitOf(restored({ nextCall: Date.now() + due }))).toBe(wait);
  });

  it.each([
    [10 * minute, 10 * minute],
    [2 * hour, hour],
    [0, 0],
    [-minute, 0],
  ])('a pause that ends in %i ms lasts %i ms', async (end, wait) => {
    const session = restored({ pausedUntil: Date.now() + end });

    expect(session.budget.pauseRemaining).toBe(wait);
    expect(await waitOf(session)).toBe(wait);
    expect(session.budget.pauseRemaining).toBe(0);
  });

  it.each([
    [1, 3000, 3000],
    [1, hour, 5000],
    [3, hour, minute],
    [1, -hour, 0],
  ])('the attempt after rejection %i that is due in %i ms comes after %i ms', (count, due, wait) => {
    const rejection = { secret: 'wrong', count, rejected: Date.now() - 1000, nextAttempt: Date.now() + due };

    expect(restored({ rejection }).gate.nextAttemptIn('wrong')).toBe(wait);
  });

  it('another rejection continues the intervals, unless its call was sent before the first', () => {
    const rejection = { secret: 'wrong', count: 2, rejected: Date.now() - 1000, nextAttempt: Date.now() };
    const session = restored({ rejection });

    session.gate.rejected('wrong', performance.now() - 1000, 'no');
    const late = session.gate.nextAttemptIn('wrong');
    session.gate.rejected('wrong', performance.now() - 999, 'no');

    expect([late, session.gate.nextAttemptIn('wrong')]).toEqual([0, minute]);
  });

  it('a rejection in the future does not make later ones look earlier', () => {
    const rejection = { secret: 'wrong', count: 1, rejected: Date.now() + hour, nextAttempt: Date.now() };
    const session = restored({ rejection });
    vi.advanceTimersByTime(1);

    session.gate.rejected('wrong', performance.now(), 'no');

    expect(session.gate.nextAttemptIn('wrong')).toBe(20_000);
  });

  it('a missing permission is still detected by the answers of before', () => {
    const access: SessionSnapshot['access'] = {
      sequence: 6,
      accepted: [['user/getAccountInfo', { sent: 3, answered: 4 }]],
      rejected: [['mysql/getList', { answered: 2, reason: 'auth' }]],
    };
    const session = restored({ access });

    const reason = session.access.rejected('mysql/getList', 'auth', wrongPassword, session.access.sent());

    expect(reason).toBe('permission');
    expect(session.snapshot().access.sequence).toBe(8);
  });

  it('an unknown method is called again after a day at the latest', () => {
    const session = restored({
      unknownMethods: [
        ['backup/getFileBackupList', Date.now() + 900 * hour],
        ['backup/getMysqlBackupList', Date.now() + minute],
      ],
      offeredMethods: ['domain/getSubdomainList'],
    });

    expect([...session.unknownMethods.values()]).toEqual([performance.now() + 24 * hour, performance.now() + minute]);
    expect([...session.offeredMethods]).toEqual(['domain/getSubdomainList']);
  });
});
