import type { SecureVersion, TlsOptions } from 'node:tls';
import type { WebConfigFile } from './schema.ts';

/** The client auth policies. `RequireClientCert` is an older name of `RequireAnyClientCert`. */
export const clientAuthTypes = [
  'NoClientCert',
  'RequestClientCert',
  'RequireAnyClientCert',
  'RequireClientCert',
  'VerifyClientCertIfGiven',
  'RequireAndVerifyClientCert',
] as const;

/** TLS versions with their names in Node.js, from old to new. */
const versions = {
  TLS10: 'TLSv1',
  TLS11: 'TLSv1.1',
  TLS12: 'TLSv1.2',
  TLS13: 'TLSv1.3',
} as const satisfies Readonly<Record<string, SecureVersion>>;

export const versionNames = Object.keys(versions) as readonly (keyof typeof versions)[];

/** TLS settings. Certificates and keys are in PEM. Names of cipher suites, curves and versions are as in the configuration file. */
export type TlsConfig = Readonly<ReturnType<typeof tlsConfigOf>>;

/** `clientCa`: if undefined, the certificate authorities that Node.js trusts are used. Empty lists mean the defaults. */
export function tlsConfigOf(
  tls: NonNullable<WebConfigFile['tls_server_config']>,
  pem: Readonly<Record<'certificate' | 'key', string> & { clientCa: string | undefined }>,
) {
  return {
    ...pem,
    clientAuth: tls.client_auth_type ?? 'NoClientCert',
    /** Subject alternative names. If defined, a client certificate must contain one of these names. */
    clientAllowedSans: tls.client_allowed_sans,
    minVersion: tls.min_version ?? 'TLS12',
    maxVersion: tls.max_version ?? 'TLS13',
    cipherSuites: tls.cipher_suites ?? [],
    preferServerCipherSuites: tls.prefer_server_cipher_suites ?? true,
    curves: tls.curve_preferences ?? [],
  };
}

/** Go's TLS 1.3 cipher suites, which have the same names in OpenSSL. As in Go, these suites are always enabled. */
const tls13Suites = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];

/** OpenSSL's names of Go's secure cipher suites for TLS 1.2 and older, in the order of preference. */
const olderSuites: Readonly<Record<string, string>> = {
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
};

export const cipherSuiteNames: readonly string[] = [...Object.keys(olderSuites), ...tls13Suites];

/** OpenSSL's names of Go's elliptic curves. */
const curves: Readonly<Record<string, string>> = {
  CurveP256: 'P-256',
  CurveP384: 'P-384',
  CurveP521: 'P-521',
  X25519: 'X25519',
};

export const curveNames: readonly string[] = Object.keys(curves);

/** Converts the settings to options of a TLS server. `admits` checks client certificates after the handshake. */
export function tlsOptions(config: TlsConfig): TlsOptions {
  const { clientCa, clientAuth, minVersion, maxVersion, cipherSuites } = config;
  const names = cipherSuites.length === 0 ? cipherSuiteNames : cipherSuites;
  const suites = names.flatMap((name) => olderSuites[name] ?? []);
  // OpenSSL's default security level refuses the signatures of TLS 1.0 and 1.1.
  const level = minVersion === 'TLS10' || minVersion === 'TLS11' ? ['@SECLEVEL=0'] : [];
  return {
    cert: config.certificate,
    key: config.key,
    ...(clientCa === undefined ? {} : { ca: clientCa }),
    requestCert: clientAuth !== 'NoClientCert',
    rejectUnauthorized: clientAuth === 'RequireAndVerifyClientCert',
    minVersion: versions[minVersion],
    maxVersion: versions[maxVersion],
    ciphers: [...tls13Suites, ...suites, ...level].join(':'),
    honorCipherOrder: config.preferServerCipherSuites,
    ecdhCurve: config.curves.flatMap((name) => curves[name] ?? []).join(':') || 'auto',
    // HTTP/2 is not supported yet. Clients that offer HTTP/2 and HTTP/1.1 use HTTP/1.1.
    ALPNProtocols: ['http/1.1'],
  };
}
