import { expect, it } from 'vitest';
import { subjectAltNames } from '../../../src/listeners/client-certificate.ts';

it.each([
  ['', []],
  ['DNS:one', ['one']],
  ['DNS:one, email:a@example.com, IP Address:192.0.2.1, URI:spiffe://x/y', ['one', 'a@example.com', 'spiffe://x/y']],
  ['DNS:"one, DNS:two"', ['one, DNS:two']],
  ['DNS:"one\\", DNS:\\"two", DNS:three', ['one", DNS:"two', 'three']],
  ['DirName:"CN=a, DNS:b", DNS:c', ['c']],
])('reads %s', (text, names) => {
  expect(subjectAltNames(text)).toEqual(names);
});

it.each(['DNS:"one', 'one, DNS:two', 'DNS:one,DNS:two', 'DNS:"one"x, DNS:two'])(
  'accepts no name of a text that it cannot read: %s',
  (text) => {
    expect(subjectAltNames(text)).toEqual([]);
  },
);
