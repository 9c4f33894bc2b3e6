import type { TlsOptions } from 'node:tls';
import { cipherList, curveList, tlsVersion } from './tls-names.ts';
import type { TlsConfig } from './web-config.ts';

/** The options of a TLS server in Node.js. Which certificate a client must show is decided after the handshake. */
export function tlsOptions(config: TlsConfig): TlsOptions {
  const { certificate, key, clientCa, clientAuth, minVersion, maxVersion, cipherSuites, curves } = config;
  // OpenSSL's default security level refuses the signatures of TLS 1.0 and 1.1.
  const isOld = minVersion === 'TLS10' || minVersion === 'TLS11';
  return {
    cert: certificate,
    key,
    ...(clientCa === undefined ? {} : { ca: clientCa }),
    requestCert: clientAuth !== 'NoClientCert',
    rejectUnauthorized: clientAuth === 'RequireAndVerifyClientCert',
    minVersion: tlsVersion(minVersion),
    maxVersion: tlsVersion(maxVersion),
    ciphers: `${cipherList(cipherSuites)}${isOld ? ':@SECLEVEL=0' : ''}`,
    honorCipherOrder: config.preferServerCipherSuites,
    ecdhCurve: curveList(curves),
    // HTTP/2 is not supported yet. Clients that offer both use HTTP/1.1.
    ALPNProtocols: ['http/1.1'],
  };
}
