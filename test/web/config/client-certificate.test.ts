import { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { expect, it } from 'vitest';
import { admits, type TlsConfig } from '../../../src/web/config/tls-options.ts';
import { readPem } from '../../fixtures/secured-app.ts';

const certificate = new X509Certificate(readPem('client.crt'));

/** Whether a client is admitted without a certificate, with one of an unknown authority, and with one of a known authority. */
function admitted(clientAuth: TlsConfig['clientAuth'], clientAllowedSans: readonly string[]) {
  const config = { clientAuth, clientAllowedSans } as TlsConfig;
  const clients = [
    { certificate: undefined, authorized: false },
    { certificate, authorized: false },
    { certificate, authorized: true },
  ];
  return clients.map(({ certificate: shown, authorized }) =>
    admits(config, { authorized, getPeerX509Certificate: () => shown } as TLSSocket),
  );
}

it.each([
  [['prometheus.example.com'], true],
  [['other.example', 'ops@example.com'], true],
  [['192.0.2.1'], true],
  [['2001:db8::1'], true],
  [['192.0.2.8'], false],
  [['other.example'], false],
  [['example.com'], false],
  [[], false],
] as const)('of the allowed names %j, the certificate has one: %j', (names, expected) => {
  expect(admitted('RequireAndVerifyClientCert', names)).toEqual([false, false, expected]);
  expect(admitted('RequireAnyClientCert', names)).toEqual([false, expected, expected]);
});

it('allowed names do not matter if no certificate is required', () => {
  expect(admitted('VerifyClientCertIfGiven', ['other.example'])).toEqual([true, false, true]);
});

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
