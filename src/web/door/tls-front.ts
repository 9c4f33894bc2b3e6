import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { type TlsConfig, tlsOptions } from '../config/tls-options.ts';
import { admits } from './client-certificate.ts';

/** Milliseconds to wait for the first byte of a client, and the same time again for the rest of the handshake. */
const handshakeTimeout = 10_000;

const tlsHandshakeByte = 0x16;

/** The answer to plain HTTP, as sent by Go's server. */
const plainHttpAnswer = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/**
 * Returns a function that adds TLS to a connection. Each connection uses the current configuration. `current` must return the same object
 * until the configuration changes. `onSecure` receives admitted clients.
 */
export function tlsFront(current: () => TlsConfig, onSecure: (socket: TLSSocket) => void): (socket: Socket) => void {
  let config: TlsConfig | undefined;
  let server: Server | undefined;
  return (socket) => {
    socket.setTimeout(handshakeTimeout, () => socket.destroy());
    socket.once('readable', () => {
      const bytes: unknown = socket.read();
      if (!(bytes instanceof Buffer)) return;
      socket.setTimeout(0);
      socket.removeAllListeners('timeout');
      if (bytes[0] !== tlsHandshakeByte) {
        socket.end(plainHttpAnswer, () => socket.destroy());
        return;
      }
      socket.unshift(bytes);
      const newest = current();
      // A change needs a new server, because `setSecureContext` keeps some old options.
      if (newest !== config) server = createTlsServer(newest, onSecure);
      config = newest;
      server?.emit('connection', socket);
    });
  };
}

function createTlsServer(config: TlsConfig, onSecure: (socket: TLSSocket) => void): Server {
  const server = createServer({ ...tlsOptions(config), handshakeTimeout });
  server.on('secureConnection', (socket: TLSSocket) => {
    if (admits(config, socket)) onSecure(socket);
    else socket.destroy();
  });
  return server.on('tlsClientError', (_error, socket: TLSSocket) => socket.destroy());
}
