import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';

const timeout = 10_000;

/** Performs a TLS handshake, without a proxy or API call. `validTo`: expiry of the server's certificate in Unix milliseconds. */
export async function probeTls(url: URL, ca: readonly string[] | undefined) {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const servername = isIP(host) > 0 ? '' : host;
  const socket = connect({ host, port: Number(url.port || 443), servername, ...(ca && { ca: [...ca] }) });
  socket.setTimeout(timeout, () => {
    socket.destroy(new Error(`${url.host} did not complete the TLS handshake within ${timeout / 1000} s`));
  });
  await once(socket, 'secureConnect');
  const { valid_to: validTo } = socket.getPeerCertificate();
  const protocol = socket.getProtocol() ?? 'unknown';
  // An error after the handshake must not end the process.
  socket.on('error', () => {}).end();
  return { protocol, validTo: Date.parse(validTo) };
}
