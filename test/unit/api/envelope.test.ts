import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openEnvelope, reasonOfCode } from '../../../src/api/envelope.ts';
import { reasons } from '../../../src/api/error.ts';

describe('an envelope', () => {
  it.each([
    ['specification', '{"status":"success","result":[1]}'],
    ['provider', '{"status":"success","answer":{"status":"success","result":[1]}}'],
  ])('of the %s holds a result', (dialect, body) => {
    expect(openEnvelope(body)).toEqual({ kind: 'result', dialect, result: [1] });
  });

  it.each([['null'], ['true'], ['0'], ['""'], ['[]'], ['{}']])('may hold the result %s', (result) => {
    const specification = openEnvelope(`{"status":"success","result":${result}}`);
    const provider = openEnvelope(`{"status":"success","answer":{"status":"success","result":${result}}}`);

    expect(specification).toEqual({ kind: 'result', dialect: 'specification', result: JSON.parse(result) });
    expect(provider).toEqual({ kind: 'result', dialect: 'provider', result: JSON.parse(result) });
  });

  it('holds the refusal of a request, which both forms write alike', () => {
    const body = '{"status":"error","error_text":"Username\\/password incorrect","error_code":"AUTH_ERROR"}';

    expect(openEnvelope(body)).toEqual({
      kind: 'refusal',
      dialect: undefined,
      code: 'AUTH_ERROR',
      text: 'Username/password incorrect',
    });
  });

  it('holds several errors of a method: the code of the first, the texts of all', () => {
    const errors = [
      { error_code: 'INVALID_DATA', error_text: 'Login length' },
      { error_code: 1208, error_text: { type: 'NOT_FOUND_ERROR', message: null } },
    ];

    expect(openEnvelope(JSON.stringify({ status: 'success', answer: { status: 'error', errors } }))).toEqual({
      kind: 'refusal',
      dialect: 'provider',
      code: 'INVALID_DATA',
      text: 'Login length; {"type":"NOT_FOUND_ERROR","message":null}',
    });
  });

  it('holds an error straight in the answer', () => {
    const body = '{"status":"success","answer":{"status":"error","error_code":"METHOD_FAILED","error_text":"x"}}';

    expect(openEnvelope(body)).toMatchObject({
      kind: 'refusal',
      dialect: 'provider',
      code: 'METHOD_FAILED',
      text: 'x',
    });
  });

  it.each([
    ['a number as its code', '{"status":"error","error_code":1208,"error_text":"weak"}', '1208', 'weak'],
    ['no text', '{"status":"error","error_code":"AUTH_ERROR"}', 'AUTH_ERROR', ''],
    ['null as its text', '{"status":"error","error_code":"X","error_text":null}', 'X', 'null'],
    ['a list as its text', '{"status":"error","error_code":"X","error_text":["a"]}', 'X', '["a"]'],
  ])('holds a refusal with %s', (_what, body, code, text) => {
    expect(openEnvelope(body)).toMatchObject({ kind: 'refusal', code, text });
  });

  it.each([
    ['', 'an empty body'],
    [' \n', 'an empty body'],
    ['<!DOCTYPE html><p>', 'an HTML page instead of JSON'],
    ['<html>', 'an HTML page instead of JSON'],
    ['{"status":"success","res', 'JSON that breaks off or is malformed'],
    ['[1,', 'JSON that breaks off or is malformed'],
    ['Cannot parse the JSON input params', 'text that is not JSON'],
    ['null', 'JSON, but not the envelope of this API'],
    ['[]', 'JSON, but not the envelope of this API'],
    ['{}', 'JSON, but not the envelope of this API'],
    ['{"status":"success"}', 'JSON, but not the envelope of this API'],
    ['{"status":"success","answer":null}', 'JSON, but not the envelope of this API'],
    ['{"status":"success","answer":{}}', 'JSON, but not the envelope of this API'],
    ['{"status":"success","answer":{"status":"success"}}', 'JSON, but not the envelope of this API'],
    ['{"status":"success","answer":{"status":"error","errors":[]}}', 'JSON, but not the envelope of this API'],
    ['{"status":"error"}', 'JSON, but not the envelope of this API'],
    ['{"status":"error","error_code":null}', 'JSON, but not the envelope of this API'],
    ['{"status":"pending","result":[]}', 'JSON, but not the envelope of this API'],
  ])('is not %j', (body, why) => {
    expect(openEnvelope(body)).toEqual({ kind: 'unreadable', why });
  });

  it.each([
    ['result', (deep: string) => `{"status":"success","result":${deep}}`],
    ['error text', (deep: string) => `{"status":"error","error_code":"X","error_text":${deep}}`],
  ])('is unreadable where its %s is nested fifty thousand levels deep', (_what, body) => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);

    expect(openEnvelope(body(deep))).toEqual({ kind: 'unreadable', why: 'JSON, but nested too deeply' });
  });

  it('opens any bytes and any JSON without failing', () => {
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
        const opened = openEnvelope(body);

        expect(['result', 'refusal', 'unreadable']).toContain(opened.kind);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the reason behind a code', () => {
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
  ])('%j is %s', (code, reason) => {
    expect(reasonOfCode(code)).toBe(reason);
  });

  it('is one of the closed set for any code', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype))), (code) => {
        expect(reasons).toContain(reasonOfCode(code));
      }),
    );
  });
});
