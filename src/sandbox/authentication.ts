import { Refusal } from './refusal.ts';
import type { ApiRequest } from './request.ts';
import type { AccountState } from './state/records.ts';

/** The account that a call names, before authentication. A bearer token takes precedence over login and password. */
export function identifyAccount(
  accounts: ReadonlyMap<string, AccountState>,
  request: ApiRequest,
): AccountState | undefined {
  if (request.token !== undefined) {
    return [...accounts.values()].find((account) => account.token === request.token);
  }
  return request.login === undefined ? undefined : accounts.get(request.login);
}

/** Throws a Refusal if the credentials do not match. */
export function authenticate(identified: AccountState | undefined, request: ApiRequest): AccountState {
  const matches =
    request.token === undefined ? identified?.password === request.password : identified?.token === request.token;
  if (identified === undefined || !matches) {
    throw new Refusal('authentication');
  }
  return identified;
}
