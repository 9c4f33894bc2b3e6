import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestForm } from '../../../src/api/request-form.ts';
import type { Credentials } from '../../../src/config/values/config.ts';
import { inlineSecret } from '../../../src/config/values/secret.ts';

const password: Credentials = { kind: 'password', login: 'shop', password: inlineSecret('unused') };
const token: Credentials = { kind: 'token', token: inlineSecret('unused') };

describe('the form of a call', () => {
  it('contains login and password, and requests JSON', () => {
    expect(requestForm(password, 'sh&p+5 #?/=%41', {}, 'plain')).toEqual({
      headers: {},
      query: '',
      body: 'login=shop&passwd=sh%26p%2B5+%23%3F%2F%3D%2541&output_format=json',
    });
  });

  it('puts a token in a header, and the output format in the query', () => {
    expect(requestForm(token, 'a.b-c_d', {}, 'plain')).toEqual({
      headers: { authorization: 'Bearer a.b-c_d' },
      query: '?output_format=json',
      body: '',
    });
  });

  it('contains plain parameters', () => {
    const { body } = requestForm(token, 't', { site_id: '296164' }, 'plain');

    expect(body).toBe('site_id=296164');
  });

  it('contains JSON parameters in input_data, and omits it without parameters', () => {
    const withParameters = requestForm(token, 't', { db_name: 'агентство' }, 'json');
    const without = requestForm(token, 't', {}, 'json');

    expect(Object.fromEntries(new URLSearchParams(withParameters.body))).toEqual({
      input_format: 'json',
      input_data: '{"db_name":"агентство"}',
    });
    expect(without.body).toBe('');
  });

  it('encodes any password and any parameter', () => {
    const text = fc.string({ unit: 'grapheme' });

    fc.assert(
      fc.property(text, text, (secret, database) => {
        const { body } = requestForm(password, secret, { db_name: database }, 'plain');

        expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
          login: 'shop',
          passwd: secret,
          output_format: 'json',
          db_name: database,
        });
      }),
    );
  });
});
