import { describe, expect, it } from 'vitest';
import { readRequest } from '../../../src/sandbox/request.ts';

const read = (query: string, body?: string, authorization?: string) =>
  readRequest({ httpMethod: 'POST', path: 'dns/addRecords', query, body, authorization });

describe('a request', () => {
  it('is read from query and body, the body winning', () => {
    const request = read('login=a&fqdn=x.example', 'login=b&passwd=p%26w%2B+%D0%B9');

    expect(request).toMatchObject({ login: 'b', password: 'p&w+ й', parameters: { fqdn: 'x.example' } });
  });

  it('nests parameters as forms write them', () => {
    const { parameters } = read(
      'records[0][type]=A&records[0][value]=192.0.2.1&records[1][type]=MX&paths[]=a&paths[]=b',
    );

    expect(JSON.parse(JSON.stringify(parameters))).toEqual({
      records: { 0: { type: 'A', value: '192.0.2.1' }, 1: { type: 'MX' } },
      paths: { 0: 'a', 1: 'b' },
    });
  });

  it('takes no harm from names that objects have of themselves', () => {
    const { parameters } = read('__proto__[polluted]=1&constructor=2');

    expect(Object.keys(parameters)).toEqual(['__proto__', 'constructor']);
    expect('polluted' in {}).toBe(false);
  });

  it.each([
    ['Bearer abc.def', 'abc.def'],
    ['bearer abc', 'abc'],
    ['Basic abc', undefined],
    [undefined, undefined],
  ])('with Authorization %s has the token %s', (authorization, token) => {
    expect(read('', undefined, authorization).token).toBe(token);
  });
});
