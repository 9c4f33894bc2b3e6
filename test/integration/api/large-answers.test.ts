import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { decodeBody } from '../../../src/api/decoding.ts';
import { decodeInThread } from '../../../src/api/decoding-thread.ts';
import { collectors } from '../../../src/collectors/list.ts';
import { inlineSecret } from '../../../src/config/values/secret.ts';
import { domainList } from '../../../src/payloads/domain-list.ts';
import { clientUnderTest } from '../../fixtures/api-client.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { httpServer } from '../../fixtures/servers.ts';
import { until } from '../../fixtures/waiting.ts';

const never = new AbortController().signal;
const notation = { sizeUnits: 'binary', numberFormat: 'auto', timeZone: 'Europe/Moscow' } as const;

/** Values of the fields that payloads read: valid, invalid and missing ones. */
const value = fc.oneof(
  fc.constantFrom('1 GB', '12 parsecs', 'a', 'b', '', '0', '2026-06-03', '2026-06-03 12:00:00', 'unlimited', '-1'),
  fc.constantFrom(0, 1, -1, 1e308, 2_147_483_647, null, true, {}, []),
  fc.jsonValue({ maxDepth: 2 }),
);
const fields = [
  'name',
  'size',
  'user',
  'id',
  'cp',
  'date',
  'value',
  'cpu_time',
  'fqdn',
  'date_expire',
  'path',
  'login',
];
const element = fc.dictionary(fc.constantFrom(...fields, 'is_hidden', 'domains', 'disk_usage'), value, { maxKeys: 6 });
const list = fc.array(fc.oneof(element, element, value), { maxLength: 30 });
const result = fc.oneof(
  list,
  element,
  fc.record({ hours: list, days: list, size_days: list }, { requiredKeys: [] }),
  fc.record({ records: fc.dictionary(fc.constantFrom('A', 'MX'), list) }),
  fc.jsonValue(),
);
const failure = fc.record({ status: fc.constant('error'), error_code: value, error_text: value });
const envelope = fc.oneof(
  { weight: 4, arbitrary: fc.record({ status: fc.constant('success'), result }) },
  fc.record({ status: fc.constant('success'), answer: fc.record({ status: fc.constant('success'), result }) }),
  failure,
  fc.record({ status: fc.constant('success'), answer: failure }),
  fc.jsonValue(),
);
const body = fc.oneof(
  { weight: 9, arbitrary: envelope.map((json) => Buffer.from(JSON.stringify(json))) },
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

function jobFor(payloadName: string) {
  return { bytes: new Uint8Array(2), payloadName, notation, maxItems: 1 };
}

describe('a body that is read in the thread', () => {
  it('is read in the notation of its account', async () => {
    const list = [{ id: 1, fqdn: 'a.example', date_expire: '2026-06-03 12:00:00' }];
    const bytes = Buffer.from(JSON.stringify({ status: 'success', result: list }));
    const read = (timeZone: string) => {
      const job = { bytes: new Uint8Array(bytes), payloadName: domainList.payloadName, maxItems: 10 };
      return decodeInThread({ ...job, notation: { ...notation, timeZone } }, never);
    };

    const [moscow, utc] = [await read('Europe/Moscow'), await read('UTC')];

    expect(moscow).toStrictEqual(decodeBody(bytes, domainList(notation), 10));
    expect(utc).toStrictEqual(decodeBody(bytes, domainList({ ...notation, timeZone: 'UTC' }), 10));
    expect(moscow).not.toEqual(utc);
  });

  it('gives what it gives without the thread, with every payload', async () => {
    await fc.assert(
      fc.asyncProperty(
        body,
        fc.constantFrom(...collectors.flatMap(({ payloads }) => payloads)),
        fc.constantFrom(2, 10, 100_000),
        async (bytes, payload, maxItems) => {
          const inline = decodeBody(bytes, payload(notation), maxItems);

          const { payloadName } = payload;
          const job = { bytes: new Uint8Array(bytes), payloadName, notation, maxItems };
          const threaded = await decodeInThread(job, never);

          expect(threaded).toStrictEqual(inline);
        },
      ),
      { numRuns: propertyRuns(200) },
    );
  });

  it('is abandoned when the poll ends, and the next one is read', async () => {
    const huge = Buffer.from(`{"status":"success","result":[${'0,'.repeat(4_000_000)}0]}`);
    const job = (bytes: Uint8Array) => ({ ...jobFor('databaseList'), bytes: new Uint8Array(bytes), maxItems: 100_000 });
    const poll = new AbortController();
    const reason = new Error('stopped');

    const abandoned = [decodeInThread(job(huge), poll.signal), decodeInThread(job(huge), poll.signal)];
    const next = decodeInThread(job(Buffer.from('{"status":"success","result":[]}')), never);
    setImmediate(() => poll.abort(reason));

    for (const one of abandoned) await expect(one).rejects.toBe(reason);
    expect(await next).toMatchObject({ kind: 'result', read: { payload: [] } });
  });

  it('fails alone if its payload is not listed', async () => {
    await expect(decodeInThread(jobFor('unknown'), never)).rejects.toThrow(
      'add the payload unknown to the payloads of its collector',
    );
    expect(await decodeInThread(jobFor('databaseList'), never)).toMatchObject({ kind: 'invalid' });
  });
});

it.each<[string, (count: number) => unknown]>([
  ['a list', (count) => Array.from({ length: count }, (_, index) => ({ name: `d${index}`, size: index }))],
  [
    'a list of lists',
    (count) => Array.from({ length: count / 100 }, () => ({ id: 1, domains: Array(100).fill({ fqdn: 'a' }) })),
  ],
])('%s is received in slices, with a turn of the event loop after each', async (_what, resultOf) => {
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  const bytes = Buffer.from(JSON.stringify({ status: 'success', result: resultOf(100_000) }));
  const job = { ...jobFor('databaseList'), bytes: new Uint8Array(bytes), maxItems: 100_000 };
  await decodeInThread(jobFor('databaseList'), never);
  let timer = setImmediate(count);

  const decoding = decodeInThread(job, never);
  await decoding;
  clearImmediate(timer);

  expect(turns).toBeGreaterThan(50);
});

describe('an answer that is padded to a large one', () => {
  const password = 'geh"eim%41';
  const names = (count: number) => JSON.stringify(Array.from({ length: count }, (_, index) => ({ name: `n${index}` })));

  it.each<[string, number, string | Buffer]>([
    ['valid', 200, '{"status":"success","result":[{"name":"a","size":"1 GB"}]}'],
    ['an invalid field', 200, '{"status":"success","result":[{"name":"a","size":"12 parsecs"},{"name":"b"}]}'],
    ['duplicates', 200, '{"status":"success","result":[{"name":"a","size":"1 GB"},{"name":"a"},{"name":"b"}]}'],
    ['a list beyond max_items', 200, `{"status":"success","result":${names(101)}}`],
    [
      'an echo of the password',
      200,
      JSON.stringify({ status: 'error', error_code: 'METHOD_ERROR', error_text: password }),
    ],
    ['the password as a value', 200, JSON.stringify({ status: 'success', result: [{ name: 'a', size: password }] })],
    ['rejected credentials', 200, '{"status":"error","error_code":"AUTH_ERROR","error_text":"wrong"}'],
    [
      'no permission',
      200,
      '{"status":"success","answer":{"status":"error","errors":[{"error_code":"PERMISSION_DENIED"}]}}',
    ],
    ['a page', 200, '<!doctype html><title>Wait</title>'],
    ['truncated', 200, '{"status":"success","result":[{"name":"a"'],
    ['not UTF-8', 200, Buffer.from('{"status":"success","result":[{"name":"\xff"}]}', 'latin1')],
    ['without an envelope', 200, '[]'],
    ['nested deeply', 200, `{"status":"success","result":${'['.repeat(1000)}${']'.repeat(1000)}}`],
    ['a result with status 500', 500, '{"status":"success","result":[]}'],
    ['an error with status 429', 429, '{"status":"error","error_code":"LIMIT_ERROR","error_text":"slow"}'],
  ])('has the same outcome: %s', async (_what, status, content) => {
    const outcomeWith = async (padding: string) => {
      const baseUrl = await httpServer((_request, response) => {
        response
          .writeHead(status, { 'retry-after': '9' })
          .end(Buffer.concat([Buffer.from(content), Buffer.from(padding)]));
      });
      const credentials = { kind: 'password', login: 'shop', password: inlineSecret(password) } as const;
      const client = clientUnderTest(accountConfig({ api: { baseUrl, maxItems: 100 }, credentials }));
      const outcome = await client.databases().catch((error: unknown) => error);
      return { outcome, issues: client.issues, duplicates: client.duplicates, sent: client.sent, ended: client.ended };
    };

    const small = await outcomeWith('');
    const large = await outcomeWith(' '.repeat(20_000));

    expect(large).toStrictEqual(small);
    expect(JSON.stringify(large)).not.toContain('geh');
  });
});

it('the thread ends a minute after its last body, and the next body gets another thread', async () => {
  const terminate = vi.spyOn(Worker.prototype, 'terminate');
  const post = vi.spyOn(Worker.prototype, 'postMessage');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true });
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  const poll = new AbortController();
  await decodeInThread(jobFor('databaseList'), never);

  vi.advanceTimersByTime(59_999);
  const early = terminate.mock.calls.length;
  vi.advanceTimersByTime(1);
  const ended = terminate.mock.calls.length;
  const next = decodeInThread(jobFor('databaseList'), poll.signal);
  await until(() => post.mock.calls.length === 2);
  // The test does not wait for the other thread to start.
  poll.abort(new Error('stopped'));

  await expect(next).rejects.toThrow('stopped');
  expect([early, ended]).toEqual([0, 1]);
  expect(post.mock.contexts[1]).not.toBe(post.mock.contexts[0]);
});
