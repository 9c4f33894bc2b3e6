import { createHash } from 'node:crypto';
import type { Connections } from './api/connections.ts';
import type { AccountConfig, Secret } from './config/config.ts';
import { ConfigError } from './config/config-error.ts';

/** A hash of what the meaning of figures depends on: server, login and notation. */
export function identityOf(account: AccountConfig): string {
  const { name, api, credentials } = account;
  const { baseUrl, inputFormat, sizeUnits, numberFormat, timeZone } = api;
  const secret = secretOf(account);
  const login = credentials.kind === 'password' ? credentials.login : (secret.file ?? secret.digest);
  return digest([name, baseUrl, inputFormat, sizeUnits, numberFormat, timeZone, login]);
}

/** Accounts with the same key share a session, and so the budget. */
export function sessionKeyOf({ name, api, credentials }: AccountConfig): string {
  const login = credentials.kind === 'password' ? ['login', credentials.login] : ['account', name];
  return JSON.stringify([api.baseUrl, ...login]);
}

/** Hashes that show which part of an account's configuration a reload changes. */
export interface Fingerprints {
  /** Everything but alert thresholds and own labels. A secret in a file counts by its path: each call reads the file again. */
  readonly config: string;
  /** What the meaning of figures depends on: server, login and notation. */
  readonly source: string;
  /** What the files of the secret and of the certificate authorities contain. */
  readonly secret: string;
  /** Alert thresholds and own labels, which change without a restart of the account. */
  readonly notes: string;
}

export function fingerprintsOf(account: AccountConfig, { version }: Connections): Fingerprints {
  const { alerts, labels, ...config } = account;
  const secret = secretOf(account);
  return {
    config: digest([config, secret.file ?? { digest: secret.digest }]),
    source: identityOf(account),
    secret: `${secret.digest} ${version}`,
    notes: JSON.stringify([alerts, labels]),
  };
}

/** The current secret; undefined if its file cannot be read. */
export function currentSecretOf(account: AccountConfig): string | undefined {
  try {
    return secretOf(account).reveal();
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

function secretOf({ credentials }: AccountConfig): Secret {
  return credentials.kind === 'token' ? credentials.token : credentials.password;
}

/** A hash of anything that JSON can represent. */
function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
