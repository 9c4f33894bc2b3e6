import { Refusal } from './refusal.ts';
import type { ApiRequest } from './request.ts';
import type { AccountRecord } from './state/records.ts';

/** Finds the account that a call names, without authentication. A bearer token takes precedence over login and password. */
export function identifyAccount(
  accounts: ReadonlyMap<string, AccountRecord>,
  request: ApiRequest,
): AccountRecord | undefined {
  if (request.token !== undefined) {
    return [...accounts.values()].find((account) => account.token === request.token);
  }
  return request.login === undefined ? undefined : accounts.get(request.login);
}

/** The account and the credential of a call. Permissions limit only the API password. */
export interface Caller {
  readonly account: AccountRecord;
  readonly credential: 'api password' | 'main password' | 'token';
}

/** Throws a Refusal if the credentials do not match. */
export function authenticate(identified: AccountRecord | undefined, request: ApiRequest): Caller {
  const credential = identified && matchingCredential(identified, request);
  if (identified === undefined || credential === undefined) {
    throw new Refusal('authentication');
  }
  return { account: identified, credential };
}

function matchingCredential(account: AccountRecord, { token, password }: ApiRequest): Caller['credential'] | undefined {
  if (token !== undefined) return token === account.token ? 'token' : undefined;
  if (password === account.password) return 'api password';
  return password === account.mainPassword ? 'main password' : undefined;
}
