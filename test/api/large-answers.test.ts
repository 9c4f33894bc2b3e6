import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { clientUnderTest, failureOf } from '../fixtures/api-client.ts';
import { accountConfig } from '../fixtures/config.ts';
import { httpServer } from '../fixtures/servers.ts';
import { until } from '../fixtures/waiting.ts';

const mebibyte = 1024 * 1024;
const success = '{"status":"success","result":[{"name":"a"}]}';

function clientOf(baseUrl: string, maxItems: number) {
  return clientUnderTest(accountConfig({ api: { baseUrl, maxItems, timeout: 600_000 } }));
}

it.each([
  ['4 MiB', 10_000, 'the response is larger than 4 MiB; if its lists are that long, raise max_items above 10000'],
  ['16 MiB if max_items is raised', 10_001, 'the response is larger than 16 MiB'],
])('an answer of up to %s is read, compressed or not; a larger one is refused', async (_size, maxItems, refusal) => {
  const limit = maxItems > 10_000 ? 16 : 4;
  for (const isZipped of [false, true]) {
    const answers = [limit * mebibyte, limit * mebibyte + 1].map((size) => {
      const body = Buffer.from(success.padStart(size));
      return isZipped ? gzipSync(body) : body;
    });
    const baseUrl = await httpServer((_request, response) => {
      response.writeHead(200, isZipped ? { 'content-encoding': 'gzip' } : {}).end(answers.shift());
    });
    const client = clientOf(baseUrl, maxItems);

    expect(await client.databases(), `gzip: ${isZipped}`).toEqual([{ name: 'a' }]);
    expect(await failureOf(client.databases()), `gzip: ${isZipped}`).toMatchObject({
      reason: 'payload',
      message: `mysql/getList: ${refusal}`,
    });
  }
});

it('if all answers being read exceed 64 MiB, the largest is given up, and other accounts are not affected', async () => {
  const open: ServerResponse[] = [];
  const hostileUrl = await httpServer((_request, response) => {
    open.push(response);
    response.write(Buffer.alloc((15 + open.length / 10) * mebibyte, ' '));
  });
  const healthyUrl = await httpServer((_request, response) => response.end(success));

  const hostile = Array.from({ length: 5 }, () =>
    clientOf(hostileUrl, 20_000)
      .databases()
      .catch(({ message }: Error) => message),
  );
  const givenUp = await Promise.race(hostile);
  const healthy = await clientOf(healthyUrl, 10_000).databases();
  await until(() => open.length === 5);
  for (const response of open) response.end(success);
  const outcomes = await Promise.all(hostile);

  expect(givenUp).toBe('mysql/getList: all responses being read exceed 64 MiB, and this one is the largest');
  expect(healthy).toEqual([{ name: 'a' }]);
  expect(outcomes.toSorted()).toEqual([[{ name: 'a' }], [{ name: 'a' }], [{ name: 'a' }], [{ name: 'a' }], givenUp]);
});
