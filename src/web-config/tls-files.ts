import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { dirname, isAbsolute, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Problem } from '../config/config-error.ts';
import { relativeHint } from '../config/file-pattern.ts';
import type { KeyPath } from '../config/key-path.ts';
import { readTextFileSync } from '../config/text-file.ts';
import type { ParsedWebConfig } from './load.ts';
import { isMapping } from './schema.ts';
import { tlsOptions } from './tls-options.ts';
import type { TlsConfig } from './web-config.ts';

/** The outcome of reading the certificates and the private key that a web configuration contains or names. */
export interface TlsFiles {
  /** Undefined if TLS is off. Valid only if there are no problems. */
  readonly config: TlsConfig | undefined;
  readonly problems: readonly Problem[];
  /** Absolute paths of the files, whether or not they are readable. */
  readonly paths: readonly string[];
  /** Undefined if there is none, or if it is invalid. */
  readonly certificate: X509Certificate | undefined;
  /** Whether every user of the machine can read the file of the private key. */
  readonly worldReadableKey: boolean;
}

/** Reads and validates certificates and key, even if other settings of the file are invalid. */
export function readTlsFiles(parsed: ParsedWebConfig): TlsFiles {
  const material = new Material(parsed);
  const cert = material.read('cert');
  const key = material.read('key');
  const clientCa = material.read('client_ca');
  const [certificate] = material.certificates(cert);
  const privateKey = material.privateKey(key);
  material.certificates(clientCa);
  if (certificate !== undefined && privateKey !== undefined && key !== undefined) {
    if (!certificate.checkPrivateKey(privateKey)) {
      material.report(
        key.at,
        'does not belong to the certificate; name the key with which the certificate was requested',
      );
    }
  }
  const config = material.problems.length === 0 ? tlsConfigOf(parsed, cert?.pem, key?.pem, clientCa?.pem) : undefined;
  if (config !== undefined) material.tryOut(config);
  return {
    config,
    problems: material.problems,
    paths: material.paths,
    certificate,
    worldReadableKey: key?.worldReadable === true,
  };
}

interface Pem {
  readonly pem: string;
  readonly at: KeyPath;
  readonly worldReadable: boolean;
}

/** Bytes; a bundle of all public certificate authorities has a quarter of it. */
const maxPemSize = 1024 * 1024;

/** Reads PEM texts and collects the problems with them. */
class Material {
  readonly problems: Problem[] = [];
  readonly paths: string[] = [];
  readonly #parsed: ParsedWebConfig;
  readonly #section: Readonly<Record<string, unknown>>;

  constructor(parsed: ParsedWebConfig) {
    this.#parsed = parsed;
    const { value } = parsed;
    const section = isMapping(value) ? value['tls_server_config'] : undefined;
    this.#section = isMapping(section) ? section : {};
  }

  report(at: KeyPath, message: string): void {
    this.problems.push(...this.#parsed.document.problemAt(at, message));
  }

  /** Of a file and an inline text, the file takes precedence. */
  read(name: 'cert' | 'key' | 'client_ca'): Pem | undefined {
    const written = this.#section[`${name}_file`];
    const inline = this.#section[name];
    if (typeof written !== 'string') {
      if (typeof inline !== 'string') return undefined;
      return { pem: inline, at: ['tls_server_config', name], worldReadable: false };
    }
    const at = ['tls_server_config', `${name}_file`];
    const path = resolve(dirname(this.#parsed.path), written);
    this.paths.push(path);
    const file = readTextFileSync(path, { maxSize: maxPemSize, regularOnly: true });
    if (!('failure' in file)) return { pem: file.text, at, worldReadable: file.worldReadable };
    const isRelative = !isAbsolute(written) && file.failure.startsWith('does not exist');
    this.report(at, `the file ${file.failure}${isRelative ? relativeHint : ''}`);
    return undefined;
  }

  /** All certificates of a text, the first one first. Unlike exporter-toolkit, refuses a text without any. */
  certificates(text: Pem | undefined): readonly X509Certificate[] {
    if (text === undefined) return [];
    const blocks = text.pem.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? [];
    if (blocks.length === 0) {
      this.report(text.at, 'contains no PEM certificate; it must start with -----BEGIN CERTIFICATE-----');
    }
    try {
      return blocks.map((block) => new X509Certificate(block));
    } catch {
      this.report(text.at, 'contains a damaged PEM certificate; copy it again');
      return [];
    }
  }

  privateKey(text: Pem | undefined): KeyObject | undefined {
    if (text === undefined) return undefined;
    try {
      return createPrivateKey(text.pem);
    } catch {
      const message = /BEGIN ENCRYPTED|4,ENCRYPTED/.test(text.pem)
        ? 'is encrypted; write the key without a passphrase'
        : 'contains no PEM private key; it must start with -----BEGIN PRIVATE KEY----- or a similar line';
      this.report(text.at, message);
      return undefined;
    }
  }

  /** Reports what only OpenSSL notices, such as a key that is too short. */
  tryOut(config: TlsConfig): void {
    try {
      createSecureContext(tlsOptions(config));
    } catch (error) {
      const reason = error instanceof Error && 'reason' in error ? error.reason : 'invalid certificate or key';
      this.report(['tls_server_config'], `is refused by OpenSSL (${String(reason)}); use another certificate or key`);
    }
  }
}

function tlsConfigOf(
  { file }: ParsedWebConfig,
  certificate: string | undefined,
  key: string | undefined,
  clientCa: string | undefined,
): TlsConfig | undefined {
  const tls = file?.tls_server_config ?? {};
  if (certificate === undefined || key === undefined) return undefined;
  return {
    certificate,
    key,
    clientCa,
    clientAuth: tls.client_auth_type ?? 'NoClientCert',
    clientAllowedSans: tls.client_allowed_sans,
    minVersion: tls.min_version ?? 'TLS12',
    maxVersion: tls.max_version ?? 'TLS13',
    cipherSuites: tls.cipher_suites ?? [],
    preferServerCipherSuites: tls.prefer_server_cipher_suites ?? true,
    curves: tls.curve_preferences ?? [],
  };
}
