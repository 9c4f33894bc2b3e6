import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { type TlsConfig, tlsOptions } from '../config/tls-options.ts';
import { admits } from './client-certificate.ts';

/** Milliseconds to wait for the first byte of a client, and then for the end of the handshake. */
const handshakeTimeout = 10_000;

const tlsHandshakeByte = 0x16;

/** The answer to plain HTTP, as sent by Go's server. */
const plainHttpAnswer = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** Adds TLS to connections. Each connection uses the current configuration. */
export class TlsFront {
  readonly #current: () => TlsConfig;
  readonly #onSecure: (socket: TLSSocket) => void;
  #config: TlsConfig | undefined;
  #server: Server | undefined;

  /** `current` must return the same object until the configuration changes. `onSecure` receives admitted clients. */
  constructor(current: () => TlsConfig, onSecure: (socket: TLSSocket) => void) {
    this.#current = current;
    this.#onSecure = onSecure;
  }

  accept(socket: Socket): void {
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
      this.#currentServer().emit('connection', socket);
    });
  }

  /** The server for the current configuration. A change needs a new server, because `setSecureContext` keeps some old options. */
  #currentServer(): Server {
    const config = this.#current();
    if (this.#server !== undefined && config === this.#config) return this.#server;
    const server = createServer({ ...tlsOptions(config), handshakeTimeout });
    server.on('secureConnection', (socket: TLSSocket) => {
      if (admits(config, socket)) this.#onSecure(socket);
      else socket.destroy();
    });
    server.on('tlsClientError', (_error, socket: TLSSocket) => socket.destroy());
    this.#config = config;
    this.#server = server;
    return server;
  }
}
