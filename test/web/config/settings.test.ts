import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/config/values/config-error.ts';
import { loadWebConfig } from '../../../src/web/config/load.ts';
import { readPem } from '../../fixtures/secured-app.ts';
import { writtenFile } from '../../fixtures/written-file.ts';

const tls = 'tls_server_config: {cert_file: server.crt, key_file: server.key';
const hash = '$2b$10$7FSFa/vT.STeMUvCicrEv.B31mIlC4S6ez9pW27NONGstmInofpkC';

/** A PEM file as a value in YAML. */
const inline = (name: string) => JSON.stringify(readPem(name));

/** The problems of a file, without its name. */
function problemsOf(path: string): readonly string[] {
  try {
    loadWebConfig(path);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').map((line) => line.replace(path, ''));
  }
}

function tlsOf(text: string) {
  return loadWebConfig(writtenFile(text)).tls;
}

function accessOf(text: string) {
  return loadWebConfig(writtenFile(text)).access;
}

it.each([
  '',
  '# comment',
  '{}',
  '~',
  'null',
  'Null',
  'NULL',
  'tls_server_config:\nhttp_server_config: ~\nbasic_auth_users: null\nrate_limit: ""',
  'tls_server_config: {}\nhttp_server_config: {}\nbasic_auth_users: {}\nrate_limit: {}',
  'tls_server_config: {cert_file: , key: "", client_auth_type: ~}\nrate_limit: {interval: Null}',
  'http_server_config: {headers: }',
])('a file without settings protects nothing: %j', (text) => {
  expect(loadWebConfig(writtenFile(text))).toEqual({
    access: { users: new Map(), headers: {}, rateLimit: undefined },
    tls: undefined,
    tlsPaths: [],
    warnings: [],
  });
});

describe('the settings of a file', () => {
  it('are read: users, headers and rate limit', () => {
    const access = accessOf(`
basic_auth_users: {dave: ${hash}}
http_server_config: {headers: {X-Frame-Options: sameorigin, X-XSS-Protection: 1}}
rate_limit: {interval: 1h30m, burst: 3}
`);

    expect(access).toEqual({
      users: new Map([['dave', hash]]),
      headers: { 'X-Frame-Options': 'sameorigin', 'X-XSS-Protection': '1' },
      rateLimit: { interval: 5_400_000, burst: 3 },
    });
  });

  it.each([
    ['{interval: 250ms}', { interval: 250, burst: 0 }],
    ['{interval: 1.5s, burst: 250}', { interval: 1500, burst: 250 }],
    ['{interval: 0, burst: 5}', undefined],
    ['{burst: 5}', undefined],
  ])('limit requests with rate_limit: %s', (text, rateLimit) => {
    expect(accessOf(`rate_limit: ${text}`).rateLimit).toEqual(rateLimit);
  });

  it('have defaults for TLS', () => {
    const path = writtenFile(`${tls}}`);

    expect(loadWebConfig(path)).toMatchObject({
      tls: {
        clientAuth: 'NoClientCert',
        clientAllowedSans: undefined,
        options: {
          cert: readPem('server.crt'),
          key: readPem('server.key'),
          ca: undefined,
          minVersion: 'TLSv1.2',
          maxVersion: 'TLSv1.3',
          honorCipherOrder: true,
          ecdhCurve: 'auto',
        },
      },
      tlsPaths: [join(dirname(path), 'server.crt'), join(dirname(path), 'server.key')],
    });
  });

  it('are read: TLS', () => {
    const path = writtenFile(`
tls_server_config:
  cert: ${inline('server.crt')}
  key: ${inline('server.key')}
  client_ca_file: ./authority.crt
  client_auth_type: RequireAndVerifyClientCert
  client_allowed_sans: [prometheus.example.com, ops@example.com]
  min_version: TLS11
  max_version: TLS12
  cipher_suites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, TLS_AES_128_GCM_SHA256]
  prefer_server_cipher_suites: false
  curve_preferences: [CurveP521, X25519]
`);

    expect(loadWebConfig(path)).toMatchObject({
      tls: {
        clientAuth: 'RequireAndVerifyClientCert',
        clientAllowedSans: ['prometheus.example.com', 'ops@example.com'],
        options: {
          cert: readPem('server.crt'),
          key: readPem('server.key'),
          ca: readPem('authority.crt'),
          minVersion: 'TLSv1.1',
          maxVersion: 'TLSv1.2',
          // The suites of TLS 1.3 are contained once, also if they are named. Old versions need a lower security level.
          ciphers:
            'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:ECDHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0',
          honorCipherOrder: false,
          ecdhCurve: 'P-521:X25519',
        },
      },
      tlsPaths: [join(dirname(path), 'authority.crt')],
    });
  });

  it.each([
    ...['true', 'True', 'TRUE', 'yes', 'on', 'ON', 'y', 'Y'].map((word) => [word, true] as const),
    ...['false', 'False', 'no', 'NO', 'off', 'n', 'N'].map((word) => [word, false] as const),
  ])('understand %s as other exporters do', (word, value) => {
    expect(tlsOf(`${tls}, prefer_server_cipher_suites: ${word}}`)?.options.honorCipherOrder).toBe(value);
  });

  it('may name a certificate with those of its authorities, or with other text around it', () => {
    const path = writtenFile(`${tls}}`);
    const chain = `Subject: localhost\n${readPem('server.crt')}\n${readPem('authority.crt')}`;
    writeFileSync(join(dirname(path), 'server.crt'), chain);

    expect(loadWebConfig(path).tls?.options.cert).toBe(chain);
  });
});

