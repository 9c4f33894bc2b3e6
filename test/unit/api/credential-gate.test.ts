import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Priority } from '../../../src/api/budget.ts';
import { CredentialGate } from '../../../src/api/credential-gate.ts';

const minute = 60_000;
const { signal } = new AbortController();
const answer = 'mysql/getList: AUTH_ERROR: Wrong password';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Sends a call whose answer arrives a second later and rejects the secret. */
function reject(gate: CredentialGate, secret = 'wrong'): void {
  vi.advanceTimersByTime(1000);
  gate.rejected(secret, false, answer);
}

/** Makes a call that is answered at once. */
function pass(gate: CredentialGate, secret: string): Promise<string> {
  return gate.attempt(secret, 'list', signal, async () => 'answer');
}

/** Starts a call that ends only when the test ends it. */
function startCall(gate: CredentialGate, secret: string, priority: Priority = 'list') {
  const call = Promise.withResolvers<void>();
  let isSent = false;
  const ended = gate.attempt(secret, priority, signal, () => {
    isSent = true;
    return call.promise;
  });
  return { isSent: () => isSent, end: call.resolve, ended };
}

/** Resolves after everything that follows from the previous step. */
async function turn(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

describe('the credential gate', () => {
  it('lets calls with an unproven secret pass one at a time, by priority, and all at once after one was accepted', async () => {
    const gate = new CredentialGate();
    const first = startCall(gate, 'right');
    const others = [startCall(gate, 'right', 'fan-out'), startCall(gate, 'right', 'account')];
    const waits = [gate.nextAttemptIn('right')];
    await turn();
    const alone = [first, ...others].map(({ isSent }) => isSent());
    first.end();
    await turn();
    const afterNoAnswer = others.map(({ isSent }) => isSent());

    gate.accepted('right');
    others[1]?.end();
    await turn();

    expect([alone, afterNoAnswer]).toEqual([
      [true, false, false],
      [false, true],
    ]);
    expect(others.map(({ isSent }) => isSent())).toEqual([true, true]);
    expect([...waits, gate.nextAttemptIn('right'), gate.isProven('right')]).toEqual([0, undefined, true]);
  });

  it('lets calls with another secret wait for the attempt, too', async () => {
    const gate = new CredentialGate();
    const slow = startCall(gate, 'one');
    const other = startCall(gate, 'other');
    await vi.advanceTimersByTimeAsync(55_000);
    const before = other.isSent();

    slow.end();
    await turn();

    expect([before, other.isSent()]).toEqual([false, true]);
  });

  it('does not keep a call that is no longer wanted waiting', async () => {
    const gate = new CredentialGate();
    startCall(gate, 'slow');
    const unwanted = new AbortController();
    const waiting = gate.attempt('slow', 'list', unwanted.signal, async () => {});
    const reason = new Error('the account was removed');

    unwanted.abort(reason);

    await expect(waiting).rejects.toBe(reason);
  });

  it('does not reset the intervals of a secret when another one is rejected or accepted', async () => {
    const gate = new CredentialGate();
    for (const secret of ['wrong', 'other', 'wrong', 'other']) reject(gate, secret);
    gate.accepted('right');

    expect([gate.nextAttemptIn('wrong'), gate.nextAttemptIn('other')]).toEqual([19_000, 20_000]);
    await expect(pass(gate, 'wrong')).rejects.toThrow('next attempt in 19 s');
    expect(gate.nextAttemptIn('right')).toBeUndefined();
  });

  it('says in how many seconds, rounded up, the next attempt comes', async () => {
    const gate = new CredentialGate();
    gate.rejected('wrong', false, answer);
    vi.advanceTimersByTime(1001);

    await expect(pass(gate, 'wrong')).rejects.toThrow(
      `not sent: the API rejected the credentials (${answer}); next attempt in 4 s`,
    );
  });

  it('lets one attempt pass at a time, at increasing intervals up to an hour', async () => {
    const gate = new CredentialGate();
    const waits: (number | undefined)[] = [];
    for (let attempt = 0; attempt < 10; attempt += 1) {
      reject(gate);
      waits.push(gate.nextAttemptIn('wrong'));
      await expect(pass(gate, 'wrong')).rejects.toThrow(
        `not sent: the API rejected the credentials (${answer}); next attempt in`,
      );
      vi.advanceTimersByTime(gate.nextAttemptIn('wrong') ?? 0);
    }

    expect(waits.map((wait) => (wait ?? 0) / 1000)).toEqual([5, 20, 60, 120, 300, 900, 1800, 3600, 3600, 3600]);
  });

  it.each(['accepted', 'rejected'] as const)(
    'lets calls wait for the answer to an attempt that is %s',
    async (outcome) => {
      const gate = new CredentialGate();
      reject(gate);
      vi.advanceTimersByTime(5000);
      const attempt = startCall(gate, 'wrong');
      const others = Promise.allSettled([pass(gate, 'wrong'), pass(gate, 'wrong')]);

      if (outcome === 'accepted') gate.accepted('wrong');
      else reject(gate);
      attempt.end();

      expect((await others).map(({ status }) => status)).toEqual(
        outcome === 'accepted' ? ['fulfilled', 'fulfilled'] : ['rejected', 'rejected'],
      );
    },
  );

  it.each([-120, 120])('keeps its intervals when the wall clock changes by %i minutes', (minutes) => {
    const gate = new CredentialGate();
    reject(gate);

    vi.setSystemTime(Date.now() + minutes * minute);
    const waits = [gate.nextAttemptIn('wrong')];
    vi.advanceTimersByTime(5000);
    waits.push(gate.nextAttemptIn('wrong'));

    expect(waits).toEqual([5000, 0]);
  });

  it('lets the next call try if an attempt ends without an answer', async () => {
    const gate = new CredentialGate();
    reject(gate);
    vi.advanceTimersByTime(5000);
    const attempt = startCall(gate, 'wrong');
    const next = pass(gate, 'wrong');

    attempt.end();

    expect(await next).toBe('answer');
  });

  it('does not count the rejection of a call that was under way when it closed', () => {
    const gate = new CredentialGate();
    gate.accepted('wrong');
    for (let call = 0; call < 3; call += 1) gate.rejected('wrong', true, answer);

    expect(gate.nextAttemptIn('wrong')).toBe(5000);
  });

  it('lets a changed secret pass immediately', async () => {
    const gate = new CredentialGate();
    reject(gate);

    expect(await pass(gate, 'right')).toBe('answer');
  });

  it('starts again with short intervals after the secret was accepted', () => {
    const gate = new CredentialGate();
    for (let attempt = 0; attempt < 5; attempt += 1) reject(gate);

    gate.accepted('wrong');
    const whenAccepted = [gate.nextAttemptIn('wrong'), gate.snapshot()];
    reject(gate);

    expect([...whenAccepted, gate.nextAttemptIn('wrong')]).toEqual([undefined, undefined, 5000]);
  });

  it('gives the error for waiting calls when it closes, but not after calls that were in progress then', () => {
    const gate = new CredentialGate();
    gate.accepted('wrong');

    const closed = gate.rejected('wrong', true, answer);
    const inProgress = gate.rejected('wrong', true, answer);

    expect(closed).toMatchObject({
      reason: 'auth',
      accepted: false,
      message: `not sent: the API rejected the credentials (${answer}); next attempt in 5 s`,
    });
    expect(inProgress).toBeUndefined();
  });

  it('gives no error for waiting calls if the secret was not accepted before, because such calls have not passed', () => {
    const gate = new CredentialGate();
    gate.accepted('right');

    expect(gate.rejected('wrong', false, answer)).toBeUndefined();
  });

  it('continues the rejection with the most attempts, although accounts with the same login have saved different ones', () => {
    const gate = new CredentialGate();
    const now = Date.now();

    gate.restore({ secret: 'wrong', count: 4, rejected: now, nextAttempt: now + 2 * minute });
    gate.restore({ secret: 'wrong', count: 2, rejected: now - minute, nextAttempt: now - 40_000 });

    expect(gate.nextAttemptIn('wrong')).toBe(2 * minute);
  });
});
