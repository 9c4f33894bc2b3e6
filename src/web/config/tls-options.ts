import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { TLSSocket, TlsOptions } from 'node:tls';
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
const versions = { TLS10: 'TLSv1', TLS11: 'TLSv1.1', TLS12: 'TLSv1.2', TLS13: 'TLSv1.3' } as const;

export const versionNames = Object.keys(versions) as readonly (keyof typeof versions)[];

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

/** Go's names of elliptic curves. */
export const curveNames = ['CurveP256', 'CurveP384', 'CurveP521', 'X25519'] as const;

/** The options of a TLS server, and the policy for client certificates. `admits` applies the policy after the handshake. */
export interface TlsConfig {
  readonly options: TlsOptions;
  readonly clientAuth: (typeof clientAuthTypes)[number];
  /** If defined, a client certificate must contain one of these subject alternative names. */
  readonly clientAllowedSans: readonly string[] | undefined;
}

/** If `ca` is undefined, Node.js uses the certificate authorities that it trusts by default. */
type Pem = Readonly<Record<'cert' | 'key', string> & { ca: string | undefined }>;

export function tlsConfigOf(section: NonNullable<WebConfigFile['tls_server_config']>, pem: Pem): TlsConfig {
  const { client_auth_type: clientAuth = 'NoClientCert', cipher_suites: cipherSuites = [] } = section;
  const { min_version: oldest = 'TLS12', max_version: newest = 'TLS13', curve_preferences: curves = [] } = section;
  const suites = cipherSuites.length === 0 ? cipherSuiteNames : cipherSuites;
  // OpenSSL's default security level refuses the signatures of TLS 1.0 and 1.1.
  const level = oldest === 'TLS10' || oldest === 'TLS11' ? ['@SECLEVEL=0'] : [];
  const options = {
    ...pem,
    requestCert: clientAuth !== 'NoClientCert',
    rejectUnauthorized: clientAuth === 'RequireAndVerifyClientCert',
    minVersion: versions[oldest],
    maxVersion: versions[newest],
    ciphers: [...tls13Suites, ...suites.flatMap((name) => olderSuites[name] ?? []), ...level].join(':'),
    honorCipherOrder: section.prefer_server_cipher_suites ?? true,
    // OpenSSL's name of CurveP256 is P-256.
    ecdhCurve: curves.map((name) => name.replace('CurveP', 'P-')).join(':') || 'auto',
    // HTTP/2 is not supported yet. Clients that offer HTTP/2 and HTTP/1.1 use HTTP/1.1.
    ALPNProtocols: ['http/1.1'],
  };
  return { options, clientAuth, clientAllowedSans: section.client_allowed_sans };
}

/** Whether the certificate of a client meets the configuration. Call this function after the handshake. */
export function admits({ clientAuth, clientAllowedSans }: TlsConfig, socket: TLSSocket): boolean {
  const certificate = socket.getPeerX509Certificate();
  const isRequired = clientAuth.startsWith('Require');
  if (certificate === undefined) return !isRequired;
  if (clientAuth.includes('Verify') && !socket.authorized) return false;
  return !isRequired || hasAllowedName(certificate, clientAllowedSans);
}

/** Names match exactly, without wildcards. */
function hasAllowedName(certificate: X509Certificate, allowed: readonly string[] | undefined): boolean {
  if (allowed === undefined) return true;
  const names = subjectAltNames(certificate.subjectAltName ?? '');
  return allowed.some((name) => names.includes(name) || (isIP(name) > 0 && certificate.checkIP(name) !== undefined));
}

/** Returns host names, e-mail addresses and URIs. Node.js writes some as JSON strings. Returns none if any part of the text is invalid. */
function subjectAltNames(text: string): readonly string[] {
  const names: string[] = [];
  const entry = /([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^",]*)(?:, |$)/y;
  while (entry.lastIndex < text.length) {
    const [, kind = '', value = ''] = entry.exec(text) ?? [];
    if (kind === '') return [];
    if (['DNS', 'email', 'URI'].includes(kind)) names.push(value.startsWith('"') ? String(JSON.parse(value)) : value);
  }
  return names;
}
