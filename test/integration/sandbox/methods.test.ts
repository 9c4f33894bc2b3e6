import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Dialect } from '../../../src/api/dialect.ts';
import { shop } from '../../../src/sandbox/accounts/shop.ts';
import { isJsonObject, type Json } from '../../../src/sandbox/json.ts';
import { methodsOf } from '../../../src/sandbox/methods/list.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { fixedClock, get, post, type Reply, send } from './api-caller.ts';
import { type ApiCall, apiCalls, type Step } from './api-calls.ts';
import { everythingOf, readBack, resultOf, runStep } from './effects.ts';

type Pair = [name: string, value: string];

/** The fields of a form for parameters: `paths[0]=a` for a list, `records[A][0][value]=b` for an object. */
function formOf(name: string, value: Json): Pair[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => formOf(`${name}[${key}]`, item as Json));
  }
  return [[name, String(value)]];
}

const fieldsOf = (parameters: Step[1] = {}) =>
  Object.entries(parameters).flatMap(([name, value]) => formOf(name, value));

const { login, password: passwd, token } = shop;
const bearer = { authorization: `Bearer ${token}` };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Ways to make a call: with either mode of authentication, and with the parameters in each place. */
const ways: Readonly<Record<string, (sandbox: Sandbox, step: Step) => Promise<Reply>>> = {
  'GET with the password': (sandbox, [method, parameters]) =>
    get(sandbox, method, Object.fromEntries([...Object.entries({ login, passwd }), ...fieldsOf(parameters)])),
  'POST with the password': (sandbox, [method, parameters]) =>
    post(sandbox, method, Object.fromEntries([...Object.entries({ login, passwd }), ...fieldsOf(parameters)])),
  'GET with the token': (sandbox, [method, parameters]) =>
    send(`${sandbox.baseUrl}/${method}?${query([['output_format', 'json'], ...fieldsOf(parameters)])}`, {
      headers: bearer,
    }),
  'POST with the token': (sandbox, [method, parameters]) =>
    send(`${sandbox.baseUrl}/${method}?output_format=json`, {
      method: 'POST',
      headers: { ...bearer, ...form },
      body: query(fieldsOf(parameters)),
    }),
  'POST with JSON in input_data': (sandbox, [method, parameters = {}]) =>
    post(sandbox, method, { login, passwd, input_format: 'json', input_data: JSON.stringify(parameters) }),
};

function query(pairs: Pair[]): string {
  return new URLSearchParams(pairs).toString();
}

/** A value of a type that the parameter does not have. */
function mistyped(value: Json | undefined): Json {
  if (Array.isArray(value)) return typeof value[0] === 'string' ? [{ x: '1' }] : 'text';
  return isJsonObject(value) ? 'text' : { x: '1' };
}

let sandbox: Sandbox;

/** The sandbox of the previous call, if that call changed nothing. The next call needs no new sandbox. */
let unchanged: { readonly dialect: Dialect; readonly sandbox: Sandbox; readonly everything: unknown } | undefined;

afterEach(async () => {
  if (sandbox !== unchanged?.sandbox) await sandbox.close();
});

afterAll(() => unchanged?.sandbox.close());

