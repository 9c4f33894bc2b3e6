import { createPrivateKey, X509Certificate } from 'node:crypto';
import { dirname, isAbsolute, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { isMapping } from '../../config/file/document.ts';
import { relativeHint } from '../../config/file/file-pattern.ts';
import { validateCertificates } from '../../config/values/certificates.ts';
import type { Problem } from '../../config/values/config-error.ts';
import { readTextFileSync } from '../../config/values/text-file.ts';
import type { ParsedWebConfig } from './load.ts';
import { tlsConfigOf } from './tls-options.ts';

/** Maximum number of bytes of a PEM file. A bundle of all public certificate authorities has a quarter of this size. */
const maxPemSize = 1024 * 1024;

/** `config` is undefined if TLS is off. `paths` are absolute, and include unreadable files. */
export type TlsFiles = ReturnType<typeof readTlsFiles>;

/** Reads and validates the certificates and the key, even if other settings of the web configuration file are invalid. */
export function readTlsFiles({ path: configFile, document, value, file }: ParsedWebConfig) {
  const problems: Problem[] = [];
  const paths: string[] = [];
  const report = (message: string, ...key: readonly string[]) =>
    problems.push(...document.problemAt(['tls_server_config', ...key], message));
  const section = isMapping(value) && isMapping(value['tls_server_config']) ? value['tls_server_config'] : {};

  /** Reads the PEM file. If no file is named, reads the inline PEM text. Undefined if both are missing, or if the text is invalid. */
  const readPem = (name: 'cert' | 'key' | 'client_ca', validate: (pem: string) => string | undefined) => {
    const { [name]: inline, [`${name}_file`]: path } = section;
    let pem = { text: inline, worldReadable: false };
    const key = typeof path === 'string' ? `${name}_file` : name;
    if (typeof path === 'string') {
      const absolute = resolve(dirname(configFile), path);
      paths.push(absolute);
      const read = readTextFileSync(absolute, maxPemSize);
      if ('failure' in read) {
        const hint = !isAbsolute(path) && read.failure.startsWith('does not exist') ? relativeHint : '';
        report(`the file ${read.failure}${hint}`, key);
        return undefined;
      }
      pem = read;
    }
    const { text, worldReadable } = pem;
    if (typeof text !== 'string') return undefined;
    const failure = validate(text);
    if (failure === undefined) return { key, text, worldReadable };
    report(failure, key);
    return undefined;
  };

  const cert = readPem('cert', validateCertificates);
  const key = readPem('key', validatePrivateKey);
  const clientCa = readPem('client_ca', validateCertificates);
  // X509Certificate parses only the first certificate of a text, which is the certificate of this server.
  const certificate = cert && new X509Certificate(cert.text);
  if (key !== undefined && certificate?.checkPrivateKey(createPrivateKey(key.text)) === false) {
    report('does not belong to the certificate; name the key with which the certificate was requested', key.key);
  }
  const pem = cert && key && { cert: cert.text, key: key.text, ca: clientCa?.text };
  const config = pem && problems.length === 0 ? tlsConfigOf(file?.tls_server_config ?? {}, pem) : undefined;
  try {
    // OpenSSL finds further problems, such as a key that is too short.
    if (config !== undefined) createSecureContext(config.options);
  } catch (error) {
    const reason = error instanceof Error && 'reason' in error ? error.reason : 'invalid certificate or key';
    report(`is refused by OpenSSL (${String(reason)}); use another certificate or key`);
  }
  return { config, problems, paths, certificate, worldReadableKey: key?.worldReadable === true };
}

function validatePrivateKey(pem: string): string | undefined {
  try {
    createPrivateKey(pem);
    return undefined;
  } catch {
    if (/BEGIN ENCRYPTED|4,ENCRYPTED/.test(pem)) return 'is encrypted; write the key without a passphrase';
    return 'contains no PEM private key; it must start with -----BEGIN PRIVATE KEY----- or a similar line';
  }
}
