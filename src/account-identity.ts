import { createHash } from 'node:crypto';
import type { AccountConfig } from './config/config.ts';

/** A hash of what the meaning of figures depends on: server, login and notation. */
export function identityOf({ name, api, credentials }: AccountConfig): string {
  const { baseUrl, inputFormat, sizeUnits, numberFormat, timeZone } = api;
  const secret = credentials.kind === 'token' ? credentials.token : credentials.password;
  const login = credentials.kind === 'password' ? credentials.login : (secret.file ?? secret.digest);
  return digest([name, baseUrl, inputFormat, sizeUnits, numberFormat, timeZone, login]);
}

/** Accounts with the same key share a session, and so the budget. */
export function sessionKeyOf({ name, api, credentials }: AccountConfig): string {
  const login = credentials.kind === 'password' ? ['login', credentials.login] : ['account', name];
  return JSON.stringify([api.baseUrl, ...login]);
}

/** A hash of anything that JSON can represent. */
export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
