import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../../src/config/values/config-error.ts';
import { loadWebConfig } from '../../../../src/web/config/load.ts';

const folder = join(import.meta.dirname, '../../../fixtures/web-config');
const files = readdirSync(folder).filter((name) => name.endsWith('.yml'));

/** What `*.bad.yml` must report: place, key and the beginning of the message. */
const expectedProblems: Readonly<Record<string, readonly string[]>> = {
  'structure.bad.yml': ['1:1: is not a mapping'],
  'unknown-key.bad.yml': [
    '2:3: tls_server_config: has an unknown key; did you mean "cert_file"?',
    '2:3: tls_server_config: is missing one of cert or cert_file',
  ],
  'duplicate-key.bad.yml': ['2:1: duplicate key'],
  'cert-file-empty.bad.yml': ['2:3: tls_server_config: is missing one of cert or cert_file'],
  'cert-empty.bad.yml': ['2:3: tls_server_config: is missing one of cert or cert_file'],
  'key-file-empty.bad.yml': ['2:3: tls_server_config: is missing one of key or key_file'],
  'key-empty.bad.yml': ['2:3: tls_server_config: is missing one of key or key_file'],
  'cert-and-key-empty.bad.yml': [
    '2:3: tls_server_config: is missing one of cert or cert_file',
    '2:3: tls_server_config: is missing one of key or key_file',
  ],
  'cert-file-missing.bad.yml': ['2:14: tls_server_config.cert_file: the file does not exist'],
  'key-file-missing.bad.yml': ['3:13: tls_server_config.key_file: the file does not exist'],
  'cert-and-key-file-missing.bad.yml': [
    '2:14: tls_server_config.cert_file: the file does not exist',
    '3:13: tls_server_config.key_file: the file does not exist',
  ],
  'cert-file-not-pem.bad.yml': ['2:14: tls_server_config.cert_file: contains no PEM certificate'],
  'key-file-not-pem.bad.yml': ['3:13: tls_server_config.key_file: contains no PEM private key'],
  'key-of-another-certificate.bad.yml': ['3:13: tls_server_config.key_file: does not belong to the certificate'],
  'client-ca-missing-file.bad.yml': ['5:19: tls_server_config.client_ca_file: the file does not exist'],
  'client-ca-not-pem.bad.yml': ['5:19: tls_server_config.client_ca_file: contains no PEM certificate'],
  'client-ca-without-policy.bad.yml': [
    '4:19: tls_server_config.client_ca_file: "authority.crt" has no effect without a client auth policy',
  ],
  'client-ca-with-no-client-cert.bad.yml': [
    '5:19: tls_server_config.client_ca_file: "authority.crt" has no effect without a client auth policy',
  ],
  'client-auth-type-unknown.bad.yml': [
    '4:21: tls_server_config.client_auth_type: "RequireSomeClientCert" is an unknown policy',
  ],
  'cipher-unknown.bad.yml': [
    '6:7: tls_server_config.cipher_suites[1]: "TLS_MADE_UP_WITH_AES_512" is an unknown cipher suite',
  ],
  'cipher-insecure.bad.yml': [
    '6:7: tls_server_config.cipher_suites[1]: "TLS_RSA_WITH_RC4_128_SHA" is an unknown cipher suite',
  ],
  'curve-unknown.bad.yml': ['5:7: tls_server_config.curve_preferences[0]: "CurveP999" is an unknown curve'],
  'version-unknown.bad.yml': ['4:16: tls_server_config.min_version: "TLS99" is an unknown TLS version'],
  'versions-reversed.bad.yml': ['4:16: tls_server_config.min_version: "TLS13" is above max_version'],
  'san-without-client-auth.bad.yml': [
    '4:24: tls_server_config.client_allowed_sans: has no effect unless clients must show a certificate',
  ],
  'san-optional-certificate.bad.yml': [
    '6:24: tls_server_config.client_allowed_sans: has no effect unless clients must show a certificate',
  ],
  'header-content-type-options.bad.yml': [
    '3:29: http_server_config.headers.X-Content-Type-Options: "sniff" is an invalid value; write nosniff',
  ],
  'header-frame-options.bad.yml': [
    '3:22: http_server_config.headers.X-Frame-Options: "DENY" is an invalid value; write deny or sameorigin',
  ],
  'header-other.bad.yml': ['3:5: http_server_config.headers: has an unknown key'],
  'header-lower-case.bad.yml': ['3:5: http_server_config.headers: has an unknown key; did you mean "X-Frame-Options"?'],
  'header-injection.bad.yml': ['3:30: http_server_config.headers.Content-Security-Policy: '],
  'user-too-short.bad.yml': ['2:9: basic_auth_users: is not a bcrypt hash'],
  'user-no-hash.bad.yml': ['2:9: basic_auth_users: is not a bcrypt hash'],
  'user-empty-hash.bad.yml': ['2:8: basic_auth_users: is not a bcrypt hash'],
  'user-impossible-cost.bad.yml': ['2:9: basic_auth_users: is not a bcrypt hash with a cost from 4 to 31'],
  'user-with-colon.bad.yml': ['2:3: basic_auth_users: has a key that contains a colon'],
  'user-reserved-name.bad.yml': ['2:3: basic_auth_users: has a reserved user name'],
  'rate-limit-interval.bad.yml': ['2:13: rate_limit.interval: "1 second" is not a duration'],
  'rate-limit-burst.bad.yml': ['3:10: rate_limit.burst: "many" is not a whole number'],
  'several-errors.bad.yml': [
    '2:3: tls_server_config: is missing one of key or key_file',
    '2:14: tls_server_config.cert_file: the file does not exist',
    '3:16: tls_server_config.min_version: "TLS99" is an unknown TLS version',
    '4:23: tls_server_config.curve_preferences[0]: "CurveP999" is an unknown curve',
    '7:22: http_server_config.headers.X-Frame-Options: "allow" is an invalid value',
    '9:9: basic_auth_users: is not a bcrypt hash',
    '11:10: rate_limit.burst: "-1" is not a whole number',
  ],
};

