import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { TlsConfig } from '../web-config/web-config.ts';

/** Whether a client shows the certificate that the configuration requires. Call it after the handshake. */
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

/** Names match exactly: unlike those of a server, they contain no wildcards. */
function hasAllowedName(certificate: X509Certificate, allowed: readonly string[] | undefined): boolean {
  if (allowed === undefined) return true;
  const names = subjectAltNames(certificate.subjectAltName ?? '');
  return allowed.some((name) => names.includes(name) || (isIP(name) > 0 && certificate.checkIP(name) !== undefined));
}

/**
 * Host names, e-mail addresses and URIs in Node's text of a certificate's names, which puts values with a comma or quotation
 * mark in quotation marks. A text that cannot be read in full has no names.
 */
export function subjectAltNames(text: string): readonly string[] {
  const names: string[] = [];
  const entry = /([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^",]*)(?:, |$)/y;
  while (entry.lastIndex < text.length) {
    const [, kind = '', value = ''] = entry.exec(text) ?? [];
    if (kind === '') return [];
    if (['DNS', 'email', 'URI'].includes(kind)) names.push(value.startsWith('"') ? unquote(value) : value);
  }
  return names;
}

function unquote(text: string): string {
  return String(JSON.parse(text));
}
