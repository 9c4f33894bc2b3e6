import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, getCACertificates } from 'node:tls';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { maxCertificateSize, validateCertificates } from '../config/values/certificates.ts';
import { ConfigError } from '../config/values/config-error.ts';
import { proxyOf, proxyProblems } from '../config/values/proxy.ts';
import { readTextFileSync } from '../config/values/text-file.ts';

/** Maximum age of a connection in milliseconds. A new connection uses the current address of the host name. */
const lifetime = 5 * 60_000;

/** Milliseconds until the next address of a host is tried. On a slow network, a lost packet is repeated after a second. */
const addressTimeout = 3000;

/** Milliseconds until an attempt to connect is given up. Most calls end earlier, by their own deadline. */
const connectTimeout = 60_000;

/** Milliseconds that a probe waits for a TLS handshake. */
const probeTimeout = 10_000;

/** The connections of accounts with one ca_file. Reads the ca_file before each call, so that outdated certificates are never used. */
export class Connections {
  readonly #caFile: string | undefined;
  /** The content of the ca_file, or the reason why it cannot be read. */
  #content: string | undefined;
  #current: Dispatcher | undefined;
  /** Increases when a call or `refresh` finds new content in the ca_file. */
  version = 0;

  /** Throws ConfigError if a proxy variable is not the URL of a proxy. */
  constructor(caFile: string | undefined) {
    const problems = proxyProblems(process.env);
    if (problems.length > 0) throw new ConfigError(problems);
    this.#caFile = caFile;
    this.refresh();
  }

  /** The connections for a call. Throws ConfigError if the ca_file is unusable, instead of using its old content. */
  dispatcher(): Dispatcher {
    this.refresh();
    this.#current ??= createDispatcher(this.#caFile);
    return this.#current;
  }

  /** Reads the ca_file again. If it has changed, later calls use new connections. */
  refresh(): void {
    if (this.#caFile === undefined) return;
    const file = readTextFileSync(this.#caFile, maxCertificateSize);
    const content = 'failure' in file ? file.failure : file.text;
    if (content === this.#content) return;
    this.#content = content;
    this.version += 1;
    void this.close();
  }

  /** Lets calls in progress end, then closes their connections. Closes idle connections immediately. */
  async close(): Promise<void> {
    const dispatcher = this.#current;
    this.#current = undefined;
    await dispatcher?.close();
  }

  async destroy(): Promise<void> {
    await this.#current?.destroy();
  }
}

/** The trusted certificates in PEM; undefined if only the default certificates are trusted. Throws ConfigError for an unusable file. */
export function trustedCertificates(caFile: string | undefined): string[] | undefined {
  if (caFile === undefined) return undefined;
  const file = readTextFileSync(caFile, maxCertificateSize);
  const failure = 'failure' in file ? file.failure : validateCertificates(file.text);
  if (failure !== undefined) throw new ConfigError([{ source: caFile, key: 'ca_file', message: failure }]);
  return [...getCACertificates('default'), 'text' in file ? file.text : ''];
}

function createDispatcher(caFile: string | undefined): Dispatcher {
  const ca = trustedCertificates(caFile);
  // Many calls would share one HTTP/2 connection, and all of them would fail if a firewall drops it.
  const tls = { ...(ca && { ca }), allowH2: false, autoSelectFamilyAttemptTimeout: addressTimeout };
  return new EnvHttpProxyAgent({
    httpProxy: proxyOf(process.env, 'http').url,
    httpsProxy: proxyOf(process.env, 'https').url,
    connect: tls,
    requestTls: tls,
    allowH2: false,
    connectTimeout,
    clientTtl: lifetime,
  });
}

/** Performs a TLS handshake, without a proxy or API call. `certificateEnds`: expiry of the server's certificate, as ISO 8601. */
export async function probeTls(url: URL, caFile: string | undefined) {
  const ca = trustedCertificates(caFile);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const servername = isIP(host) > 0 ? '' : host;
  const socket = connect({ host, port: Number(url.port || 443), servername, timeout: probeTimeout, ...(ca && { ca }) });
  socket.on('timeout', () => socket.destroy(new Error(`no TLS handshake within ${probeTimeout} ms`)));
  await once(socket, 'secureConnect');
  const certificateEnds = new Date(socket.getPeerCertificate().valid_to).toISOString();
  const protocol = socket.getProtocol() ?? 'unknown';
  // An error after the handshake must not end the process.
  socket.on('error', () => {}).end();
  return { protocol, certificateEnds };
}
