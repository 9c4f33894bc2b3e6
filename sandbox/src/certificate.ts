// @peculiar/x509 requires reflect-metadata, but does not import this package.
import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const day = 86_400_000;

/** Creates a private key and a self-signed certificate in PEM, for localhost and 127.0.0.1, valid for 90 days. */
export async function createCertificate() {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const now = Date.now();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=hosting-account-exporter sandbox',
    keys,
    // Valid since yesterday, because the clock of a client may be behind.
    notBefore: new Date(now - day),
    notAfter: new Date(now + 90 * day),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [
      new BasicConstraintsExtension(false),
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
      ]),
    ],
  });
  const key = PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return { key, certificate: certificate.toString('pem') };
}
