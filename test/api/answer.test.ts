import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAnswer, refuseLongLists } from '../../src/api/answer.ts';
import { ApiError, reasons } from '../../src/api/error.ts';
import { propertyRuns } from '../fixtures/properties.ts';

/** The result of an answer with this body, or what its error says. */
function read(body: string) {
  try {
    return readAnswer({ status: 200, headers: {}, body: Buffer.from(body) }, 'mysql/getList');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message, reason, code, isForeign } = error;
    return { message, reason, code, isForeign };
  }
}

function reasonOf(code: string): unknown {
  const answer = read(JSON.stringify({ status: 'error', error_code: code }));
  return 'reason' in answer ? answer.reason : undefined;
}

describe('an envelope', () => {
  it.each([
    ['specification', '{"status":"success","result":[1]}'],
    ['provider', '{"status":"success","answer":{"status":"success","result":[1]}}'],
  ])('of the %s contains a result', (dialect, body) => {
    expect(read(body)).toEqual({ dialect, result: [1] });
  });

  it.each([['null'], ['true'], ['0'], ['""'], ['[]'], ['{}']])('may contain the result %s', (result) => {
    const specification = read(`{"status":"success","result":${result}}`);
    const provider = read(`{"status":"success","answer":{"status":"success","result":${result}}}`);

    expect(specification).toEqual({ dialect: 'specification', result: JSON.parse(result) });
    expect(provider).toEqual({ dialect: 'provider', result: JSON.parse(result) });
  });

  it('with errors of a method keeps the text of each error, and the first code', () => {
    const errorsOf = (errors: readonly unknown[]) =>
      read(JSON.stringify({ status: 'success', answer: { status: 'error', errors } }));

    expect(errorsOf([{ error_text: 'a' }, { error_code: null, error_text: 'b' }, 'c'])).toMatchObject({
      reason: 'api',
      code: '',
      message: 'a; b; c',
    });
    expect(errorsOf([{ error_text: 'a' }, { error_code: 'X' }])).toMatchObject({ code: 'X', message: 'X: a' });
    const two = [
      { error_code: 'X', error_text: 'a' },
      { error_code: 1208, error_text: { type: 'b', message: null } },
    ];
    expect(errorsOf(two)).toMatchObject({ code: 'X', message: 'X: a; {"type":"b","message":null}' });
  });

  it.each([
    [
      'a text',
      '{"status":"error","error_text":"user\\/password","error_code":"AUTH_ERROR"}',
      'AUTH_ERROR',
      'user/password',
    ],
    ['a number as its code', '{"status":"error","error_code":1208,"error_text":"weak"}', '1208', 'weak'],
    ['a list as its text', '{"status":"error","error_code":"X","error_text":["a"]}', 'X', '["a"]'],
  ])('contains an error with %s', (_what, body, code, text) => {
    expect(read(body)).toMatchObject({ code, message: `${code}: ${text}` });
  });

  it.each([
    '{"status":"error","error_code":"METHOD_FAILED"}',
    '{"status":"error","error_code":"METHOD_FAILED","error_text":null}',
    '{"status":"error","error_code":"METHOD_FAILED","error_text":""}',
    '{"status":"success","answer":{"status":"error","error_code":"METHOD_FAILED"}}',
    '{"status":"success","answer":{"status":"error","errors":[{"error_code":"METHOD_FAILED"}]}}',
  ])('contains only a code: %s', (body) => {
    expect(read(body)).toMatchObject({ code: 'METHOD_FAILED', message: 'METHOD_FAILED' });
  });

  it.each([
    '{"status":"error","errors":[{"error_code":null,"error_text":null}]}',
    '{"status":"error","error_code":null,"error_text":null}',
    '{"status":"error","error_code":null}',
  ])('contains an error without code and text: %s', (body) => {
    expect(read(body)).toMatchObject({ message: 'the API reports an error without code and text', reason: 'api' });
  });

  it.each([
    ['the error', { status: 'error', error_text: 'TEXT' }],
    ['the error with a code of null', { status: 'error', error_code: null, error_text: 'TEXT' }],
    ['a list of errors', { status: 'error', errors: [{ error_text: 'TEXT' }] }],
    ['a list of texts', { status: 'error', errors: ['TEXT'] }],
    ['an answer with the error', { status: 'success', answer: { status: 'error', error_text: 'TEXT' } }],
    ['a single error in place of the list', { status: 'error', errors: { error_text: 'TEXT' } }],
    ['a text in place of the list', { status: 'error', errors: 'TEXT' }],
    ['an answer in an error', { status: 'error', answer: { status: 'error', error_text: 'TEXT' } }],
    ['a text in place of the answer', { status: 'error', answer: 'TEXT' }],
    ['an answer with a list', { status: 'success', answer: { status: 'error', errors: ['TEXT'] } }],
  ])('without a code, %s means what its text says', (_what, form) => {
    const readText = (text: string) => read(JSON.stringify(form).replace('TEXT', text));

    const rejections = ['Username/password incorrect', 'Invalid login', 'wrong PASSWORD', 'Неверный логин или пароль'];
    for (const text of [...rejections, 'Cannot access method mysql']) {
      expect(readText(text), text).toEqual({ message: text, reason: 'auth', code: '', isForeign: undefined });
    }
    expect(readText('Request limit exceeded')).toMatchObject({ reason: 'limit' });
    expect(read('{"error_code":7,"error_text":"Wrong password"}')).toMatchObject({ reason: 'auth' });
    for (const text of ['No password is needed', 'Invalid domain login.example', 'Wrong user a-login@b.example']) {
      expect(readText(text)).toMatchObject({ message: text, reason: 'api' });
    }
  });

  it.each([
    ['', 'the response body is empty'],
    [' \n', 'the response body is empty'],
    ['<!DOCTYPE html><p>', 'the response is an HTML page instead of JSON; check base_url'],
    ['<html>', 'the response is an HTML page instead of JSON; check base_url'],
    [
      '<html><head><script>document.cookie="beget=begetok; path=/";location.reload();</script></head></html>',
      "the response is a page of the provider's protection against bots; ask the provider to admit this address",
    ],
    ['text about <html> and {"json":1}', 'the response is text instead of JSON; check base_url'],
    ['{"status":"success","res', 'the response is truncated or malformed JSON'],
    ['[1,', 'the response is truncated or malformed JSON'],
    ['Cannot parse the JSON input params', 'the response is text instead of JSON; check base_url'],
    ['null', 'the response is JSON without the envelope of this API; check base_url'],
    ['[]', 'the response is JSON without the envelope of this API; check base_url'],
    ['{}', 'the response is JSON without the envelope of this API; check base_url'],
    ['{"status":"success"}', 'the response is JSON without the envelope of this API; check base_url'],
    ['{"status":"success","answer":null}', 'the response is JSON without the envelope of this API; check base_url'],
    ['{"status":"success","answer":{}}', 'the response is JSON without the envelope of this API; check base_url'],
    [
      '{"status":"success","answer":{"status":"success"}}',
      'the response is JSON without the envelope of this API; check base_url',
    ],
    [
      '{"status":"success","answer":{"status":"error","errors":[]}}',
      'the response is JSON without the envelope of this API; check base_url',
    ],
    ['{"status":"error"}', 'the response is JSON without the envelope of this API; check base_url'],
    ['{"status":"pending","result":[]}', 'the response is JSON without the envelope of this API; check base_url'],
  ])('is not %j', (body, problem) => {
    const isForeign = problem.endsWith('check base_url') || undefined;
    expect(read(body)).toMatchObject({ reason: 'payload', message: problem, isForeign });
  });

  it('is invalid if its error text is nested so deeply that JSON.stringify overflows the stack', () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    const body = `{"status":"error","error_code":"X","error_text":${deep}}`;

    // JSON.stringify of Node.js 26 does not overflow.
    const expected = isStackSufficient(deep)
      ? { code: 'X', message: `X: ${deep}` }
      : { reason: 'payload', message: 'the response is JSON nested deeper than 64 levels' };
    expect(read(body)).toMatchObject(expected);
  });

  it('is read from any bytes and any JSON without another error', () => {
    const bytes = fc.uint8Array().map((array) => Buffer.from(array).toString('utf8'));
    const part = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('success', 'error'),
      fc.record({ status: fc.constantFrom('success', 'error'), result: fc.jsonValue() }),
      fc.record({ status: fc.constant('error'), errors: fc.array(fc.record({ error_code: fc.jsonValue() })) }),
    );
    const keys = fc.constantFrom('status', 'result', 'answer', 'errors', 'error_code', 'error_text', '__proto__');
    const json = fc.dictionary(keys, part).map((value) => JSON.stringify(value));

    fc.assert(
      fc.property(fc.oneof(bytes, json, fc.json()), (body) => {
        const answer = read(body);

        expect('result' in answer || reasons.includes(answer.reason)).toBe(true);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

it.each([
  ['AUTH_ERROR', 'auth'],
  ['PERMISSION_DENIED', 'permission'],
  ['LIMIT_ERROR', 'limit'],
  ['INCORRECT_REQUEST', 'request'],
  ['NO_SUCH_METHOD', 'request'],
  ['INVALID_DATA', 'request'],
  ['METHOD_ERROR', 'method'],
  ['METHOD_FAILED', 'method'],
  ['1208', 'api'],
  ['', 'api'],
  ['auth_error', 'api'],
  ['constructor', 'api'],
  ['__proto__', 'api'],
  ['toString', 'api'],
])('the reason of the error code %j is %s', (code, reason) => {
  expect(reasonOf(code)).toBe(reason);
});

describe('a list that is too long', () => {
  it.each([
    ['a list', Array(1_000_000).fill(0), 'the result has 1000000'],
    ['a nested list', { a: [1, { b: Array(10_001).fill(0) }] }, 'a[1].b: has 10001'],
    [
      'an object',
      Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, 0])),
      'the result has 10001',
    ],
  ])('is refused: %s', (_what, result, start) => {
    expect(() => refuseLongLists(result, 10_000)).toThrow(
      `${start} entries, more than max_items (10000); raise max_items if the list is genuine`,
    );
    expect(() => refuseLongLists(Array(10_000).fill(0), 10_000)).not.toThrow();
  });

  it.each([64, 65, 50_000])('and a result nested in %i levels is refused above 64', (levels) => {
    const result = JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

    const check = expect(() => refuseLongLists(result, 100));
    if (levels > 64) check.toThrow('the response is JSON nested deeper than 64 levels');
    else check.not.toThrow();
  });
});

/** Whether JSON.stringify can write the value of the JSON text. */
function isStackSufficient(json: string): boolean {
  try {
    return JSON.stringify(JSON.parse(json)) === json;
  } catch {
    return false;
  }
}
