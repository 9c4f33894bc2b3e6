import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/values/config-error.ts';
import { inlineSecret } from '../../src/config/values/secret.ts';
import { clientUnderTest, failureOf } from '../fixtures/api-client.ts';
import { accountConfig } from '../fixtures/config.ts';
import { leakedPieces } from '../fixtures/leaks.ts';
import { httpServer } from '../fixtures/servers.ts';

const password = 'пароль&"quoted"/<b>+1=%';
const credentials = { kind: 'password', login: 'shop', password: inlineSecret(password) } as const;

describe('a secret that the API sends back', () => {
  it.each([
    ['in an error text', (secret: string) => ({ status: 'error', error_code: 'X', error_text: `bad ${secret}!` })],
    [
      'in an error text that is an object',
      (secret: string) => ({ status: 'error', error_code: 'X', error_text: { secret } }),
    ],
    [
      'in an endless error text',
      (secret: string) => ({ status: 'error', error_text: `${'\n'.repeat(400)}${secret.repeat(4000)}` }),
    ],
    ['as the error code', (secret: string) => ({ status: 'error', error_code: secret, error_text: 'x' })],
    ['in a field', (secret: string) => ({ status: 'success', result: [{ name: 'a', size: secret }] })],
  ])('%s is not in the message', async (_where, answer) => {
    const baseUrl = await httpServer((_request, response) => response.end(JSON.stringify(answer(password))));
    const client = clientUnderTest(accountConfig({ api: { baseUrl }, credentials }));

    const failure = await client.databases().then(
      () => client.issues[0],
      (error: unknown) => error,
    );

    expect(String(failure)).toMatch(/mysql\/getList/);
    expect(leakedPieces(String(failure), password)).toEqual([]);
  });

  it('is never shown in part, even if a message is shortened', async () => {
    const token = `eyJhbGciOiJIUzI1NiJ9.${'abcdefghij'.repeat(40)}`;
    const answers = [
      { status: 'error', error_code: 'X', error_text: `${'x'.repeat(250)} ${token}` },
      { status: 'success', result: [{ name: 'a', size: token }] },
      { status: 'success', result: [{ name: 'a', size: `size of ${token}` }] },
    ];
    const baseUrl = await httpServer((_request, response) => response.end(JSON.stringify(answers.shift())));
    const client = clientUnderTest(
      accountConfig({ api: { baseUrl }, credentials: { kind: 'token', token: inlineSecret(token) } }),
    );

    const refusal = await failureOf(client.databases());
    await client.databases();
    await client.databases();

    const messages = [refusal, ...client.issues].map(({ message }) => message);
    expect(messages).toHaveLength(3);
    expect(messages.flatMap((message) => leakedPieces(message, token))).toEqual([]);
  });

  it('is removed even if it changes during the call', async () => {
    let secret = 'the-old-password';
    const baseUrl = await httpServer((_request, response, body) => {
      secret = 'the-new-password';
      response.end(JSON.stringify({ status: 'error', error_code: 'AUTH_ERROR', error_text: `wrong: ${body}` }));
    });
    const client = clientUnderTest(
      accountConfig({
        api: { baseUrl },
        credentials: { kind: 'password', login: 'shop', password: { digest: '', reveal: () => secret } },
      }),
    );

    const failure = await failureOf(client.databases());

    expect(failure.message).toBe('mysql/getList: AUTH_ERROR: wrong: login=shop&passwd=[secret]&output_format=json');
  });
});

it('a rejected secret fails the calls that wait for the budget, without sending them', async () => {
  const answer = { status: 'error', error_code: 'AUTH_ERROR', error_text: 'wrong' };
  const baseUrl = await httpServer((_request, response) => response.end(JSON.stringify(answer)));
  const client = clientUnderTest(accountConfig({ api: { baseUrl, requestsPerMinute: 600 }, credentials }));

  const [first, second] = await Promise.all([failureOf(client.databases()), failureOf(client.databases())]);

  expect(first.message).toBe('mysql/getList: AUTH_ERROR: wrong');
  expect(second.message).toBe(
    'not sent: the API rejected the credentials (mysql/getList: AUTH_ERROR: wrong); next attempt in 5 s',
  );
  expect([client.sent, client.ended]).toEqual([['mysql/getList'], ['auth']]);
});

it('a secret that the API accepts is proven, so that later calls need not wait for each other', async () => {
  const baseUrl = await httpServer((_request, response) => response.end('{"status":"success","result":[]}'));
  const client = clientUnderTest(accountConfig({ api: { baseUrl }, credentials }));

  await client.databases();

  expect(client.session.gate.proven).toBe(password);
});

it('a secret that cannot be read fails the call with the reason local, sends nothing and counts nothing', async () => {
  let requests = 0;
  const baseUrl = await httpServer((_request, response) => {
    requests += 1;
    response.end();
  });
  const missing = {
    digest: '',
    reveal(): string {
      throw new ConfigError([{ source: 'shop.password', message: 'does not exist' }]);
    },
  };
  const client = clientUnderTest(
    accountConfig({ api: { baseUrl }, credentials: { kind: 'password', login: 'shop', password: missing } }),
  );

  const failure = await failureOf(client.databases());

  expect(failure.reason).toBe('local');
  expect(failure.message).toBe('mysql/getList: not sent: shop.password: does not exist');
  expect([client.sent, client.ended]).toEqual([[], []]);
  expect(requests).toBe(0);
});
