import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';

/** What a TLS handshake with the API shows. */
export interface TlsFinding {
  /** Such as `TLSv1.3`. */
  readonly protocol: string;
  /** When the certificate ends, in unix milliseconds. */
  readonly validTo: number;
}

const timeout = 10_000;

/** Shakes hands with the server of an https URL, without a proxy and without a call. Rejects where that fails. */
export function probeTls(url: URL, ca: readonly string[] | undefined): Promise<TlsFinding> {
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
    socket.setTimeout(timeout, () => socket.destroy(new Error(`no handshake within ${timeout / 1000} s`)));
    socket.on('error', reject);
  });
}
