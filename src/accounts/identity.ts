import { hash } from 'node:crypto';
import type { Connections } from '../api/connections.ts';
import type { AccountConfig } from '../config/values/config.ts';
import { ConfigError } from '../config/values/config-error.ts';
import { secretOf } from '../config/values/secret.ts';

/** A hash of the settings on which the meaning of saved figures depends. Excludes secrets, which could be guessed from a hash. */
export function identityOf(account: AccountConfig): string {
  const { name, api, credentials } = account;
  const { baseUrl, inputFormat, sizeUnits, numberFormat, timeZone } = api;
  const secret = secretOf(credentials);
  const login = credentials.kind === 'password' ? credentials.login : secret.file;
  return digest([name, baseUrl, inputFormat, sizeUnits, numberFormat, timeZone, login]);
}

/** The key of an account's session. Accounts with the same key share a session, and therefore a budget. */
export function sessionKeyOf({ name, api, credentials }: AccountConfig): string {
  const login = credentials.kind === 'password' ? ['login', credentials.login] : ['account', name];
  return JSON.stringify([api.baseUrl, ...login]);
}

/** One text for each part of an account's configuration. A reload compares these texts to find changes. Only `identity` is saved. */
export type Fingerprints = Readonly<ReturnType<typeof fingerprintsOf>>;

export function fingerprintsOf(account: AccountConfig, { version }: Connections) {
  const { alerts, labels, ...config } = account;
  const { credentials } = account;
  const secret = secretOf(credentials);
  const identity = identityOf(account);
  const token = credentials.kind === 'token' && secret.file === undefined ? secret.digest : '';
  return {
    /** All settings except alert thresholds and own labels. Contains the path of a secret file, but not its content. */
    config: digest([config, secret.file ?? { digest: secret.digest }]),
    identity,
    /** The identity. For a token without a file, also the hash of the token, because nothing else identifies its login. */
    source: `${identity} ${token}`,
    /** The hash of the secret that was loaded with the configuration, and the version of the ca_file. */
    secret: `${secret.digest} ${version}`,
    /** Alert thresholds and own labels, which change without a restart of the account. */
    annotations: JSON.stringify([alerts, labels]),
  };
}

/** The current secret; undefined if its file cannot be read. */
export function currentSecretOf(account: AccountConfig): string | undefined {
  try {
    return secretOf(account.credentials).reveal();
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value));
}
