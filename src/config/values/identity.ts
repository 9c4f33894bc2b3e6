import { hash } from 'node:crypto';
import type { AccountConfig } from './config.ts';
import { secretOf } from './secret.ts';

/**
 * A hash of the settings on which the meaning of figures depends. Includes a hash of the token, because nothing else identifies the login
 * of a token. Omits the password, because it could be guessed from the hash.
 */
export function identityOf({ name, api, credentials }: AccountConfig): string {
  const { baseUrl, inputFormat, sizeUnits, numberFormat, timeZone } = api;
  const login = credentials.kind === 'password' ? credentials.login : { token: credentials.token.digest };
  return hash('sha256', JSON.stringify([name, baseUrl, inputFormat, sizeUnits, numberFormat, timeZone, login]));
}

/** A hash of all settings of an account, its current secret and its ca_file. A reload compares these hashes to find changed accounts. */
export function fingerprintOf(account: AccountConfig, caFileVersion: string | undefined): string {
  const { file, digest: secret } = secretOf(account.credentials);
  return hash('sha256', JSON.stringify([account, file, secret, caFileVersion]));
}

/** The key of an account's session. Accounts with the same key share a session, and therefore a budget. */
export function sessionKeyOf({ name, api, credentials }: AccountConfig): string {
  const login = credentials.kind === 'password' ? ['login', credentials.login] : ['account', name];
  return JSON.stringify([api.baseUrl, ...login]);
}
