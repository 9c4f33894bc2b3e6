import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { get, readPem, startSecuredApp } from '../../fixtures/secured-app.ts';

const clientCertificate = (name: string) => ({ cert: readPem(`${name}.crt`), key: readPem(`${name}.key`) });

describe('without TLS', () => {
  it('a plain client is served, and a TLS client is refused', async () => {
    const { url, get: page } = await startSecuredApp('empty.good.yml');

    expect((await page()).status).toBe(200);
    await expect(get(url.replace('http:', 'https:'))).rejects.toThrow('wrong version number');
  });

  it('a TLS version without a certificate does not switch TLS on', async () => {
    const { url } = await startSecuredApp('version-without-certificate.good.yml');

    expect(url).toMatch(/^http:/);
  });
});

describe('with TLS', () => {
  it.each(['tls.good.yml', 'tls-inline.good.yml', 'NoClientCert.good.yml', 'http2-on.good.yml'])(
    '%s serves the page over HTTP/1.1',
    async (fixture) => {
      const { get: page, url } = await startSecuredApp(fixture);
      const socket = connect({
        port: Number(new URL(url).port),
        rejectUnauthorized: false,
        ALPNProtocols: ['h2', 'http/1.1'],
      });
      await new Promise((resolve) => socket.once('secureConnect', resolve));
      const protocol = socket.alpnProtocol;
      socket.destroy();

      const seen = await page();

      expect([seen.status, seen.server, protocol]).toEqual([200, 'localhost', 'http/1.1']);
      expect(seen.body).toContain('hosting_exporter_build_info');
    },
  );

  it.each([
    ['tls.good.yml', { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' }],
    ['only-tls13.good.yml', { maxVersion: 'TLSv1.2' }],
    ['some-ciphers.good.yml', { ciphers: 'ECDHE-RSA-AES256-SHA', maxVersion: 'TLSv1.2' }],
    ['some-curves.good.yml', { ecdhCurve: 'P-384' }],
  ] as const)('%s refuses a client with %j', async (fixture, options) => {
    const { get: page } = await startSecuredApp(fixture);

    await expect(page('/metrics', options)).rejects.toThrow(/alert|version/i);
  });

  it.each([
    ['old-versions.good.yml', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }],
    ['old-versions.good.yml', { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' }],
    ['all-ciphers.good.yml', { ciphers: 'ECDHE-RSA-AES256-SHA', maxVersion: 'TLSv1.2' }],
    ['all-ciphers.good.yml', { minVersion: 'TLSv1.3' }],
    ['all-curves.good.yml', { ecdhCurve: 'P-521' }],
    ['some-curves.good.yml', { ecdhCurve: 'P-521' }],
    ['http2-off.good.yml', {}],
  ] as const)('%s serves a client with %j', async (fixture, options) => {
    const { get: page } = await startSecuredApp(fixture);

    expect((await page('/metrics', options)).status).toBe(200);
  });

  it.each([
    ['some-ciphers.good.yml', 'AES128-GCM', 'AES256-GCM', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
    ['some-ciphers.good.yml', 'AES256-GCM', 'AES128-GCM', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
    ['some-ciphers-client-order.good.yml', 'AES128-GCM', 'AES256-GCM', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
    ['some-ciphers-client-order.good.yml', 'AES256-GCM', 'AES128-GCM', 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384'],
  ])('%s with a client that prefers %s to %s uses %s', async (fixture, first, second, cipher) => {
    const { get: page } = await startSecuredApp(fixture);
    const openssl: Readonly<Record<string, string>> = {
      'AES128-GCM': 'ECDHE-RSA-AES128-GCM-SHA256',
      'AES256-GCM': 'ECDHE-RSA-AES256-GCM-SHA384',
    };

    const seen = await page('/metrics', { ciphers: `${openssl[first]}:${openssl[second]}` });

    expect(seen.cipher).toBe(cipher);
  });
});

const served = 'served';
const refused = 'refused';

it.each([
  ['NoClientCert.good.yml', { none: served, client: served, foreign: served, expired: served }],
  ['RequestClientCert.good.yml', { none: served, client: served, foreign: served, expired: served }],
  ['RequireAnyClientCert.good.yml', { none: refused, client: served, foreign: served, expired: served }],
  ['RequireClientCert.good.yml', { none: refused, client: served, foreign: served, expired: served }],
  ['VerifyClientCertIfGiven.good.yml', { none: served, client: served, foreign: refused, expired: refused }],
  ['RequireAndVerifyClientCert.good.yml', { none: refused, client: served, foreign: refused, expired: refused }],
  ['client-ca-inline.good.yml', { none: refused, client: served, foreign: refused, expired: refused }],
  ['client-ca-system.good.yml', { none: refused, client: refused, foreign: refused, expired: refused }],
  ['san.good.yml', { none: refused, client: served, foreign: refused, expired: refused }],
  ['san-other.good.yml', { none: refused, client: refused, foreign: refused, expired: refused }],
])('client certificates with %s', async (fixture, expected) => {
  const { get: page, app } = await startSecuredApp(fixture);
  const outcome = async (certificate: object, maxVersion: 'TLSv1.2' | 'TLSv1.3') => {
    const { status } = await page('/metrics', { ...certificate, maxVersion }).catch(() => ({ status: 0 }));
    return status === 200 ? served : refused;
  };

  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const outcomes = {
      none: await outcome({}, version),
      client: await outcome(clientCertificate('client'), version),
      foreign: await outcome(clientCertificate('foreign-client'), version),
      expired: await outcome(clientCertificate('expired-client'), version),
    };

    expect(outcomes, version).toEqual(expected);
  }
  expect(app.web.server.listening).toBe(false);
});
