import { expect, it } from 'vitest';
import { monitorEventLoop } from '../../../bench/event-loop.ts';
import { clientUnderTest } from '../../fixtures/api-client.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { polledAccount } from '../../fixtures/polled-account.ts';
import { httpServer } from '../../fixtures/servers.ts';

function success(result: unknown): Buffer {
  return Buffer.from(JSON.stringify({ status: 'success', result }));
}

function repeat<T>(count: number, element: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => element(index));
}

const reference = JSON.stringify(repeat(100_000, (i) => ({ name: `d${i}`, size: `${i} MB`, user: `u${i}` })));

/** Milliseconds of CPU time to parse 100 000 databases at once: 50 to 100, depending on what else the machine does. */
function blockOfReference(): number {
  const start = process.threadCpuUsage();
  JSON.parse(reference);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** The shortest of up to three measurements, because a busy machine may slow down one of them. */
async function shortestOf(measure: () => Promise<number>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && shortest >= 1; attempt += 1) shortest = Math.min(shortest, await measure());
  return shortest;
}

it.each<[string, () => Buffer]>([
  ['100 000 databases', () => success(repeat(100_000, (i) => ({ name: `d${i}`, size: `${i} MB`, user: `u${i}` })))],
  ['16 MB of text', () => success(repeat(16_000, (i) => ({ name: `${i}`.repeat(200), x: '-'.repeat(100) })))],
  ['millions of zeros', () => Buffer.from(`{"status":"success","result":[${'0,'.repeat(8_000_000)}0]}`)],
  ['100 000 zeros', () => success(Array(100_000).fill(0))],
  ['100 000 invalid sizes', () => success(repeat(100_000, (i) => ({ name: `d${i}`, size: 'much' })))],
  ['100 000 duplicates', () => success(repeat(100_000, (i) => ({ name: `d${i % 10}` })))],
  ['a million nested lists', () => success(repeat(90_000, () => [[[[[[[[[[[]]]]]]]]]]]))],
  [
    'an error text of 16 MB',
    () =>
      Buffer.from(
        JSON.stringify({ status: 'error', error_code: 'AUTH_ERROR', error_text: 'a%41&amp;\\u0041+ '.repeat(900_000) }),
      ),
  ],
  ['16 MB that are not JSON', () => Buffer.from(`{${' '.repeat(16_000_000)}`)],
  ['zeros that are just small enough to be read without a thread', () => success(Array(8000).fill(0))],
])('an answer with %s does not block the event loop', async (_what, makeBody) => {
  const body = makeBody();
  const baseUrl = await httpServer((_request, response) => response.end(body));
  const read = async () => {
    const client = clientUnderTest(accountConfig({ api: { baseUrl, timeout: 60_000 } }));
    const before = blockOfReference();
    const report = monitorEventLoop();

    await client.databases().catch(() => {});
    const { longestBlock } = report();
    expect(client.ended).toHaveLength(1);
    return longestBlock / Math.max(before, blockOfReference());
  };

  // On an idle machine, the longest block is 25 ms.
  expect(await shortestOf(read)).toBeLessThan(1);
});

it('a poll of 100 000 databases does not block the event loop', async () => {
  const body = success(repeat(100_000, (i) => ({ name: `d${i}`, size: `${(i * 7919) % 1000} MB`, user: `u${i}` })));
  const baseUrl = await httpServer((_request, response) => response.end(body));
  const { account, poller } = polledAccount(accountConfig({ api: { baseUrl }, collectors: ['databases'] }));
  const poll = async () => {
    const before = blockOfReference();
    const report = monitorEventLoop();

    await poller('databases').poll();
    const { longestBlock } = report();
    return longestBlock / Math.max(before, blockOfReference());
  };

  const shortest = await shortestOf(poll);

  // Without pauses, a poll blocks for twice the time of the reference.
  expect(shortest).toBeLessThan(1);
  expect(account.store.series).toBe(9999);
});
