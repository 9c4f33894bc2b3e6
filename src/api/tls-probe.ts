import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';

const timeout = 10_000;

/** Performs a TLS handshake, without a proxy or API call. `certificateEnds`: expiry of the server's certificate, as ISO 8601. */
export async function probeTls(url: URL, ca: string[] | undefined) {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const servername = isIP(host) > 0 ? '' : host;
  const socket = connect({ host, port: Number(url.port || 443), servername, timeout, ...(ca && { ca }) });
  socket.on('timeout', () => socket.destroy(new Error(`no TLS handshake within ${timeout} ms`)));
  await once(socket, 'secureConnect');
  const certificateEnds = new Date(socket.getPeerCertificate().valid_to).toISOString();
  const protocol = socket.getProtocol() ?? 'unknown';
  // An error after the handshake must not end the process.
  socket.on('error', () => {}).end();
  return { protocol, certificateEnds };
}
