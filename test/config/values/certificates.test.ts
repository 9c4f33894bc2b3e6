import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  maxCertificateSize,
  readCertificateFile,
  validateCertificates,
} from '../../../src/config/values/certificates.ts';
import { readTextFileSync } from '../../../src/config/values/text-file.ts';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { makePrivateAuthority } from '../../fixtures/private-authority.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const cleanups = new Cleanups();
let pem = '';

beforeAll(() => {
  pem = readFileSync(makePrivateAuthority(temporaryFolder(cleanups)).caFile, 'utf8');
});

afterAll(cleanups.end);

const none = 'contains no PEM certificate; it must start with -----BEGIN CERTIFICATE-----';

function damaged(number: number, count: number): string {
  return `contains a damaged certificate (number ${number} of ${count}); copy it again`;
}

describe('a text of certificates', () => {
  it('is valid with one certificate, with several, and with comments between certificates', () => {
    expect(validateCertificates(pem)).toBeUndefined();
    expect(validateCertificates(`# The first\n${pem}\n# The second\n${pem}`)).toBeUndefined();
  });

  it.each([
    ['', none],
    ['text', none],
    ['-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n', none],
  ])('%j has none', (text, problem) => {
    expect(validateCertificates(text)).toBe(problem);
  });

  it('names the first damaged certificate, whether its content or its end is damaged', () => {
    const changed = pem.replace(/\n[^-]{20}/, '\nAAAAAAAAAAAAAAAAAAAA');
    const cut = pem.slice(0, pem.length / 2);

    expect(validateCertificates(changed)).toBe(damaged(1, 1));
    expect(validateCertificates(`${pem}${changed}${pem}`)).toBe(damaged(2, 3));
    expect(validateCertificates(cut)).toBe(damaged(1, 1));
    expect(validateCertificates(`${pem}${pem}${cut}`)).toBe(damaged(3, 3));
  });
});

describe('a file of certificates', () => {
  it('is read and validated; immediately before a call, it is only read', () => {
    const folder = temporaryFolder();
    const [good = '', bad = ''] = ['good.pem', 'bad.pem'].map((name) => join(folder, name));
    writeFileSync(good, pem, { mode: 0o600 });
    writeFileSync(bad, 'text', { mode: 0o600 });

    expect(readCertificateFile(good)).toEqual({ text: pem, worldReadable: false });
    expect(readCertificateFile(bad)).toEqual({ failure: none });
    expect(readCertificateFile(folder)).toEqual({ failure: 'is a directory; name a file' });
    expect(readTextFileSync(good, maxCertificateSize)).toEqual({ text: pem, worldReadable: false });
    expect(readTextFileSync(bad, maxCertificateSize)).toEqual({ text: 'text', worldReadable: false });
  });

  it('may have up to four megabytes', () => {
    const path = join(temporaryFolder(), 'authorities.pem');
    const size = 4 * 1024 * 1024;

    writeFileSync(path, pem.padEnd(size, '\n'));
    const largest = readCertificateFile(path);
    writeFileSync(path, pem.padEnd(size + 1, '\n'));

    expect('failure' in largest).toBe(false);
    expect(readCertificateFile(path)).toEqual({ failure: `is larger than ${size} bytes; check the path` });
  });
});
