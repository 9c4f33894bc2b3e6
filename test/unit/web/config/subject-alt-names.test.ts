import type { TLSSocket } from 'node:tls';
import { expect, it } from 'vitest';
import { admits, type TlsConfig } from '../../../../src/web/config/tls-options.ts';

const candidates = [
  ...['', 'one', 'two', 'three', 'a@example.com', 'spiffe://x/y', 'one, DNS:two', 'one", DNS:"two'],
  ...['192.0.2.1', 'CN=a, DNS:b', 'CN=a', 'b', 'c', '"one', 'DNS:two', 'one,DNS:two', '"one"x'],
];

/** The candidates that a certificate has, one by one, in the order of the candidates. */
function admittedNames(subjectAltName: string): readonly string[] {
  const certificate = { subjectAltName, checkIP: () => undefined };
  const socket = { authorized: true, getPeerX509Certificate: () => certificate } as unknown as TLSSocket;
  return candidates.filter((name) =>
    admits({ clientAuth: 'RequireAndVerifyClientCert', clientAllowedSans: [name] } as unknown as TlsConfig, socket),
  );
}

it.each([
  ['', []],
  ['DNS:one', ['one']],
  ['DNS:one, email:a@example.com, IP Address:192.0.2.1, URI:spiffe://x/y', ['one', 'a@example.com', 'spiffe://x/y']],
  ['DNS:"one, DNS:two"', ['one, DNS:two']],
  ['DNS:"one\\", DNS:\\"two", DNS:three', ['three', 'one", DNS:"two']],
  ['DirName:"CN=a, DNS:b", DNS:c', ['c']],
])('reads %s', (text, names) => {
  expect(admittedNames(text)).toEqual(names);
});

it.each(['DNS:"one', 'one, DNS:two', 'DNS:one,DNS:two', 'DNS:"one"x, DNS:two'])(
  'accepts no name of a text that it cannot read: %s',
  (text) => {
    expect(admittedNames(text)).toEqual([]);
  },
);
