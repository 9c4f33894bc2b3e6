import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { parseListenAddress } from '../../config/values/validators.ts';
import { admits, type TlsConfig } from '../config/tls-options.ts';

/** Maps each wildcard address to the loopback address, which clients on this machine can use. */
const allInterfaces: Readonly<Record<string, string>> = { '::': '::1', '0.0.0.0': '127.0.0.1' };

/** Passes the connections of all listening sockets to one HTTP server, so that the sockets stay open when TLS settings change. */
export class Listeners {
  readonly #web: FastifyInstance;
  readonly #tls: () => TlsConfig | undefined;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  /** Number of unfinished responses of each connection that has sent a request. `closeIdleConnections` would cut off slow readers. */
  readonly #responses = new Map<Socket, number>();
  #secured: { readonly config: TlsConfig; readonly server: TlsServer } | undefined;
  #isClosing = false;

  /** `tls` returns the settings for a new connection: the same object until they change, and undefined if TLS is off. */
  constructor(web: FastifyInstance, tls: () => TlsConfig | undefined = () => undefined) {
    this.#web = web;
    this.#tls = tls;
    web.server.on('connection', (socket: Socket) => socket.once('close', () => this.#responses.delete(socket)));
    web.server.on('request', ({ socket }, response) => {
      this.#responses.set(socket, (this.#responses.get(socket) ?? 0) + 1);
      response.once('close', () => {
        const others = (this.#responses.get(socket) ?? 1) - 1;
        if (!socket.destroyed) this.#responses.set(socket, others);
        if (others === 0 && this.#isClosing) socket.end();
      });
    });
  }

  /** Starts to listen on an address such as `:10380`, or on the file descriptor of a systemd socket. Resolves to the URL without a path. */
  async open(target: string | number, addressesOf = (host: string) => lookup(host, { all: true })): Promise<string> {
    await this.#web.ready();
    // The event `listening` makes Node.js start to check the timeouts of requests.
    if (this.#servers.length === 0) this.#web.server.emit('listening');
    if (typeof target === 'number') return this.#urlOf(await this.#listen({ fd: target }));
    const { host, port: wanted = 0 } = parseListenAddress(target) ?? {};
    // Without a host, Node.js listens on all IPv6 and IPv4 addresses. On a machine without IPv6, it listens on all IPv4 addresses.
    if (host === undefined) return this.#urlOf(await this.#listen({ port: wanted }));
    let first: Server | undefined;
    const errors: NodeJS.ErrnoException[] = [];
    for (const { address } of await addressesOf(host)) {
      const { port } = (first?.address() ?? { port: wanted }) as AddressInfo;
      const server = await this.#listen({ host: address, port }).catch((error) => void errors.push(error));
      first ??= server ?? undefined;
    }
    // One open address is enough, because a machine may lack IPv4 or IPv6. But fail if another program uses one of the addresses.
    const inUse = errors.find(({ code }) => code === 'EADDRINUSE');
    if (!first || inUse) throw inUse ?? errors[0];
    return this.#urlOf(first);
  }

  get isOnAllInterfaces(): boolean {
    const addresses = this.#servers.map((server) => server.address());
    return addresses.some((bound) => bound !== null && typeof bound === 'object' && bound.address in allInterfaces);
  }

  /** Stops listening. Waits up to a second for unfinished responses, and for connections without a request, which may have just opened. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const server of this.#servers) server.close();
    for (const [socket, responses] of this.#responses) if (responses === 0) socket.destroy();
    const closed = [...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    await Promise.race([Promise.all(closed), pause(1000, undefined, { ref: false })]);
    for (const socket of this.#sockets) socket.destroy();
    await this.#web.close();
  }

  async #listen(options: ListenOptions & { readonly fd?: number }): Promise<Server> {
    const server = createServer({ noDelay: true }, (socket) => this.#accept(socket)).listen(options);
    await once(server, 'listening');
    // Without a listener for errors, an error such as too many open files would end the process.
    server.on('error', () => {});
    this.#servers.push(server);
    return server;
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // Without a listener for errors, a reset connection would end the process.
    socket.on('error', () => {});
    const config = this.#tls();
    const server = config === undefined ? this.#web.server : this.#tlsServer(config);
    server.emit('connection', socket);
  }

  /** A change of the TLS settings needs a new server, because `setSecureContext` keeps some old options. */
  #tlsServer(config: TlsConfig): TlsServer {
    if (this.#secured?.config === config) return this.#secured.server;
    const server = createTlsServer({ ...config.options, handshakeTimeout: 10_000 }, (socket) => {
      if (admits(config, socket)) this.#web.server.emit('connection', socket);
      else socket.destroy();
    });
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    this.#secured = { config, server };
    return server;
  }

  #urlOf(server: Server): string {
    const scheme = this.#tls() === undefined ? 'http' : 'https';
    const address = server.address();
    if (address === null || typeof address === 'string') return `unix:${address ?? ''}`;
    const host = allInterfaces[address.address] ?? address.address;
    return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  }
}

/** Descriptors of systemd's sockets, as in sd_listen_fds(3). Empty if the sockets are for another process, such as a parent shell. */
export function inheritedSockets({ LISTEN_PID, LISTEN_FDS }: NodeJS.ProcessEnv, pid: number): readonly number[] {
  if (LISTEN_PID !== String(pid) || !/^\d{1,4}$/.test(LISTEN_FDS ?? '')) return [];
  return Array.from({ length: Number(LISTEN_FDS) }, (_, index) => 3 + index);
}