// More problems, one in each file, are in test/fixtures/web-config.
describe('a file is refused, with the reason, if', () => {
  it.each(['12x', '-1', '1.5', 'x1', '1234567890'])('the burst of the rate limit is %s', (burst) => {
    expect(problemsOf(writtenFile(`rate_limit: {interval: 1s, burst: ${burst}}`))).toEqual([
      `:1:35: rate_limit.burst: "${burst}" is not a whole number; write one such as 10`,
    ]);
  });

  it.each([
    'key_file: server.key',
    'key: x',
    'client_ca: x',
    'client_ca_file: authority.crt',
    'client_auth_type: RequestClientCert',
  ])('TLS has no certificate, but %s', (setting) => {
    expect(problemsOf(writtenFile(`tls_server_config: {${setting}}`))).toContain(
      ':1:20: tls_server_config: is missing one of cert or cert_file; add cert_file with the path of the certificate',
    );
  });

  it('the file or a certificate is larger than any useful one', () => {
    const path = writtenFile(`${tls}}`);
    appendFileSync(join(dirname(path), 'server.crt'), '\n'.repeat(1024 * 1024));

    expect(problemsOf(path)).toEqual([
      ':1:32: tls_server_config.cert_file: the file is larger than 1048576 bytes; check the path',
    ]);
    expect(problemsOf(writtenFile('#'.repeat(4 * 1024 * 1024 + 1)))).toEqual([
      ': is larger than 4194304 bytes; check the path',
    ]);
    expect(problemsOf(writtenFile('#'.repeat(4 * 1024 * 1024)))).toEqual([]);
  });

  it('a certificate is damaged, also that of a client authority', () => {
    const damaged = JSON.stringify(readPem('server.crt').replace(/\n.{64}\n/, '\n'));
    const policy = 'client_auth_type: RequireAndVerifyClientCert';
    const reason = 'contains a damaged certificate (number 1 of 1); copy it again';

    expect(problemsOf(writtenFile(`tls_server_config: {cert: ${damaged}, key_file: server.key}`))).toEqual([
      `:1:27: tls_server_config.cert: ${reason}`,
    ]);
    expect(problemsOf(writtenFile(`${tls}, ${policy}, client_ca: ${damaged}}`))).toEqual([
      expect.stringContaining(`: tls_server_config.client_ca: ${reason}`),
    ]);
  });

  it.each([
    ['PKCS #8', []],
    ['the older form', ['-traditional']],
  ])('the key is encrypted, in %s', (_, form) => {
    const path = writtenFile(`${tls}}`);
    const words = ['rsa', '-aes128', '-passout', 'pass:secret', ...form, '-in', 'server.key', '-out', 'encrypted.key'];
    execFileSync('openssl', words, { cwd: dirname(path), stdio: 'ignore' });
    writeFileSync(path, `tls_server_config: {cert_file: server.crt, key_file: encrypted.key}`);

    expect(problemsOf(path)).toEqual([
      ':1:54: tls_server_config.key_file: is encrypted; write the key without a passphrase',
    ]);
  });

  it('the key is too short for OpenSSL', () => {
    const path = writtenFile(`${tls}}`);
    const folder = dirname(path);
    const words = 'req -x509 -newkey rsa:512 -nodes -subj /CN=short -keyout server.key -out server.crt';
    execFileSync('openssl', words.split(' '), { cwd: folder, stdio: 'ignore' });

    expect(problemsOf(path)).toEqual([
      ':1:20: tls_server_config: is refused by OpenSSL (ee key too small); use another certificate or key',
    ]);
  });
});
