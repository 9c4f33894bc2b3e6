import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { TlsConfig } from '../config/tls-options.ts';

/** Whether the certificate of a client meets the configuration. Call this function after the handshake. */
export function admits({ clientAuth, clientAllowedSans }: TlsConfig, socket: TLSSocket): boolean {
  const certificate = socket.getPeerX509Certificate();
  switch (clientAuth) {
    case 'NoClientCert':
    case 'RequestClientCert':
      return true;
    case 'VerifyClientCertIfGiven':
      return certificate === undefined || socket.authorized;
    case 'RequireAnyClientCert':
    case 'RequireClientCert':
      return certificate !== undefined && hasAllowedName(certificate, clientAllowedSans);
    case 'RequireAndVerifyClientCert':
      return certificate !== undefined && socket.authorized && hasAllowedName(certificate, clientAllowedSans);
  }
}

/** Names match exactly, without wildcards. */
function hasAllowedName(certificate: X509Certificate, allowed: readonly string[] | undefined): boolean {
  if (allowed === undefined) return true;
  const names = subjectAltNames(certificate.subjectAltName ?? '');
  return allowed.some((name) => names.includes(name) || (isIP(name) > 0 && certificate.checkIP(name) !== undefined));
}

/** Parses host names, e-mail addresses and URIs, which are quoted as JSON if necessary. Empty if any part is invalid. */
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
