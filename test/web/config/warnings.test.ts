import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadWebConfig } from '../../../src/web/config/load.ts';
import { readPem } from '../../fixtures/secured-app.ts';
import { writtenFile } from '../../fixtures/written-file.ts';

const tls = 'tls_server_config: {cert_file: server.crt, key_file: server.key';

/** A PEM file as a value in YAML. */
const inline = (name: string) => JSON.stringify(readPem(name));

/** The warnings, without the name of the file and the column. */
function warningsOf(path: string): readonly string[] {
  return loadWebConfig(path).warnings.map((line) => line.replace(/^.*?:\d+:\d+: /, ''));
}

describe('a warning says', () => {
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
