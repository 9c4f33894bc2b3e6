import type { ClientAuthType } from './schema.ts';

/** Who may use the web server, and how: everything of a web configuration file but TLS. */
export interface AccessConfig {
  /** Bcrypt hashes by user name. Without users, no login is needed. */
  readonly users: ReadonlyMap<string, string>;
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: no limit. */
  readonly rateLimit: RateLimit | undefined;
}

/** A token bucket for all requests of the process. It starts full. */
export interface RateLimit {
  /** Milliseconds in which one token is added. */
  readonly interval: number;
  /** Size of the bucket; with 0, every request is refused. */
  readonly burst: number;
}

/** TLS of the listeners. Certificates and keys in PEM, names as in the file. */
export interface TlsConfig {
  readonly certificate: string;
  readonly key: string;
  /** Undefined: the certificate authorities that Node.js trusts. */
  readonly clientCa: string | undefined;
  readonly clientAuth: ClientAuthType;
  /** Subject alternative names of which a client certificate must have one; undefined: any. */
  readonly clientAllowedSans: readonly string[] | undefined;
  readonly minVersion: string;
  readonly maxVersion: string;
  readonly cipherSuites: readonly string[];
  readonly preferServerCipherSuites: boolean;
  readonly curves: readonly string[];
}
