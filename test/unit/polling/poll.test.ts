import { expect, it, onTestFinished } from 'vitest';
import { Connections } from '../../../src/api/connections.ts';
import { ApiSession } from '../../../src/api/session.ts';
import type { Collector } from '../../../src/collectors/collector.ts';
import { databases } from '../../../src/collectors/databases.ts';
import { AccountStore } from '../../../src/exposition/account-store.ts';
import { CallCounters } from '../../../src/exposition/call-counters.ts';
import { PageIndex } from '../../../src/exposition/collector-chunks.ts';
import { FailureLog } from '../../../src/polling/failure-log.ts';
import { ItemList } from '../../../src/polling/item-list.ts';
import { type PollContext, type PollTarget, pollItems } from '../../../src/polling/poll.ts';
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
    client: { api, credentials, connections, session, onCall: () => {} },
    store: new AccountStore(new PageIndex()),
    calls: new CallCounters(),
    log,
    failureLog: new FailureLog(log),
    server: baseUrl,
    settlingTime: 0,
    signal: new AbortController().signal,
  };
}

function targetOf(collector: Collector, onPayload: PollTarget['onPayload'] = () => {}): PollTarget {
  return { collector, items: new ItemList(collector, 100, []), maxAge: () => 60_000, onPayload };
}

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

    const outcome = await pollItems(await createContext(), targetOf(broken));

    const failure = { reason: 'bug', message, stack, accepted: false };
    expect(outcome).toEqual({ failures: [failure], calls: 1 });
  },
);

it('a successful poll gives its list on to those that follow it', async () => {
  const context = await createContext();

  const payloads: unknown[] = [];
  const outcome = await pollItems(
    context,
    targetOf(databases, (list) => payloads.push(list)),
  );

  expect(outcome).toEqual({ failures: [], calls: 1 });
  expect(payloads).toEqual([{ payload: [], isComplete: true }]);
  expect(context.store.payloads('databases').get('')?.complete).toBe(true);
});
