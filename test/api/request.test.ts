import type { IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { inlineSecret } from '../../src/config/values/secret.ts';
import { databaseLoadHistory } from '../../src/payloads/load-history.ts';
import { clientUnderTest } from '../fixtures/api-client.ts';
import { accountConfig } from '../fixtures/config.ts';
import { httpServer } from '../fixtures/servers.ts';

interface SeenRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const password = 'p&ss wörd/+%';
const byPassword = { kind: 'password', login: 'shop', password: inlineSecret(password) } as const;
const byToken = { kind: 'token', token: inlineSecret('aaa.bbb-ccc') } as const;

/** A server that answers with success in one dialect and records its requests. */
async function recordRequests(dialect: 'specification' | 'provider' = 'specification') {
  const seen: SeenRequest[] = [];
  const success = { status: 'success', result: [] };
  const baseUrl = await httpServer(({ method, url, headers }, response, body) => {
    seen.push({ method, url, headers, body });
    response.end(JSON.stringify(dialect === 'provider' ? { status: 'success', answer: success } : success));
  });
  return { seen, baseUrl };
}

it('calls with a POST of a form, without credentials in the URL', async () => {
  const { seen, baseUrl } = await recordRequests();
  const client = clientUnderTest(accountConfig({ api: { baseUrl }, credentials: byPassword }));

  await client.databases();

  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatchObject({
    method: 'POST',
    url: '/api/mysql/getList',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-encoding': 'gzip' },
  });
  expect(Object.fromEntries(new URLSearchParams(seen[0]?.body))).toEqual({
    login: 'shop',
    passwd: password,
    output_format: 'json',
  });
  expect(seen[0]?.headers.authorization).toBeUndefined();
});

it('sends a token only in the header', async () => {
  const { seen, baseUrl } = await recordRequests();
  const client = clientUnderTest(accountConfig({ api: { baseUrl }, credentials: byToken }));

  await client.databases();

  expect(seen[0]).toMatchObject({
    url: '/api/mysql/getList?output_format=json',
    headers: { authorization: 'Bearer aaa.bbb-ccc' },
    body: '',
  });
});

it.each([
  ['specification', 'auto', 'plain'],
  ['provider', 'auto', 'json'],
  ['specification', 'json', 'json'],
  ['provider', 'plain', 'plain'],
] as const)('in the dialect of the %s with input format %s sends arguments as %s', async (dialect, inputFormat, as) => {
  const { seen, baseUrl } = await recordRequests(dialect);
  const client = clientUnderTest(accountConfig({ api: { baseUrl, inputFormat }, credentials: byToken }));
  await client.databases();

  await client.api.call('stat/getDbLoad', databaseLoadHistory, { db_name: 'база' });

  const expected = as === 'json' ? { input_format: 'json', input_data: '{"db_name":"база"}' } : { db_name: 'база' };
  const [withoutArguments, withArguments] = seen.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  expect(withoutArguments).toEqual({});
  expect(withArguments).toEqual(expected);
});

it('encodes any password and any parameter', async () => {
  const { seen, baseUrl } = await recordRequests();
  const text = 'a&b=c%20+ю" \n\\#🔑';
  const credentials = { kind: 'password', login: 'shop', password: inlineSecret(text) } as const;
  const client = clientUnderTest(accountConfig({ api: { baseUrl, inputFormat: 'plain' }, credentials }));

  await client.api.call('stat/getDbLoad', databaseLoadHistory, { db_name: text });

  const sent = Object.fromEntries(new URLSearchParams(seen[0]?.body));
  expect(sent).toEqual({ login: 'shop', passwd: text, output_format: 'json', db_name: text });
});

it('reads the secret again for every call', async () => {
  const { seen, baseUrl } = await recordRequests();
  let secret = 'first';
  const credentials = { kind: 'token', token: { digest: '', reveal: () => secret } } as const;
  const client = clientUnderTest(accountConfig({ api: { baseUrl }, credentials }));

  await client.databases();
  secret = 'second';
  await client.databases();

  expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer second']);
});

it.each([
  ['small', ''],
  ['large', ' '.repeat(20_000)],
])('reads a %s answer in the notation of its account', async (_size, padding) => {
  const result = { size_days: [{ date: '2026-06-02', size: '1.234,5 KB' }] };
  const baseUrl = await httpServer((_request, response) =>
    response.end(JSON.stringify({ status: 'success', result }) + padding),
  );
  const notation = { sizeUnits: 'binary', numberFormat: 'comma', timeZone: 'Europe/Moscow' } as const;
  const client = clientUnderTest(accountConfig({ api: { baseUrl, ...notation } }));

  const history = await client.api.call('stat/getDbLoad', databaseLoadHistory, { db_name: 'a' });

  const period = { start: Date.parse('2026-06-01T21:00:00Z'), end: Date.parse('2026-06-02T21:00:00Z') };
  expect(history.sizeDays).toEqual([{ period, value: 1234.5 * 1024 }]);
});

it('reads gzip of several members, and the name of the encoding in any case', async () => {
  const baseUrl = await httpServer((_request, response) => {
    response.setHeader('content-encoding', 'GZip');
    response.end(Buffer.concat([gzipSync('{"status":"success",'), gzipSync('"result":[{"name":"a"}]}')]));
  });
  const client = clientUnderTest(accountConfig({ api: { baseUrl } }));

  await expect(client.databases()).resolves.toEqual([{ name: 'a' }]);
});
