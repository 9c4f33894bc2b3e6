import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../test/fixtures/properties.ts';
import { shop } from '../src/accounts/shop.ts';
import { dialects } from '../src/dialect.ts';
import { isJsonObject, type Json } from '../src/json.ts';
import { methodsOf } from '../src/methods/list.ts';
import { type Sandbox, startSandbox } from '../src/server.ts';
import { fixedClock, post, type Reply, send } from './api-caller.ts';
import { apiCalls, onlyReads } from './api-calls.ts';
import { everythingOf, outcomeOf, resultOf, startBefore } from './effects.ts';

type Pair = readonly [name: string, value: string];

/** The fields of a form: `paths[0]=a` for a list, `records[A][0][value]=b` for an object. */
function formOf(name: string, value: Json): Pair[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => formOf(`${name}[${key}]`, item as Json));
  }
  return [[name, String(value)]];
}

const fieldsOf = (parameters: Readonly<Record<string, Json>>) =>
  Object.entries(parameters).flatMap(([name, value]) => formOf(name, value));

const inJson = (parameters: Readonly<Record<string, Json>>) => ({
  input_format: 'json',
  input_data: JSON.stringify(parameters),
});

const credentials: Readonly<Record<string, readonly [pairs: readonly Pair[], headers: Record<string, string>]>> = {
  password: [[['login', shop.login] as const, ['passwd', shop.password] as const], {}],
  token: [[['output_format', 'json'] as const], { authorization: `Bearer ${shop.token}` }],
};

/** The four ways to make a call: by GET and POST, with the password and the token. */
const ways = ['GET', 'POST'].flatMap((httpMethod) =>
  Object.entries(credentials).map(([credential, [pairs, headers]]) => {
    const call = (sandbox: Sandbox, method: string, fields: readonly Pair[]): Promise<Reply> => {
      const form = new URLSearchParams(
        [...pairs, ...fields].map(([name, value]): [string, string] => [name, value]),
      ).toString();
      const url = `${sandbox.baseUrl}/${method}`;
      return httpMethod === 'GET'
        ? send(`${url}?${form}`, { headers })
        : send(url, { method: 'POST', headers, body: form });
    };
    return [`${httpMethod} with the ${credential}`, call] as const;
  }),
);

/** Some of the ways, others for each call. The soak tries all of them. */
function waysOf(call: number): typeof ways {
  const first = call % ways.length;
  return [...ways, ...ways].slice(first, first + propertyRuns(ways.length));
}

/** A value of a type that the parameter does not have. */
function mistyped(value: Json | undefined): Json {
  if (Array.isArray(value)) return typeof value[0] === 'string' ? [{ x: '1' }] : 'text';
  return isJsonObject(value) ? 'text' : { x: '1' };
}

describe.each(dialects)('methods in the %s dialect', (dialect) => {
  const methods = methodsOf(dialect);
  const calls = apiCalls[dialect];
  const invalid = dialect === 'provider' ? 'INVALID_DATA' : 'INCORRECT_REQUEST';

  it('are all in the table, with all of their parameters', () => {
    const named = calls.map(([method, parameters = {}]) => [method, Object.keys(parameters).sort()] as const);
    const existing = [...methods].map(
      ([method, { parameters }]) => [method, parameters.map((name) => name.replace('?', '')).sort()] as const,
    );

    expect(new Map(named)).toEqual(new Map(existing));
    expect(named).toHaveLength(existing.length);
  });

  it('accept GET and POST, password and token, and their changes can be read back', async () => {
    const texts: string[] = [];
    for (const [index, one] of calls.entries()) {
      const [method, parameters = {}] = one;
      const fields = fieldsOf(parameters);
      const wrong = fields.map(([name]): Pair => [name, '']);
      const [[, byGet] = [], , [, byPost] = []] = ways;
      const all = [
        ...waysOf(index).map(([way, call]) => [way, (sandbox: Sandbox) => call(sandbox, method, fields)] as const),
        [
          'parameters that occur twice',
          (sandbox: Sandbox) => byPost?.(sandbox, method, [...wrong, ...fields]),
        ] as const,
        ['JSON', (sandbox: Sandbox) => byGet?.(sandbox, method, fieldsOf(inJson(parameters)))] as const,
      ];
      const { result, everything, text } = await outcomeOf(dialect, one);
      // A call that changes nothing needs no new sandbox.
      const reused = onlyReads(method) ? await startBefore(dialect, one) : undefined;
      if (reused !== undefined) expect(everythingOf(reused), method).toEqual(everything);
      for (const [way, call] of all) {
        const sandbox = reused ?? (await startBefore(dialect, one));

        const reply = await call(sandbox);

        expect([method, way, reply?.status, reply && resultOf(reply)]).toEqual([method, way, 200, result]);
        expect(everythingOf(sandbox), `${method}, ${way}`).toEqual(everything);
        if (reused === undefined) await sandbox.close();
      }
      await reused?.close();
      texts.push(text);
    }

    await expect(texts.join('')).toMatchFileSnapshot(`golden/${dialect}.txt`);
  });

  it('refuse a parameter that is missing, mistyped, or empty the second time, and change nothing', async () => {
    for (const [index, one] of calls.entries()) {
      const [method, parameters = {}] = one;
      const sandbox = await startBefore(dialect, one);
      const before = everythingOf(sandbox);
      const required = methods.get(method)?.parameters.filter((parameter) => !parameter.endsWith('?')) ?? [];
      for (const [position, name] of required.entries()) {
        const { [name]: value, ...others } = parameters;
        const right = fieldsOf(parameters);
        const empty = formOf(name, value ?? '').map(([key]): Pair => [key, '']);
        for (const [way, call] of waysOf(index + position)) {
          const missing = resultOf(await call(sandbox, method, fieldsOf(others)));
          const wrong = resultOf(await call(sandbox, method, fieldsOf({ ...parameters, [name]: mistyped(value) })));
          const doubled = resultOf(await call(sandbox, method, [...right, ...empty]));

          const made = `${method} with ${name}, ${way}`;
          expect(missing, made).toMatchObject({ error_code: invalid, error_text: `The parameter ${name} is missing` });
          expect(wrong, made).toMatchObject({ error_code: invalid, error_text: expect.stringContaining(name) });
          expect(doubled, made).toHaveProperty('error_code');
        }
      }
      expect(everythingOf(sandbox), method).toEqual(before);
      await sandbox.close();
    }
  });
});

it('eight methods of the specification are unknown in the dialect of the provider', async () => {
  const sandbox = await startSandbox({ dialect: 'provider', accounts: [shop], clock: fixedClock });
  const missing = [...methodsOf('specification').keys()].filter((method) => !methodsOf('provider').has(method));

  for (const method of missing) {
    const { json } = await post(sandbox, method, { login: shop.login, passwd: shop.password });

    expect(json).toEqual({ status: 'error', error_text: 'No such method', error_code: 'NO_SUCH_METHOD' });
  }
  await sandbox.close();

  expect(missing).toEqual([
    ...['mysql/getData', 'mysql/deleteDb', 'domain/addSubdomain', 'dns/addRecords', 'dns/deleteRecords'],
    ...['mail/deleteMailbox', 'mail/changePassword', 'mail/setForward'],
  ]);
});
