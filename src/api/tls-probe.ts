import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';

/** The outcome of a TLS handshake with the API server. */
export interface TlsProbe {
  /** Such as `TLSv1.3`. */
  readonly protocol: string;
  /** When the certificate expires, in Unix milliseconds. */
  readonly validTo: number;
}

const timeout = 10_000;

/** Performs a TLS handshake with the server of an https URL, without a proxy and without an API call. */
export function probeTls(url: URL, ca: readonly string[] | undefined): Promise<TlsProbe> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const options = {
      host,
      port: Number(url.port || 443),
      servername: isIP(host) > 0 ? '' : host,
      ...(ca === undefined ? {} : { ca: [...ca] }),
    };
    const socket: TLSSocket = connect(options, () => {
      const { valid_to: validTo } = socket.getPeerCertificate();
      resolve({ protocol: socket.getProtocol() ?? 'unknown', validTo: Date.parse(validTo) });
      socket.end();
    });
    socket.setTimeout(timeout, () => {
      socket.destroy(new Error(`${url.host} did not complete the TLS handshake within ${timeout / 1000} s`));
    });
    socket.on('error', reject);
  });
}