function problemsOf(file: string): readonly string[] {
  try {
    loadWebConfig(join(folder, file));
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').map((line) => line.replace(`${join(folder, file)}:`, ''));
  }
}

describe('a web configuration file', () => {
  it.each(files.filter((name) => name.endsWith('.good.yml')))('%s is accepted', (name) => {
    expect(problemsOf(name)).toEqual([]);
  });

  it.each(files.filter((name) => name.endsWith('.bad.yml')))('%s is refused, with line and key', (name) => {
    const expected = expectedProblems[name] ?? ['an entry in expectedProblems'];

    const problems = problemsOf(name);

    expect(problems).toEqual(expected.map((start) => expect.stringContaining(start)));
  });

  it('that does not exist is refused', () => {
    expect(problemsOf('missing.yml')).toEqual([' does not exist; create it, or correct the path']);
  });

  it('shows neither hashes nor passwords nor keys in errors', () => {
    const messages = files.flatMap(problemsOf).join('\n');

    expect(messages).not.toMatch(/\$2|dave123|long password|short"|PRIVATE KEY-----\S/);
  });
});

/** Where the exporter differs from Debian's promtool (2.42) on purpose. */
const differences: Readonly<Record<string, string>> = {
  'client-ca-inline.good.yml': 'promtool is older than the key client_ca',
  'client-ca-not-pem.bad.yml': 'stricter: such a file would refuse every client',
  'header-injection.bad.yml': 'stricter: Go replaces the line break',
  'rate-limit-burst.good.yml': 'promtool is older than the key rate_limit',
  'rate-limit-off.good.yml': 'promtool is older than the key rate_limit',
  'rate-limit-one-second.good.yml': 'promtool is older than the key rate_limit',
  'san-other.good.yml': 'promtool is older than the key client_allowed_sans',
  'san.good.yml': 'promtool is older than the key client_allowed_sans',
  'tls-inline.good.yml': 'promtool is older than the keys cert and key',
  'user-reserved-name.bad.yml': 'stricter: JavaScript cannot keep this name',
  'user-with-colon.bad.yml': 'stricter: no client could log in',
  'versions-reversed.bad.yml': 'stricter: every handshake would fail',
};

describe('promtool check web-config', () => {
  it.each(files)('agrees on %s', (name) => {
    const { status } = spawnSync('promtool', ['check', 'web-config', name], { cwd: folder });

    const isAccepted = problemsOf(name).length === 0;

    expect(isAccepted === (status === 0), differences[name] ?? 'agreement').toBe(differences[name] === undefined);
  });
});
