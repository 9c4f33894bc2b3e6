import { createPrivateKey, KeyObject, X509Certificate } from 'node:crypto';
import { dirname, isAbsolute, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { relativeHint } from '../../config/file/file-pattern.ts';
import { isMapping } from '../../config/file/raw-mapping.ts';
import { validateCertificates } from '../../config/values/certificates.ts';
import { type ReadFailure, readTextFileSync } from '../../config/values/text-file.ts';
import type { ParsedWebConfig } from './load.ts';
import { type TlsConfig, tlsConfigOf, tlsOptions } from './tls-options.ts';

/** Maximum number of bytes of a PEM file. A bundle of all public certificate authorities has a quarter of this size. */
const maxPemSize = 1024 * 1024;

/** `config` is undefined if TLS is off. `paths` are absolute, and include unreadable files. */
export type TlsFiles = ReturnType<typeof readTlsFiles>;

/** Reads and validates certificates and key, even if other settings of the file are invalid. */
export function readTlsFiles(parsed: ParsedWebConfig) {
  const cert = readPem(parsed, 'cert', parseCertificate);
  const key = readPem(parsed, 'key', parsePrivateKey);
  const clientCa = readPem(parsed, 'client_ca', parseCertificate);
  const entries = [cert, key, clientCa].flatMap((entry) => entry ?? []);
  const certificate = cert?.content instanceof X509Certificate ? cert.content : undefined;
  const privateKey = key?.content instanceof KeyObject ? key.content : undefined;
  const problems = entries.flatMap(({ at, content }) =>
    'failure' in content ? parsed.document.problemAt(at, content.failure) : [],
  );
  if (key !== undefined && privateKey !== undefined && certificate?.checkPrivateKey(privateKey) === false) {
    const message = 'does not belong to the certificate; name the key with which the certificate was requested';
    problems.push(...parsed.document.problemAt(key.at, message));
  }
  const pem = cert?.pem && key?.pem ? { certificate: cert.pem, key: key.pem, clientCa: clientCa?.pem } : undefined;
  const config = pem && problems.length === 0 ? tlsConfigOf(parsed.file?.tls_server_config ?? {}, pem) : undefined;
  const refusal = config === undefined ? undefined : refusalOf(config);
  if (refusal !== undefined) problems.push(...parsed.document.problemAt(['tls_server_config'], refusal));
  const paths = entries.flatMap(({ path }) => path ?? []);
  return { config, problems, paths, certificate, worldReadableKey: key?.worldReadable === true };
}

/** Reads a file or an inline text; undefined if the configuration has neither. If it has both, the file takes precedence. */
function readPem<Content>(
  { path: configFile, value }: ParsedWebConfig,
  name: 'cert' | 'key' | 'client_ca',
  parse: (pem: string) => Content | ReadFailure,
) {
  const { tls_server_config: section } = isMapping(value) ? value : {};
  const { [name]: inline, [`${name}_file`]: file } = isMapping(section) ? section : {};
  if (typeof file !== 'string') {
    if (typeof inline !== 'string') return undefined;
    return { at: ['tls_server_config', name], pem: inline, content: parse(inline) };
  }
  const at = ['tls_server_config', `${name}_file`];
  const path = resolve(dirname(configFile), file);
  const read = readTextFileSync(path, maxPemSize);
  if ('text' in read) {
    const { text: pem, worldReadable } = read;
    return { at, path, pem, content: parse(pem), worldReadable };
  }
  const hint = !isAbsolute(file) && read.failure.startsWith('does not exist') ? relativeHint : '';
  return { at, path, content: { failure: `the file ${read.failure}${hint}` } };
}

/** Returns the first certificate. All certificates must be valid. Unlike exporter-toolkit, rejects a text without a certificate. */
function parseCertificate(pem: string): X509Certificate | ReadFailure {
  const failure = validateCertificates(pem);
  return failure === undefined ? new X509Certificate(pem) : { failure };
}

function parsePrivateKey(pem: string): KeyObject | ReadFailure {
  try {
    return createPrivateKey(pem);
  } catch {
    if (/BEGIN ENCRYPTED|4,ENCRYPTED/.test(pem)) return { failure: 'is encrypted; write the key without a passphrase' };
    return { failure: 'contains no PEM private key; it must start with -----BEGIN PRIVATE KEY----- or a similar line' };
  }
}

/** Reports problems that only OpenSSL finds, such as a key that is too short. */
function refusalOf(config: TlsConfig): string | undefined {
  try {
    createSecureContext(tlsOptions(config));
    return undefined;
  } catch (error) {
    const reason = error instanceof Error && 'reason' in error ? error.reason : 'invalid certificate or key';
    return `is refused by OpenSSL (${String(reason)}); use another certificate or key`;
  }
}
