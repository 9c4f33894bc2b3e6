import { expect, it, onTestFinished } from 'vitest';
import { ApiClient } from '../../../src/api/client.ts';
import { Connections } from '../../../src/api/connections.ts';
import { ApiSession } from '../../../src/api/session.ts';
import { databases } from '../../../src/collectors/databases.ts';
import { AccountStore } from '../../../src/exposition/account-store.ts';
import { CallCounters } from '../../../src/exposition/call-counters.ts';
import { PageIndex } from '../../../src/exposition/page-index.ts';
import { scalarsFor } from '../../../src/payloads/scalars.ts';
import { FailureLog } from '../../../src/polling/failure-log.ts';
import { ListGuard } from '../../../src/polling/list-guard.ts';
import { type PollContext, pollList } from '../../../src/polling/poll.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';

async function createContext(): Promise<PollContext> {
  const { baseUrl } = await scriptedApi();
  const { api, credentials, name } = accountConfig({ api: { baseUrl } });
  const connections = new Connections(undefined);
  const session = new ApiSession(api.requestsPerMinute);
  onTestFinished(async () => {
    session.budget.close();
    await connections.destroy();
  });
  const { log } = recordedLog();
  return {
    name,
    client: new ApiClient(api, credentials, connections, session, { onSent: () => {}, onEnd: () => {} }),
    scalars: scalarsFor(api),
    store: new AccountStore(new PageIndex()),
    calls: new CallCounters(),
    log,
    failureLog: new FailureLog(log),
    server: baseUrl,
    readTime: () => ({ now: Date.now(), settled: Date.now() }),
    signal: new AbortController().signal,
  };
}

const limits = { maxAge: () => 60_000, maxSeries: 100 };

it.each([
  ['an error', new TypeError('broken'), 'TypeError: broken', expect.stringContaining('poll.test.ts')],
  ['a text', 'broken', 'broken', undefined],
])(
  'a bug that throws %s fails the poll with its stack, and does not count as an answer of the API',
  async (_what, thrown, message, stack) => {
    const broken = {
      ...databases,
      read: () => {
        throw thrown;
      },
    };

    const outcome = await pollList(await createContext(), broken, new ListGuard(), limits);

    const failure = { reason: 'bug', message, stack, accepted: false };
    expect(outcome).toEqual({ failures: [failure], decisive: failure, calls: 1, droppedSeries: 0, list: undefined });
  },
);

it('a successful poll gives its list on to those that follow it', async () => {
  const context = await createContext();

  const outcome = await pollList(context, databases, new ListGuard(), limits);

  expect(outcome).toEqual({
    failures: [],
    decisive: undefined,
    calls: 1,
    droppedSeries: 0,
    list: { payload: [], isComplete: true },
  });
  expect(context.store.payload('databases', '')?.complete).toBe(true);
});
