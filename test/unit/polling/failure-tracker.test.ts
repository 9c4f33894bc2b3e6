import { describe, expect, it } from 'vitest';
import { type Failure, reasons } from '../../../src/api/error.ts';
import { backups } from '../../../src/collectors/backups.ts';
import { siteLoadDetail } from '../../../src/collectors/site-load-detail.ts';
import { FailureTracker } from '../../../src/polling/failure-tracker.ts';

function failure(reason: Failure['reason']): Failure {
  return { reason, message: reason, accepted: true };
}

function track(...events: readonly (Failure['reason'] | 'success')[]): FailureTracker {
  const tracker = new FailureTracker(siteLoadDetail);
  for (const event of events) {
    if (event === 'success') tracker.addSuccess();
    else tracker.add(failure(event));
  }
  return tracker;
}

describe('a fan-out', () => {
  it.each([...reasons, 'bug'] as const)('is abandoned by failures with the reason %s as documented', (reason) => {
    const limits: Partial<Record<Failure['reason'], number>> = {
      auth: 1,
      permission: 1,
      network: 3,
      timeout: 3,
      http: 3,
      limit: 3,
      local: 3,
    };
    const failures = Array.from({ length: 20 }, () => reason);

    const abandonedAt = failures.findIndex((_, index) => track(...failures.slice(0, index + 1)).abandoned.aborted);

    expect(abandonedAt + 1).toBe(limits[reason] ?? 0);
  });

  it('with several methods is not abandoned by a missing permission, which may concern one of them', () => {
    const tracker = new FailureTracker(backups);

    tracker.add(failure('permission'));
    tracker.add(failure('permission'));

    expect(backups.methods.length).toBeGreaterThan(1);
    expect(tracker.abandoned.aborted).toBe(false);
  });

  it.each([
    ['a success', 'success'],
    ['a failure of one item', 'method'],
  ] as const)('counts failures in a row from zero after %s', (_what, event) => {
    expect(track('http', 'http', event, 'http', 'http').abandoned.aborted).toBe(false);
    expect(track('http', 'http', event, 'http', 'http', 'http').abandoned.aborted).toBe(true);
  });

  it.each([
    [[], undefined],
    [['success'], undefined],
    [['method', 'http'], 'method'],
    [['http', 'auth', 'network'], 'auth'],
    [['method', 'permission'], 'permission'],
  ] as const)('is retried after %j because of %s', (events, reason) => {
    expect(track(...events).failures[0]?.reason).toBe(reason);
  });

  it('with several methods is retried because of a failure other than a missing permission', () => {
    const tracker = new FailureTracker(backups);
    tracker.add(failure('permission'));
    const alone = tracker.failures[0]?.reason;
    tracker.add(failure('timeout'));

    expect([alone, tracker.failures[0]?.reason]).toEqual(['permission', 'timeout']);
  });
});
