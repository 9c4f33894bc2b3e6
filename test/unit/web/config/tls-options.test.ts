import { describe, expect, it } from 'vitest';
import { loadWebConfig } from '../../../../src/web/config/load.ts';
import { writtenFile } from '../../../fixtures/written-file.ts';

/** The options of a server with these settings. */
function optionsWith(settings: string) {
  const { tls } = loadWebConfig(
    writtenFile(`tls_server_config: {cert_file: server.crt, key_file: server.key, ${settings}}`),
  );
  return tls?.options;
}

describe('the options of a TLS server', () => {
  it.each([
    ['', false],
    ['min_version: TLS12', false],
    ['min_version: TLS13', false],
    ['min_version: TLS11', true],
    ['min_version: TLS10', true],
  ])('lower the security level of OpenSSL only for old versions: %j', (settings, lower) => {
    expect(optionsWith(settings)?.ciphers?.includes('SECLEVEL')).toBe(lower);
  });

  it.each([
    ['NoClientCert', false, false],
    ['RequestClientCert', true, false],
    ['RequireAnyClientCert', true, false],
    ['RequireClientCert', true, false],
    ['VerifyClientCertIfGiven', true, false],
    ['RequireAndVerifyClientCert', true, true],
  ])(
    'ask for a certificate, and refuse others in the handshake, as %s says',
    (policy, requestCert, rejectUnauthorized) => {
      expect(optionsWith(`client_auth_type: ${policy}`)).toMatchObject({ requestCert, rejectUnauthorized });
    },
  );
});

it('a list of cipher suites contains those of TLS 1.3 once, also if they are named', () => {
  const names = 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, TLS_AES_128_GCM_SHA256';

  expect(optionsWith(`cipher_suites: [${names}]`)?.ciphers).toBe(
    'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:ECDHE-RSA-AES128-GCM-SHA256',
  );
});
