import { getCACertificates } from 'node:tls';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { maxCertificateSize, validateCertificates } from '../config/values/certificates.ts';
import { ConfigError } from '../config/values/config-error.ts';
import { proxyOf, proxyProblems } from '../config/values/proxy.ts';
import { readTextFileSync } from '../config/values/text-file.ts';

/** Maximum age of a connection in milliseconds. A new connection uses the current address of the host name. */
const lifetime = 5 * 60_000;

/** Milliseconds until the next address of a host is tried. On a slow network, a lost packet is repeated after a second. */
const addressTimeout = 3000;

/** The connections of accounts with one ca_file. Reads the ca_file before each call, so that outdated certificates are never used. */
export class Connections {
  readonly #caFile: string | undefined;
  /** The content of the ca_file, or the reason why it cannot be read. */
  #content: string | undefined;
  /** The open connections by the timeout of their calls. */
  readonly #dispatchers = new Map<number, Dispatcher>();
  /** Increases when a call or `refresh` finds new content in the ca_file. */
  version = 0;

  /** Throws ConfigError if a proxy variable is not the URL of a proxy. */
  constructor(caFile: string | undefined) {
    const problems = proxyProblems(process.env);
    if (problems.length > 0) throw new ConfigError(problems);
    this.#caFile = caFile;
    this.refresh();
  }

  /** The connections for calls with this timeout. Throws ConfigError if the ca_file is unusable, instead of using its old content. */
  dispatcherFor(timeout: number): Dispatcher {
    this.refresh();
    const dispatcher = this.#dispatchers.get(timeout) ?? createDispatcher(this.#caFile, timeout);
    this.#dispatchers.set(timeout, dispatcher);
    return dispatcher;
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

  /** After a dead connection, closes the idle ones, which may be dead, too. Does nothing if another call has done so. */
  abandon(timeout: number, dispatcher: Dispatcher): void {
    if (this.#dispatchers.get(timeout) !== dispatcher) return;
    this.#dispatchers.delete(timeout);
    void dispatcher.close();
  }

  /** Lets calls in progress end, then closes their connections. Closes idle connections immediately. */
  async close(): Promise<void> {
    await Promise.all(this.#takeAll().map((dispatcher) => dispatcher.close()));
  }

  async destroy(): Promise<void> {
    await Promise.all(this.#takeAll().map((dispatcher) => dispatcher.destroy()));
  }

  #takeAll(): readonly Dispatcher[] {
    const dispatchers = [...this.#dispatchers.values()];
    this.#dispatchers.clear();
    return dispatchers;
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

function createDispatcher(caFile: string | undefined, timeout: number): Dispatcher {
  const ca = trustedCertificates(caFile);
  // Many calls would share one HTTP/2 connection, and all of them would fail if a firewall drops it.
  const tls = { ...(ca && { ca }), allowH2: false, autoSelectFamilyAttemptTimeout: addressTimeout };
  return new EnvHttpProxyAgent({
    httpProxy: proxyOf(process.env, 'http').url,
    httpsProxy: proxyOf(process.env, 'https').url,
    connect: tls,
    requestTls: tls,
    allowH2: false,
    // The call's own deadline is earlier. This one only closes the abandoned socket.
    connectTimeout: timeout + 1000,
    clientTtl: lifetime,
  });
}
