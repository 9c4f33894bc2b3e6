import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, expect, it } from 'vitest';
import { admits, type TlsConfig } from '../../../../src/web/config/tls-options.ts';
import { Cleanups } from '../../../fixtures/cleanups.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

const cleanups = new Cleanups();

afterAll(cleanups.end);

/** A certificate with these names, which are separated by commas. */
function certificateFor(names: string): X509Certificate {
  const folder = temporaryFolder(cleanups);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key.pem'];
  const words = [
    'req',
    '-x509',
    ...key,
    '-out',
    'cert.pem',
    '-subj',
    '/CN=client',
    '-addext',
    `subjectAltName=${names}`,
  ];
  execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
  return new X509Certificate(readFileSync(join(folder, 'cert.pem')));
}

const certificate = certificateFor('DNS:prometheus.example,email:ops@example.com,IP:192.0.2.7');

/** Whether a client is admitted without a certificate, with one of an unknown authority, and with one of a known authority. */
function admitted(clientAuth: TlsConfig['clientAuth'], clientAllowedSans?: readonly string[]) {
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
  ['NoClientCert', [true, true, true]],
  ['RequestClientCert', [true, true, true]],
  ['VerifyClientCertIfGiven', [true, false, true]],
  ['RequireAnyClientCert', [false, true, true]],
  ['RequireClientCert', [false, true, true]],
  ['RequireAndVerifyClientCert', [false, false, true]],
] as const)('%s admits no, an unknown and a known certificate: %j', (clientAuth, expected) => {
  expect(admitted(clientAuth)).toEqual(expected);
});

it.each([
  [['prometheus.example'], true],
  [['other.example', 'ops@example.com'], true],
  [['192.0.2.7'], true],
  [['192.0.2.8'], false],
  [['other.example'], false],
  [['example'], false],
  [[], false],
] as const)('of the allowed names %j, the certificate has one: %j', (names, expected) => {
  expect(admitted('RequireAndVerifyClientCert', names)).toEqual([false, false, expected]);
  expect(admitted('RequireAnyClientCert', names)).toEqual([false, expected, expected]);
});

it('allowed names do not matter if no certificate is required', () => {
  expect(admitted('VerifyClientCertIfGiven', ['other.example'])).toEqual([true, false, true]);
});
