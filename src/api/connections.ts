import { createRequire } from 'node:module';
import { getCACertificates } from 'node:tls';
import type { Dispatcher, default as undici } from 'undici';
import { readCertificateFileSync, validateCertificates } from '../config/certificates.ts';
import { ConfigError } from '../config/config-error.ts';

export type { Dispatcher } from 'undici';

// Parts of undici. Measured: the whole, with fetch, WebSocket and caches, takes 10 MB more memory.
const require = createRequire(import.meta.url);
const EnvHttpProxyAgent: typeof undici.EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent.js');
// As index.js of undici does: ProxyAgent needs `connect`.
Object.assign(require('undici/lib/dispatcher/dispatcher.js').prototype, require('undici/lib/api/index.js'));

/**
 * The connections of all accounts that trust the same certificate authorities. Reads the file of the authorities for each
 * call, like a secret file: after a change, no call uses a connection that the old authorities vouched for. Honors
 * HTTP_PROXY, HTTPS_PROXY and NO_PROXY.
 */
export class Connections {
  readonly #caFile: string | undefined;
  #authorities: Authorities = none;
  #dispatcher: Dispatcher | undefined;
  #version = 0;

  /** Throws ConfigError if a proxy variable is not a URL. */
  constructor(caFile: string | undefined) {
    this.#caFile = caFile;
    if (caFile !== undefined) this.#authorities = readAuthorities(caFile);
    this.#open();
  }

  /** Changes with the content of the file, as of the newest call or refresh. */
  get version(): number {
    return this.#version;
  }

  /** For one call. Throws ConfigError while the file cannot be read or is damaged: removed authorities are not trusted. */
  get dispatcher(): Dispatcher {
    this.refresh();
    if (this.#dispatcher === undefined) throw problemOf(this.#caFile, this.#authorities);
    return this.#dispatcher;
  }

  /** Lets calls in progress end, then closes their connections. Idle ones close immediately. */
  async close(): Promise<void> {
    await this.#dispatcher?.close();
  }

  /** Aborts calls in progress. */
  async destroy(): Promise<void> {
    await this.#dispatcher?.destroy();
  }

  /** Reads the file again. If it has changed, lets calls in progress end and closes the other connections. */
  refresh(): void {
    if (this.#caFile === undefined) return;
    const authorities = readAuthorities(this.#caFile, this.#authorities);
    if (authorities === this.#authorities) return;
    this.#authorities = authorities;
    this.#version += 1;
    void this.#dispatcher?.close();
    this.#open();
  }

  #open(): void {
    this.#dispatcher = 'failure' in this.#authorities ? undefined : createDispatcher(this.#authorities);
  }
}

/** The content of a file of certificate authorities, or why it cannot be used. Undefined: only those of the system. */
type Authorities = { readonly text: string | undefined } | { readonly failure: string };

const none: Authorities = { text: undefined };

/** The trusted certificates in PEM; undefined for the default ones. Throws ConfigError if the file cannot be used. */
export function trustedCertificates(caFile: string | undefined): string[] | undefined {
  if (caFile === undefined) return undefined;
  const authorities = readAuthorities(caFile);
  if ('failure' in authorities) throw problemOf(caFile, authorities);
  return withDefaults(authorities);
}

/** Returns `previous` if nothing changed: validating many certificates for each call would be slow. */
function readAuthorities(caFile: string, previous = none): Authorities {
  const file = readCertificateFileSync(caFile);
  const text = 'text' in file ? file.text : undefined;
  if (text !== undefined && 'text' in previous && previous.text === text) return previous;
  const failure = 'failure' in file ? file.failure : validateCertificates(file.text);
  if (failure === undefined) return { text };
  return 'failure' in previous && previous.failure === failure ? previous : { failure };
}

function problemOf(caFile = '', authorities: Authorities): ConfigError {
  const message = 'failure' in authorities ? authorities.failure : '';
  return new ConfigError([{ source: caFile, key: 'ca_file', message }]);
}

function withDefaults({ text }: Extract<Authorities, { text: unknown }>): string[] | undefined {
  return text === undefined ? undefined : [...getCACertificates('default'), text];
}

function createDispatcher(authorities: Extract<Authorities, { text: unknown }>): Dispatcher {
  const ca = withDefaults(authorities);
  const tls = ca === undefined ? {} : { ca };
  try {
    return new EnvHttpProxyAgent({ connect: tls, requestTls: tls });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const message = `is not a URL (${problem}); write one such as http://proxy.example:3128`;
    throw new ConfigError([{ source: 'HTTP_PROXY or HTTPS_PROXY', message }]);
  }
}
