import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadWebConfig } from '../../../../src/web/config/load.ts';
import { readPem } from '../../../fixtures/secured-app.ts';
import { writtenFile } from '../../../fixtures/written-file.ts';

const tls = 'tls_server_config: {cert_file: server.crt, key_file: server.key';
const hash = (cost: number) => `$2b$${cost}$7FSFa/vT.STeMUvCicrEv.B31mIlC4S6ez9pW27NONGstmInofpkC`;

/** A PEM file as a value in YAML. */
const inline = (name: string) => JSON.stringify(readPem(name));

/** The warnings, without the name of the file and the column. */
function warningsOf(path: string): readonly string[] {
  return loadWebConfig(path).warnings.map((line) => line.replace(/^.*?:\d+:\d+: /, ''));
}

describe('a warning says', () => {
  it.each([
    ['tls_server_config: {min_version: TLS13}'],
    ['tls_server_config: {client_allowed_sans: [prometheus.example.com]}'],
  ])('that %s does not switch TLS on', (text) => {
    expect(warningsOf(writtenFile(text))).toEqual([
      'tls_server_config: has no certificate, so TLS is off; add cert_file and key_file',
    ]);
  });

  it('where it is', () => {
    const path = writtenFile('# comment\nrate_limit:\n  interval: 1s\n  burst: 0\n');

    expect(loadWebConfig(path).warnings).toEqual([
      `${path}:4:10: rate_limit.burst: is 0, so every request is refused; set it to 1 or more`,
    ]);
  });

  it('that a file takes precedence over the same text in the configuration', () => {
    const both = `cert: ${inline('renewed.crt')}, key: ${inline('renewed.key')}, client_ca: ${inline('client.crt')}`;
    const file = writtenFile(
      `${tls}, client_auth_type: RequireAndVerifyClientCert, client_ca_file: authority.crt, ${both}}`,
    );

    expect(warningsOf(file)).toEqual([
      'tls_server_config.cert: is ignored, because cert_file is set; remove one of them',
      'tls_server_config.key: is ignored, because key_file is set; remove one of them',
      'tls_server_config.client_ca: is ignored, because client_ca_file is set; remove one of them',
    ]);
    expect(loadWebConfig(file).tls?.options).toMatchObject({
      cert: readPem('server.crt'),
      key: readPem('server.key'),
      ca: readPem('authority.crt'),
    });
  });

  it('that every user of the machine can read the key', () => {
    const path = writtenFile(`${tls}}`, 0o644);
    chmodSync(join(dirname(path), 'server.key'), 0o604);

    expect(warningsOf(path)).toEqual(['tls_server_config.key_file: the file is world-readable; run chmod o-r on it']);
  });

  it('that every user of the machine can read a configuration that contains the key', () => {
    const text = `tls_server_config: {cert_file: server.crt, key: ${inline('server.key')}}`;

    expect(warningsOf(writtenFile(text, 0o604))).toEqual([
      'tls_server_config.key: is in a world-readable file; run chmod o-r on it',
    ]);
    expect(warningsOf(writtenFile(text, 0o640))).toEqual([]);
  });

  it.each(['VerifyClientCertIfGiven', 'RequireAndVerifyClientCert'])(
    'that %s without client_ca_file trusts every public authority',
    (policy) => {
      expect(warningsOf(writtenFile(`${tls}, client_auth_type: ${policy}}`))).toEqual([
        'tls_server_config.client_auth_type: verifies certificates without client_ca_file; ' +
          'add client_ca_file, or every certificate of a public authority is accepted',
      ]);
    },
  );

  it('that the logins of a user take seconds', () => {
    const text = `${tls}}\nbasic_auth_users:\n  dave: ${hash(14)}\n  erin: ${hash(15)}\n`;

    expect(loadWebConfig(writtenFile(text)).warnings).toEqual([
      expect.stringMatching(/:4:9: .*: has cost 15, which makes a login take seconds; use 10 to 12$/),
    ]);
  });

  it('that passwords are sent unencrypted', () => {
    expect(warningsOf(writtenFile(`basic_auth_users: {dave: ${hash(10)}}`))).toEqual([
      'basic_auth_users: are sent unencrypted, because TLS is off; add tls_server_config',
    ]);
  });

  it.each(['rate_limit: {interval: 1s}', 'rate_limit: {interval: 1s, burst: 0}'])(
    'that %s refuses every request',
    (text) => {
      expect(warningsOf(writtenFile(text))).toEqual([
        expect.stringContaining('is 0, so every request is refused; set it to 1 or more'),
      ]);
    },
  );
});

describe('an expired certificate', () => {
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['cert_file', 'expired-server.crt'],
    ['cert', inline('expired-server.crt')],
  ])('in %s is named, with the time', (key, value) => {
    const file = writtenFile(`tls_server_config: {${key}: ${value}, key_file: expired-server.key}`);

    expect(warningsOf(file)).toEqual([
      `tls_server_config.${key}: the certificate expired on 2020-02-01T00:00:00.000Z; renew it`,
    ]);
  });

  it('is still valid in its last second', () => {
    const file = writtenFile('tls_server_config: {cert_file: expired-server.crt, key_file: expired-server.key}');
    const warningsAt = (time: string) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(time) });
      return warningsOf(file);
    };

    expect(warningsAt('2020-02-01T00:00:00Z')).toEqual([]);
    expect(warningsAt('2020-02-01T00:00:01Z')).toHaveLength(1);
  });
});

it.each([
  '',
  'tls_server_config: {}',
  'basic_auth_users: {}',
  'rate_limit: {interval: 0, burst: 0}',
  'rate_limit: {interval: 1s, burst: 1}',
  'http_server_config: {headers: {X-Frame-Options: deny}}',
  `${tls}}`,
  `${tls}, client_auth_type: RequireAnyClientCert}`,
  `${tls}, client_auth_type: RequireAndVerifyClientCert, client_ca_file: authority.crt}`,
  `${tls}, client_auth_type: RequireAndVerifyClientCert, client_ca: ${inline('authority.crt')}}`,
  `tls_server_config: {cert: ${inline('server.crt')}, key: ${inline('server.key')}}`,
  `${tls}}\nbasic_auth_users: {dave: ${hash(14)}}`,
])('no warning is given for %j', (text) => {
  expect(warningsOf(writtenFile(text))).toEqual([]);
});
