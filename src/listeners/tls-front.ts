import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { tlsOptions } from '../web-config/tls-options.ts';
import type { TlsConfig } from '../web-config/web-config.ts';
import { admits } from './client-certificate.ts';

/** Milliseconds that a client has for its first byte, and for the handshake. */
const handshakeTimeout = 10_000;

/** First byte of a TLS connection. */
const handshakeRecord = 0x16;

/** The answer to plain HTTP. Go's server gives the same. */
const plainHttpAnswer = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** Adds TLS to connections, each with the configuration of the moment. */
export class TlsFront {
  readonly #current: () => TlsConfig;
  readonly #onSecure: (socket: TLSSocket) => void;
  #config: TlsConfig | undefined;
  #server: Server | undefined;

  /** `current` returns the same object until the configuration changes. `onSecure` receives admitted clients. */
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
      if (bytes[0] !== handshakeRecord) {
        socket.end(plainHttpAnswer, () => socket.destroy());
        return;
      }
      socket.unshift(bytes);
      this.#currentServer().emit('connection', socket);
    });
  }

  /** A new server for a new configuration, because Node.js keeps old options if a server's context is replaced. */
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
