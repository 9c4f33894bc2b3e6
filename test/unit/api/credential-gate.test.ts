import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CredentialGate } from '../../../src/api/credential-gate.ts';

const minute = 60_000;
const answer = 'mysql/getList: AUTH_ERROR: Wrong password';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Sends a call whose answer arrives a second later and rejects the secret. */
function reject(gate: CredentialGate, secret = 'wrong'): void {
  const sent = performance.now();
  vi.advanceTimersByTime(1000);
  gate.rejected(secret, sent, answer);
}

describe('the credential gate', () => {
  it('is open at first', async () => {
    const gate = new CredentialGate();

    expect(gate.isClosed).toBe(false);
    expect(gate.nextAttemptIn).toBeUndefined();
    await expect(gate.enter('any')).resolves.toBeDefined();
  });

  it('says in how many seconds, rounded up, the next attempt comes', async () => {
    const gate = new CredentialGate();
    gate.rejected('wrong', performance.now(), answer);
    vi.advanceTimersByTime(1001);

    await expect(gate.enter('wrong')).rejects.toThrow(
      `not sent: the API rejected the credentials (${answer}); next attempt in 4 s`,
    );
  });

  it('lets one attempt pass at a time, at increasing intervals up to an hour', async () => {
    const gate = new CredentialGate();
    const waits: (number | undefined)[] = [];
    for (let attempt = 0; attempt < 10; attempt += 1) {
      reject(gate);
      waits.push(gate.nextAttemptIn);
      await expect(gate.enter('wrong')).rejects.toThrow(
        `not sent: the API rejected the credentials (${answer}); next attempt in`,
      );
      vi.advanceTimersByTime(gate.nextAttemptIn ?? 0);
    }

    expect(waits.map((wait) => (wait ?? 0) / 1000)).toEqual([5, 20, 60, 120, 300, 900, 1800, 3600, 3600, 3600]);
  });

  it.each(['accepted', 'rejected'] as const)(
    'lets calls wait for the answer to an attempt that is %s',
    async (outcome) => {
      const gate = new CredentialGate();
      reject(gate);
      vi.advanceTimersByTime(5000);
      const attempt = await gate.enter('wrong');
      const others = Promise.allSettled([gate.enter('wrong'), gate.enter('wrong')]);

      if (outcome === 'accepted') gate.accepted();
      else reject(gate);
      attempt.end();

      expect((await others).map(({ status }) => status)).toEqual(
        outcome === 'accepted' ? ['fulfilled', 'fulfilled'] : ['rejected', 'rejected'],
      );
    },
  );

  it('lets the next call try if an attempt ends without an answer', async () => {
    const gate = new CredentialGate();
    reject(gate);
    vi.advanceTimersByTime(5000);
    const attempt = await gate.enter('wrong');
    const next = gate.enter('wrong');

    attempt.end();

    await expect(next).resolves.toBeDefined();
  });

  it('does not count the rejection of a call that was under way when it closed', () => {
    const gate = new CredentialGate();
    const sent = performance.now();
    reject(gate);

    gate.rejected('wrong', sent, answer);
    gate.rejected('wrong', sent, answer);

    expect(gate.nextAttemptIn).toBe(5000);
  });

  it('lets a changed secret pass immediately', async () => {
    const gate = new CredentialGate();
    reject(gate);

    await gate.enter('right');

    expect(gate.isClosed).toBe(false);
  });

  it('starts again with short intervals once accepted calls outlast the next interval', () => {
    const gate = new CredentialGate();
    for (let attempt = 0; attempt < 5; attempt += 1) reject(gate);

    gate.accepted();
    const open = gate.isClosed;
    vi.advanceTimersByTime(15 * minute);
    reject(gate);

    expect([open, gate.nextAttemptIn]).toEqual([false, 5000]);
  });

  it('lengthens the intervals further when accepted and rejected calls alternate', () => {
    const gate = new CredentialGate();
    const waits: (number | undefined)[] = [];
    for (let round = 0; round < 9; round += 1) {
      reject(gate);
      waits.push(gate.nextAttemptIn);
      vi.advanceTimersByTime(gate.nextAttemptIn ?? 0);
      gate.accepted();
    }

    expect(waits.map((wait) => (wait ?? 0) / 1000)).toEqual([5, 20, 60, 120, 300, 900, 1800, 3600, 3600]);
  });

  it('gives the error for waiting calls when it closes, but not after calls that were in progress then', () => {
    const gate = new CredentialGate();

    const closed = gate.rejected('wrong', performance.now(), answer);
    const inProgress = gate.rejected('wrong', performance.now(), answer);

    expect(closed).toMatchObject({
      reason: 'auth',
      accepted: false,
      message: `not sent: the API rejected the credentials (${answer}); next attempt in 5 s`,
    });
    expect(inProgress).toBeUndefined();
  });
});
