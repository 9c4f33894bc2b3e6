import { describe, expect, it } from 'vitest';
import { readRequest } from '../../../src/sandbox/request.ts';

const read = (query: string, body?: string, authorization?: string) =>
  readRequest({ httpMethod: 'POST', path: 'dns/addRecords', query, body, authorization });

describe('readRequest', () => {
  it('reads query and body, with precedence for the body', () => {
    const request = read('login=a&fqdn=x.example', 'login=b&passwd=p%26w%2B+%D0%B9');

    expect(request).toMatchObject({ login: 'b', password: 'p&w+ й', parameters: { fqdn: 'x.example' } });
  });

  it('parses nested form parameters', () => {
    const { parameters } = read(
      'records[0][type]=A&records[0][value]=192.0.2.1&records[1][type]=MX&paths[]=a&paths[]=b',
    );

    expect(JSON.parse(JSON.stringify(parameters))).toEqual({
      records: { 0: { type: 'A', value: '192.0.2.1' }, 1: { type: 'MX' } },
      paths: { 0: 'a', 1: 'b' },
    });
  });

  it('accepts names of object properties safely', () => {
    const { parameters } = read('__proto__[polluted]=1&constructor=2');

    expect(Object.keys(parameters)).toEqual(['__proto__', 'constructor']);
    expect('polluted' in {}).toBe(false);
  });

  it.each([
    ['Bearer abc.def', 'abc.def'],
    ['bearer abc', 'abc'],
    ['Basic abc', undefined],
    [undefined, undefined],
  ])('reads from Authorization %s the token %s', (authorization, token) => {
    expect(read('', undefined, authorization).token).toBe(token);
  });
});
