import { expect, it } from 'vitest';
import { accountConfig } from '../../fixtures/config.ts';
import { blockOf, expectNoBlock, repeat, success } from '../../fixtures/event-loop-block.ts';
import { polledAccount } from '../../fixtures/polled-account.ts';
import { httpServer } from '../../fixtures/servers.ts';

// Further answers are in test/soak/event-loop.test.ts.
it.each<[string, () => Buffer]>([
  ['16 MB of text', () => success(repeat(16_000, (i) => ({ name: `${i}`.repeat(200), x: '-'.repeat(100) })))],
  [
    'an error text of 16 MB',
    () =>
      Buffer.from(
        JSON.stringify({ status: 'error', error_code: 'AUTH_ERROR', error_text: 'a%41&amp;\\u0041+ '.repeat(900_000) }),
      ),
  ],
  ['zeros that are just small enough to be read without a thread', () => success(Array(8000).fill(0))],
])('an answer with %s does not block the event loop', async (_what, makeBody) => {
  await expectNoBlock(makeBody());
});

it('a poll of 100 000 databases does not block the event loop', async () => {
  const body = success(repeat(100_000, (i) => ({ name: `d${i}`, size: `${(i * 7919) % 1000} MB`, user: `u${i}` })));
  const baseUrl = await httpServer((_request, response) => response.end(body));
  const { account, poller } = polledAccount(accountConfig({ api: { baseUrl }, collectors: ['databases'] }));

  const shortest = await blockOf(() => poller('databases').poll());

  // Without pauses, a poll blocks for twice the time of the reference.
  expect(shortest).toBeLessThan(1);
  expect(account.store.series).toBe(9999);
});