describe.each(['specification', 'provider'] as const)('methods in the %s dialect', (dialect) => {
  const methods = methodsOf(dialect);
  const calls = apiCalls[dialect];
  const table = calls.map((one) => [one.call[0], one] as const);

  const required = calls.flatMap((one) =>
    (methods.get(one.call[0])?.parameters ?? [])
      .filter((name) => !name.endsWith('?'))
      .map((name) => [one.call[0], name, one] as const),
  );

  const invalid = dialect === 'provider' ? 'INVALID_DATA' : 'INCORRECT_REQUEST';

  /** Starts a sandbox, makes the preceding calls, and returns all figures and settings. */
  async function start({ before = [] }: ApiCall): Promise<unknown> {
    const previous = unchanged;
    unchanged = undefined;
    if (previous?.dialect === dialect && before.length === 0) {
      ({ sandbox } = previous);
      return previous.everything;
    }
    await previous?.sandbox.close();
    sandbox = await startSandbox({ dialect, accounts: [shop], clock: fixedClock, requestsPerMinute: 0 });
    for (const step of before) await runStep(sandbox, step);
    return everythingOf(sandbox);
  }

  function expectUnchanged({ before = [] }: ApiCall, everything: unknown): void {
    expect(everythingOf(sandbox)).toEqual(everything);
    if (before.length === 0) unchanged = { dialect, sandbox, everything };
  }

  const postPairs = (method: string, pairs: Pair[]) =>
    send(`${sandbox.baseUrl}/${method}`, {
      method: 'POST',
      headers: form,
      body: query([['login', login], ['passwd', passwd], ...pairs]),
    });
  it('are all in the table, with all of their parameters', async () => {
    sandbox = await startSandbox({ dialect });
    const named = calls.map(({ call: [method, parameters = {}] }) => [method, Object.keys(parameters).sort()] as const);
    const existing = [...methods].map(
      ([method, { parameters = [] }]) => [method, parameters.map((name) => name.replace('?', '')).sort()] as const,
    );

    expect(new Map(named)).toEqual(new Map(existing));
    expect(named).toHaveLength(existing.length);
  });

  it.each(table)('%s accepts GET and POST, password and token, and its change can be read back', async (_, one) => {
    for (const [way, send] of Object.entries(ways)) {
      const before = await start(one);

      const reply = await send(sandbox, one.call);

      expect([way, reply.status, resultOf(reply)]).toEqual([way, 200, one.result]);
      for (const [actual, expected] of await readBack(sandbox, one)) expect([way, actual]).toEqual([way, expected]);
      if (one.effects === undefined) expectUnchanged(one, before);
      if (sandbox !== unchanged?.sandbox) await sandbox.close();
    }
  });

  it.each(required)('%s without %s is refused and changes nothing', async (method, name, one) => {
    const before = await start(one);
    const { [name]: _, ...others } = one.call[1] ?? {};

    const refused = await runStep(sandbox, [method, others]);

    expect(refused).toMatchObject({ error_code: invalid, error_text: `The parameter ${name} is missing` });
    expectUnchanged(one, before);
  });

  it.each(required)('%s with a %s of another type is refused and changes nothing', async (method, name, one) => {
    const before = await start(one);
    const parameters = { ...one.call[1], [name]: mistyped(one.call[1]?.[name]) };

    const refused = resultOf(await postPairs(method, fieldsOf(parameters)));

    expect(refused).toMatchObject({ error_code: invalid, error_text: expect.stringContaining(name) });
    expectUnchanged(one, before);
  });

  it.each(required)('%s with a second %s reads the last one', async (method, name, one) => {
    const right = fieldsOf(one.call[1]);
    const wrong = right.filter(([key]) => key === name || key.startsWith(`${name}[`)).map(([key]): Pair => [key, '']);

    await start(one);
    const answered = resultOf(await postPairs(method, [...wrong, ...right]));
    await sandbox.close();
    const before = await start(one);
    const refused = resultOf(await postPairs(method, [...right, ...wrong]));

    expect(answered).toEqual(one.result);
    expect(refused).toHaveProperty('error_code');
    expectUnchanged(one, before);
  });
});

describe('methods that only the specification has', () => {
  it.each([
    'mysql/getData',
    'mysql/deleteDb',
    'domain/addSubdomain',
    'dns/addRecords',
    'dns/deleteRecords',
    'mail/deleteMailbox',
    'mail/changePassword',
    'mail/setForward',
  ])('such as %s are unknown in the dialect of the provider', async (method) => {
    sandbox = await startSandbox({ dialect: 'provider', accounts: [shop], clock: fixedClock });

    const { json } = await post(sandbox, method, { login, passwd });

    expect(json).toEqual({ status: 'error', error_text: 'No such method', error_code: 'NO_SUCH_METHOD' });
  });

  it('are eight', async () => {
    sandbox = await startSandbox({ dialect: 'provider' });

    const missing = [...methodsOf('specification').keys()].filter((method) => !methodsOf('provider').has(method));

    expect(missing).toHaveLength(8);
  });
});

describe('mail/createMailbox', () => {
  it('refuses a weak password with a numeric code in the dialect of the provider', async () => {
    sandbox = await startSandbox({ dialect: 'provider', accounts: [shop], clock: fixedClock });
    const parameters = { domain: 'teapots.example', mailbox: 'a', mailbox_password: 'weak' };

    const { json } = await post(sandbox, 'mail/createMailbox', { login, passwd, ...parameters });

    expect(json.answer.errors[0].error_code).toBe(1208);
  });
});
