import { expect, it } from 'vitest';
import { readRequest } from '../src/request.ts';
import { maxBody } from '../src/unreadable-requests.ts';

const read = (query: string, body?: string, authorization?: string) =>
  readRequest('specification', {
    method: 'POST',
    url: `/api/dns/addRecords?${query}`,
    params: { '*': 'dns/addRecords' },
    body,
    headers: { authorization },
  });

it('reads query and body, with precedence for the body', async () => {
  const request = await read('login=a&fqdn=x.example', 'login=b&passwd=p%26w%2B+%D0%B9');

  expect(request).toMatchObject({ login: 'b', password: 'p&w+ й', parameters: { fqdn: 'x.example' } });
});

it('parses nested form parameters', async () => {
  const { parameters } = await read(
    'records[0][type]=A&records[0][value]=192.0.2.1&records[1][type]=MX&paths[]=a&paths[]=b',
  );

  expect(JSON.parse(JSON.stringify(parameters))).toEqual({
    records: { 0: { type: 'A', value: '192.0.2.1' }, 1: { type: 'MX' } },
    paths: { 0: 'a', 1: 'b' },
  });
});

it('continues a list after the indices that it has', async () => {
  const { parameters } = await read('paths[1]=b&paths[]=a&paths[]=c&paths[x]=d&other[]=e');

  expect(JSON.parse(JSON.stringify(parameters))).toEqual({
    paths: { 0: 'a', 1: 'b', 2: 'c', x: 'd' },
    other: { 0: 'e' },
  });
});

// A parser that takes quadratic time needs minutes for the largest body, longer than the time limit of a test.
it('parses the largest body with one list', async () => {
  const names = Math.floor(maxBody / 'a[]=&'.length);

  const { parameters } = await read('', 'a[]=&'.repeat(names));

  expect(Object.keys(parameters['a'] ?? {})).toHaveLength(names);
});

it('accepts names of object properties safely', async () => {
  const { parameters } = await read('__proto__[polluted]=1&constructor=2');

  expect(Object.keys(parameters)).toEqual(['__proto__', 'constructor']);
  expect('polluted' in {}).toBe(false);
});
