import { describe, expect, it } from 'vitest';
import type { FinishedPoll } from '../../../src/results/finished-poll.ts';
import { PollHistory, type RecentPoll } from '../../../src/results/poll-history.ts';
import { finishedPoll } from '../../fixtures/finished-poll.ts';

const start = Date.parse('2026-06-03T12:00:00Z');

function poll(minute: number, failure?: RecentPoll['failure']): FinishedPoll {
  const failures = failure === undefined ? [] : [{ ...failure, accepted: false }];
  return finishedPoll({ ended: start + minute * 60_000, seconds: 0.125, calls: minute, failures });
}

describe('the history of polls', () => {
  it('is empty before the first poll', () => {
    expect(new PollHistory().list()).toEqual([]);
  });

  it('lists the newest twenty polls, the newest first', () => {
    const history = new PollHistory();
    for (let minute = 0; minute < 50; minute += 1) history.add(poll(minute));

    expect(history.list()).toEqual(
      Array.from({ length: 20 }, (_, age) => ({
        ended: start + (49 - age) * 60_000,
        seconds: 0.125,
        calls: 49 - age,
        failure: undefined,
      })),
    );
  });

  it('keeps why polls failed, until later polls take their places', () => {
    const auth = { reason: 'auth', message: 'wrong' } as const;
    const http = { reason: 'http', message: 'wrong' } as const;
    const history = new PollHistory();
    for (const failure of [auth, { ...auth }, undefined, http]) history.add(poll(0, failure));

    const reasons = () => history.list().map(({ failure }) => failure?.reason);

    expect(reasons()).toEqual(['http', undefined, 'auth', 'auth']);
    expect(history.list()[3]?.failure).toBe(history.list()[2]?.failure);
    for (let count = 0; count < 19; count += 1) history.add(poll(0));
    expect(reasons().filter((reason) => reason !== undefined)).toEqual(['http']);
    history.add(poll(0));
    expect(reasons().filter((reason) => reason !== undefined)).toEqual([]);
  });
});
