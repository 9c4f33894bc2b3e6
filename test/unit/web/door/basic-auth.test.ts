import { expect, it } from 'vitest';
import { parseBasicAuth } from '../../../../src/web/door/client.ts';

function basic(text: string | Buffer): string {
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

it.each([
  ['user:password', 'user', 'password'],
  ['user:pass:word', 'user', 'pass:word'],
  [':', '', ''],
  ['пользователь:пароль', 'пользователь', 'пароль'],
])('reads %s', (text, user, password) => {
  expect(parseBasicAuth(basic(text))).toEqual({ user, password, exact: true });
});

it('reads the scheme in any case', () => {
  expect(parseBasicAuth(basic('a:b').replace('Basic', 'bAsIc'))?.user).toBe('a');
});

it('reads several spaces after the scheme', () => {
  expect(parseBasicAuth(basic('a:b').replace(' ', '   '))?.user).toBe('a');
});

it('marks bytes that are not UTF-8', () => {
  expect(parseBasicAuth(basic(Buffer.from('a:\xff', 'latin1')))?.exact).toBe(false);
});

it.each([
  undefined,
  '',
  'Basic',
  'Basic ',
  'Bearer YTpi',
  'Basic !!!',
  `${basic('a:b')} x`,
  `Other${basic('a:b')}`,
  basic('no colon'),
])('finds no credentials in %s', (header) => {
  expect(parseBasicAuth(header)).toBeUndefined();
});
