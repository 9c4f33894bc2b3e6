import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CredentialGate } from '../../src/api/credential-gate.ts';

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
  vi.advanceTimersByTime(1000);
  gate.rejected(secret, false, answer);
}

it('admits one call with an unproven secret, and several calls after the API has accepted a call', () => {
  const gate = new CredentialGate();
  const before = [gate.admit('right'), gate.nextAttemptIn('right')];

  gate.accepted('right');

  expect([...before, gate.admit('right'), gate.nextAttemptIn('right')]).toEqual([false, 0, true, undefined]);
  expect(gate.admit('other')).toBe(false);
});

it('keeps the intervals of a secret when the API rejects or accepts another secret', () => {
  const gate = new CredentialGate();
  for (const secret of ['wrong', 'other', 'wrong', 'other']) reject(gate, secret);
  gate.accepted('right');

  expect([gate.nextAttemptIn('wrong'), gate.nextAttemptIn('other')]).toEqual([19_000, 20_000]);
  expect(() => gate.admit('wrong')).toThrow('next attempt in 19 s');
  expect(gate.nextAttemptIn('right')).toBeUndefined();
});

it('says in how many seconds, rounded up, the next attempt comes', () => {
  const gate = new CredentialGate();
  gate.rejected('wrong', false, answer);
  vi.advanceTimersByTime(1001);

  const message = `not sent: the API rejected the credentials (${answer}); next attempt in 4 s`;
  expect(() => gate.admit('wrong')).toThrow(expect.objectContaining({ message, reason: 'auth' }));
});

it('lets single attempts pass, at increasing intervals up to an hour', () => {
  const gate = new CredentialGate();
  const waits: (number | undefined)[] = [];
  for (let attempt = 0; attempt < 10; attempt += 1) {
    reject(gate);
    waits.push(gate.nextAttemptIn('wrong'));
    expect(() => gate.admit('wrong'), `attempt ${attempt}`).toThrow(
      `not sent: the API rejected the credentials (${answer}); next attempt in`,
    );
    vi.advanceTimersByTime(gate.nextAttemptIn('wrong') ?? 0);
  }

  expect(waits.map((wait) => (wait ?? 0) / 1000)).toEqual([5, 20, 60, 120, 300, 900, 1800, 3600, 3600, 3600]);
});

it.each([-120, 120])('keeps its intervals when the wall clock changes by %i minutes', (minutes) => {
  const gate = new CredentialGate();
  reject(gate);

  vi.setSystemTime(Date.now() + minutes * minute);
  const waits = [gate.nextAttemptIn('wrong')];
  vi.advanceTimersByTime(5000);
  waits.push(gate.nextAttemptIn('wrong'));

  expect(waits).toEqual([5000, 0]);
});

it('does not count the rejection of a call that began before the gate closed', () => {
  const gate = new CredentialGate();
  gate.accepted('wrong');
  for (let call = 0; call < 3; call += 1) gate.rejected('wrong', true, answer);

  expect(gate.nextAttemptIn('wrong')).toBe(5000);
});

it('lets a changed secret pass immediately', () => {
  const gate = new CredentialGate();
  reject(gate);

  expect(gate.admit('right')).toBe(false);
});

it('starts again with short intervals after the secret was accepted', () => {
  const gate = new CredentialGate();
  for (let attempt = 0; attempt < 5; attempt += 1) reject(gate);

  gate.accepted('wrong');
  const whenAccepted = [gate.nextAttemptIn('wrong'), gate.snapshot()];
  reject(gate);

  expect([...whenAccepted, gate.nextAttemptIn('wrong')]).toEqual([undefined, undefined, 5000]);
});

it('continues the saved rejection with the most attempts, if accounts with the same login have saved several', () => {
  const gate = new CredentialGate();
  const now = Date.now();

  gate.restore({ secret: 'wrong', count: 4, rejected: now, nextAttempt: now + 2 * minute });
  gate.restore({ secret: 'wrong', count: 2, rejected: now - minute, nextAttempt: now - 40_000 });

  expect(gate.nextAttemptIn('wrong')).toBe(2 * minute);
});

it('continues no rejection of a secret that the API has accepted', () => {
  const gate = new CredentialGate();
  gate.accepted('right');

  gate.restore({ secret: 'right', count: 4, rejected: Date.now() - minute, nextAttempt: Date.now() + minute });

  expect([gate.nextAttemptIn('right'), gate.snapshot()]).toEqual([undefined, undefined]);
});
