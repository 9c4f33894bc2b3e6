import { expect, it, onTestFinished, vi } from 'vitest';
import { databases } from '../../src/collectors/databases.ts';
import { accountConfig } from '../fixtures/config.ts';
import { fakeClock, polledAccount } from '../fixtures/polled-account.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';

it.each([
  ['an error', new TypeError('broken'), 'TypeError: broken', expect.stringContaining('poll.test.ts')],
  ['a text', 'broken', 'broken', undefined],
])('a bug that throws %s fails the poll with its stack, and is no answer', async (_what, thrown, message, stack) => {
  fakeClock('2026-06-03T12:00:00Z');
  const read = vi.spyOn(databases, 'read').mockImplementation(() => {
    throw thrown;
  });
  onTestFinished(() => read.mockRestore());
  const { baseUrl } = await scriptedApi();
  const { account, poller } = polledAccount(accountConfig({ api: { baseUrl }, collectors: ['databases'] }));

  await account.pollOnce();

  const failure = { reason: 'bug', message, stack, accepted: false };
  expect(poller('databases').newest).toMatchObject({ failures: [failure], calls: 1 });
  // A bug is not retried before the next run.
  expect(account.nextAttempt).toBe(poller('databases').nextRun);
});
