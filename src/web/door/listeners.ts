import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { TlsConfig } from '../config/tls-options.ts';
import { tlsFront } from './tls-front.ts';

/** A host and port, or the descriptor of a socket that systemd has opened. */
export type ListenTarget = { readonly host: string | undefined; readonly port: number } | { readonly fd: number };

/** Maximum milliseconds from a new connection to its first request, even on a busy machine. */
const requestDelay = 1000;

/** Each wildcard address, with the loopback address for clients on this machine. */
const allInterfaces: Readonly<Record<string, string>> = { '::': '::1', '0.0.0.0': '127.0.0.1' };

/** All listening sockets and connections of one HTTP server, which itself does not listen. */
export class Listeners {
  readonly #http: HttpServer;
  readonly #secure: ((socket: Socket) => void) | undefined;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  /** Connections without a request, each with the time of its acceptance in milliseconds of the monotonic clock. */
  readonly #unused = new Map<Socket | string, number>();

  /** `tls` returns the configuration for a new connection. Without `tls`, the server speaks plain HTTP. */
  constructor(http: HttpServer, tls?: () => TlsConfig) {
    this.#http = http;
    http.on('request', ({ socket }) => this.#unused.delete(connectionOf(socket)));
    this.#secure = tls && tlsFront(tls, (socket) => http.emit('connection', socket));
  }

  /** Starts to listen, and resolves with the URL without a path. Rejects with the error of the system. */
  async open(target: ListenTarget): Promise<string> {
    // On this event, Node.js starts to check the timeouts of requests.
    if (this.#servers.length === 0) this.#http.emit('listening');
    if ('fd' in target) return this.#urlOf(await this.#listen({ fd: target.fd }));
    const [first, ...others] = await addressesOf(target.host);
    const server = await this.#listen({ host: first, port: target.port });
    const { port } = server.address() as AddressInfo;
    // localhost has an IPv4 and an IPv6 address, of which the machine may support only one.
    for (const host of others) await this.#listen({ host, port }).catch(() => {});
    return this.#urlOf(server);
  }

  get isOnAllInterfaces(): boolean {
    const addresses = this.#servers.map((server) => server.address());
    return addresses.some((bound) => bound !== null && typeof bound === 'object' && bound.address in allInterfaces);
  }

  /** Stops listening, and waits for the first requests of new connections, such as a connection that systemd has just passed on. */
  async stopAccepting(): Promise<void> {
    for (const server of this.#servers) server.close();
    this.#http.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    const newest = performance.now() - requestDelay;
    if ([...this.#unused.values()].some((accepted) => accepted > newest)) await pause(requestDelay);
    // Closes idle connections. Node.js 26 also closes connections that have sent no request.
    this.#http.close();
  }

  destroyConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(socket: Socket): void {
    const connection = connectionOf(socket);
    this.#sockets.add(socket);
    this.#unused.set(connection, performance.now());
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#unused.delete(connection);
    });
    // Without a listener, a reset connection would end the process.
    socket.on('error', () => {});
    if (this.#secure === undefined) this.#http.emit('connection', socket);
    else this.#secure(socket);
  }

  async #listen(options: ListenOptions & { readonly fd?: number }): Promise<Server> {
    const server = createServer({ noDelay: true }, (socket) => this.#accept(socket)).listen(options);
    await once(server, 'listening');
    // Without a listener, an error such as too many open files would end the process.
    server.on('error', () => {});
    this.#servers.push(server);
    return server;
  }

  #urlOf(server: Server): string {
    const scheme = this.#secure === undefined ? 'http' : 'https';
    const address = server.address();
    if (address === null || typeof address === 'string') return `unix:${address ?? ''}`;
    const host = allInterfaces[address.address] ?? address.address;
    return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  }
}

/** Identifies a connection by its addresses, because with TLS, a connection has two socket objects. Unix sockets have no addresses. */
function connectionOf(socket: Socket): Socket | string {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  return remotePort === undefined ? socket : [remoteAddress, remotePort, localAddress, localPort].join(' ');
}

async function addressesOf(host: string | undefined): Promise<readonly string[]> {
  if (host !== undefined) return (await lookup(host, { all: true })).map(({ address }) => address);
  // If the kernel does not support IPv6, not even the loopback interface has an IPv6 address.
  const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'));
  return [hasIpv6 ? '::' : '0.0.0.0'];
}

/** Descriptors of systemd's sockets, as in sd_listen_fds(3). Empty if the sockets are for another process, such as a parent shell. */
export function inheritedSockets({ LISTEN_PID, LISTEN_FDS }: NodeJS.ProcessEnv, pid: number): readonly number[] {
  if (LISTEN_PID !== String(pid) || !/^\d{1,4}$/.test(LISTEN_FDS ?? '')) return [];
  return Array.from({ length: Number(LISTEN_FDS) }, (_, index) => 3 + index);
}
