import type { SecureVersion } from 'node:tls';

/** OpenSSL's names of Go's TLS 1.3 cipher suites. As in Go, they are always enabled. */
const tls13Suites: Readonly<Record<string, string>> = {
  TLS_AES_128_GCM_SHA256: 'TLS_AES_128_GCM_SHA256',
  TLS_AES_256_GCM_SHA384: 'TLS_AES_256_GCM_SHA384',
  TLS_CHACHA20_POLY1305_SHA256: 'TLS_CHACHA20_POLY1305_SHA256',
};

/** OpenSSL's names of Go's other secure cipher suites, in the order of preference. */
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

/** The cipher suites that a web configuration file can name, with Go's names. */
export const cipherSuites: readonly string[] = Object.keys({ ...olderSuites, ...tls13Suites });

/** OpenSSL's cipher list for cipher suites with Go's names; without names, that of all suites. */
export function cipherList(names: readonly string[]): string {
  const older = names.length === 0 ? Object.values(olderSuites) : names.flatMap((name) => olderSuites[name] ?? []);
  return [...Object.values(tls13Suites), ...older].join(':');
}

/** OpenSSL's names of Go's elliptic curves. */
const curves: Readonly<Record<string, string>> = {
  CurveP256: 'P-256',
  CurveP384: 'P-384',
  CurveP521: 'P-521',
  X25519: 'X25519',
};

/** The curves that a web configuration file can name. */
export const curveNames: readonly string[] = Object.keys(curves);

/** OpenSSL's list of curves; without names, the defaults of Node.js. */
export function curveList(names: readonly string[]): string {
  return names.length === 0 ? 'auto' : names.flatMap((name) => curves[name] ?? []).join(':');
}

const versions: Readonly<Record<string, SecureVersion>> = {
  TLS10: 'TLSv1',
  TLS11: 'TLSv1.1',
  TLS12: 'TLSv1.2',
  TLS13: 'TLSv1.3',
};

/** The versions that a web configuration file can name, from old to new. */
export const versionNames: readonly string[] = Object.keys(versions);

/** The name of a version in Node.js. */
export function tlsVersion(name: string): SecureVersion {
  return versions[name] ?? 'TLSv1.2';
}
