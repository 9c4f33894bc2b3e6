import { getCACertificates } from 'node:tls';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { readCertificateFile } from '../config/values/certificates.ts';
import { ConfigError } from '../config/values/config-error.ts';
import { proxyOf, proxyProblems } from '../config/values/proxy.ts';
import { fileVersion } from '../config/values/text-file.ts';

/** Milliseconds to try one address of a host before the next one. Allows for a lost packet, which TCP repeats after a second. */
const addressTimeout = 3000;

/** The connections of all accounts with the same ca_file. Checks the file before each call, so outdated certificates are never used. */
export class Connections {
  readonly #caFile: string | undefined;
  #current: Dispatcher | undefined;
  /** The version of the ca_file that the connections use. */
  #used: string | undefined;

  /** Throws ConfigError if a proxy variable is not the URL of a proxy. */
  constructor(caFile: string | undefined) {
    const problems = proxyProblems(process.env);
    if (problems.length > 0) throw new ConfigError(problems);
    this.#caFile = caFile;
  }

  /** Changes when the ca_file changes; undefined without a ca_file. */
  get version(): string | undefined {
    return this.#caFile && fileVersion(this.#caFile, 0);
  }

  /** Returns the connections for a call. Throws ConfigError if the ca_file is unusable, instead of using its old content. */
  dispatcher(): Dispatcher {
    const { version } = this;
    if (version !== this.#used) void this.close();
    this.#used = version;
    this.#current ??= createDispatcher(this.#caFile);
    return this.#current;
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
  const file = readCertificateFile(caFile);
  if ('failure' in file) throw new ConfigError([{ source: caFile, key: 'ca_file', message: file.failure }]);
  return [...getCACertificates('default'), file.text];
}

function createDispatcher(caFile: string | undefined): Dispatcher {
  // With HTTP/2, many calls would share one connection, and all of them would fail if a firewall dropped it.
  const tls = { ca: trustedCertificates(caFile), allowH2: false, autoSelectFamilyAttemptTimeout: addressTimeout };
  const proxies = { httpProxy: proxyOf(process.env, 'http').url, httpsProxy: proxyOf(process.env, 'https').url };
  return new EnvHttpProxyAgent({
    ...proxies,
    // A proxy cannot reach services that listen on loopback on this machine.
    noProxy: `${process.env['no_proxy'] ?? process.env['NO_PROXY'] ?? ''},localhost,127.0.0.1,::1`,
    connect: tls,
    requestTls: tls,
    // With these options, undici would speak TLS with a SOCKS proxy.
    ...(Object.values(proxies).some((url) => /^socks/i.test(url)) ? {} : { proxyTls: tls }),
    allowH2: false,
    // The `timeout` of the account usually ends the call earlier.
    connectTimeout: 60_000,
    // Connections are replaced after this time, because only a new connection looks up the address of the host.
    clientTtl: 5 * 60_000,
  });
}
