import { X509Certificate } from 'node:crypto';
import { readOr } from './expected-error.ts';
import { type ReadFailure, readTextFileSync, type TextFile } from './text-file.ts';

/** Maximum number of bytes of a certificate file. All public certificate authorities together need a fraction of this size. */
export const maxCertificateSize = 4 * 1024 * 1024;

export function readCertificateFile(path: string): TextFile | ReadFailure {
  const file = readTextFileSync(path, maxCertificateSize);
  const failure = 'failure' in file ? undefined : validateCertificates(file.text);
  return failure === undefined ? file : { failure };
}

/** Returns why a text is not a list of PEM certificates; undefined if it is one. OpenSSL would silently skip damaged certificates. */
export function validateCertificates(text: string): string | undefined {
  const starts = text.match(/-----BEGIN CERTIFICATE-----/g) ?? [];
  if (starts.length === 0) return 'contains no PEM certificate; it must start with -----BEGIN CERTIFICATE-----';
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  const invalid = blocks.findIndex((block) => !readOr(false, () => new X509Certificate(block).raw.length > 0));
  const position = invalid === -1 ? blocks.length : invalid;
  if (position === starts.length) return undefined;
  return `contains a damaged certificate (number ${position + 1} of ${starts.length}); copy it again`;
}
