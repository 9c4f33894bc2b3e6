import { createRequire } from 'node:module';
import { getCACertificates } from 'node:tls';
import type { Dispatcher, default as undici } from 'undici';
import { maxCertificateSize, validateCertificates } from '../config/values/certificates.ts';
import { ConfigError } from '../config/values/config-error.ts';
import { proxyOf, proxyProblems } from '../config/values/proxy.ts';
import { type ReadFailure, readTextFileSync, type TextFile } from '../config/values/text-file.ts';

// Load only parts of undici, because the whole package takes 10 MB more memory.
const require = createRequire(import.meta.url);
const EnvHttpProxyAgent: typeof undici.EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent.js');
// Add undici's API methods to Dispatcher, as undici's index.js does, because ProxyAgent needs the method `connect`.
Object.assign(require('undici/lib/dispatcher/dispatcher.js').prototype, require('undici/lib/api/index.js'));

/** Maximum age of a connection in milliseconds. A new connection uses the current address of the host name. */
const lifetime = 5 * 60_000;

/** The connections of accounts with one ca_file. Reads the ca_file before each call, so that outdated certificates are never used. */
export class Connections {
  readonly #caFile: string | undefined;
  /** The content of the ca_file, or the reason why it cannot be read. */
  #content: string | undefined;
  #dispatcher: Dispatcher | ConfigError;
  /** Increases when a call or `refresh` finds new content in the ca_file. */
  version = 0;

  /** Throws ConfigError if a proxy variable is not the URL of a proxy. */
  constructor(caFile: string | undefined) {
    this.#caFile = caFile;
    this.#dispatcher = createDispatcher(undefined);
    this.refresh();
  }

  /** The connections for one call. Throws ConfigError if the ca_file is unusable, instead of using its old content. */
  get dispatcher(): Dispatcher {
    this.refresh();
    if (this.#dispatcher instanceof ConfigError) throw this.#dispatcher;
    return this.#dispatcher;
  }

  /** Lets calls in progress end, then closes their connections. Closes idle connections immediately. */
  async close(): Promise<void> {
    if (!(this.#dispatcher instanceof ConfigError)) await this.#dispatcher.close();
  }

  async destroy(): Promise<void> {
    if (!(this.#dispatcher instanceof ConfigError)) await this.#dispatcher.destroy();
  }

  /** Reads the ca_file again. If it has changed, replaces the connections. Calls in progress keep their old connections. */
  refresh(): void {
    if (this.#caFile === undefined) return;
    const file = readTextFileSync(this.#caFile, maxCertificateSize);
    const content = 'failure' in file ? file.failure : file.text;
    // Do not validate at each call: validation is slow.
    if (content === this.#content) return;
    this.#content = content;
    this.version += 1;
    void this.close();
    const certificates = certificatesIn(this.#caFile, file);
    this.#dispatcher = certificates instanceof ConfigError ? certificates : createDispatcher(certificates);
  }
}

/** The trusted certificates in PEM; undefined if only the default certificates are trusted. Throws ConfigError for an unusable file. */
export function trustedCertificates(caFile: string | undefined): string[] | undefined {
  if (caFile === undefined) return undefined;
  const certificates = certificatesIn(caFile, readTextFileSync(caFile, maxCertificateSize));
  if (certificates instanceof ConfigError) throw certificates;
  return certificates;
}

function certificatesIn(source: string, file: TextFile | ReadFailure): string[] | ConfigError {
  const problem = (message: string) => new ConfigError([{ source, key: 'ca_file', message }]);
  if ('failure' in file) return problem(file.failure);
  const failure = validateCertificates(file.text);
  return failure === undefined ? [...getCACertificates('default'), file.text] : problem(failure);
}

function createDispatcher(ca: string[] | undefined): Dispatcher {
  const problems = proxyProblems(process.env);
  if (problems.length > 0) throw new ConfigError(problems);
  const tls = ca === undefined ? {} : { ca };
  const [httpProxy, httpsProxy] = [proxyOf(process.env, 'http').url, proxyOf(process.env, 'https').url];
  return new EnvHttpProxyAgent({ httpProxy, httpsProxy, connect: tls, requestTls: tls, clientTtl: lifetime });
}
