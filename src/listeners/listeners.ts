import { lookup } from 'node:dns/promises';
import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { TlsConfig } from '../web-config/web-config.ts';
import { TlsFront } from './tls-front.ts';

/** Where to listen: a host and port, or the descriptor of a socket that systemd has opened. */
export type ListenTarget = { readonly host: string | undefined; readonly port: number } | { readonly fd: number };

/** Milliseconds in which a client sends its request after it has connected, even on a busy machine. */
const requestDelay = 1000;

/** All sockets of one HTTP server, which itself does not listen. */
export class Listeners {
  readonly #http: HttpServer;
  readonly #tls: TlsFront | undefined;
  readonly #servers: Server[] = [];
  /** All connections, with the time at which each was accepted (monotonic clock). */
  readonly #sockets = new Map<Socket, number>();

  /** `tls`: the configuration of each new connection; undefined: plain HTTP. */
  constructor(http: HttpServer, tls?: () => TlsConfig) {
    this.#http = http;
    this.#tls = tls && new TlsFront(tls, (socket) => http.emit('connection', socket));
  }

  /** Starts to listen, and returns the URL without a path. Rejects with the error of the system. */
  async open(target: ListenTarget): Promise<string> {
    // Node.js starts the timeouts of incomplete requests with this event.
    if (this.#servers.length === 0) this.#http.emit('listening');
    if ('fd' in target) return this.#urlOf(await this.#listen({ fd: target.fd }));
    const [first, ...others] = await addressesOf(target.host);
    const server = await this.#listen({ host: first, port: target.port });
    const { port } = server.address() as AddressInfo;
    // A name such as localhost stands for an IPv4 and an IPv6 address; the machine may lack the second one.
    for (const host of others) await this.#listen({ host, port }).catch(() => {});
    return this.#urlOf(server);
  }

  /**
   * Accepts no more connections, and closes those between two requests. Connections that were accepted a moment ago may
   * still send their request: systemd passes them to this process until it stops to accept, and they must not fail.
   */
  async stopAccepting(): Promise<void> {
    for (const server of this.#servers) server.close();
    this.#http.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    this.#http.close();
    const now = performance.now();
    if ([...this.#sockets].some(([socket, accepted]) => now - accepted < requestDelay && this.#mayRequest(socket))) {
      await pause(requestDelay);
    }
  }

  /** Ends all connections, in any state. */
  destroyConnections(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
  }

  /** Whether a connection waits for its first request. The first bytes of TLS are not yet a request. */
  #mayRequest({ bytesRead }: Socket): boolean {
    return this.#tls !== undefined || bytesRead === 0;
  }

  #accept(socket: Socket): void {
    this.#sockets.set(socket, performance.now());
    socket.once('close', () => this.#sockets.delete(socket));
    // A reset connection is not worth a log line.
    socket.on('error', () => {});
    if (this.#tls === undefined) this.#http.emit('connection', socket);
    else this.#tls.accept(socket);
  }

  #listen(options: ListenOptions & { readonly fd?: number }): Promise<Server> {
    return new Promise((resolve, reject) => {
      const server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
      server.once('error', reject);
      server.listen(options, () => {
        server.removeListener('error', reject);
        // Errors of a single connection, such as too many open files, do not end the server.
        server.on('error', () => {});
        this.#servers.push(server);
        resolve(server);
      });
    });
  }

  #urlOf(server: Server): string {
    const scheme = this.#tls === undefined ? 'http' : 'https';
    const address = server.address();
    if (address === null || typeof address === 'string') return `unix:${address ?? ''}`;
    // An address for all interfaces is no address to connect to.
    const host = { '::': '::1', '0.0.0.0': '127.0.0.1' }[address.address] ?? address.address;
    return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  }
}

async function addressesOf(host: string | undefined): Promise<readonly string[]> {
  if (host === undefined) return [hasIpv6() ? '::' : '0.0.0.0'];
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** If the kernel has IPv6 disabled, no interface has such an address, not even loopback. */
function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((addresses = []) => addresses.some(({ family }) => family === 'IPv6'));
}
