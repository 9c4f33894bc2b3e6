import { Refusal } from './refusal.ts';
import type { ApiRequest } from './request.ts';
import type { AccountState } from './state/records.ts';

/** The account that a call speaks of, whether or not it may. A bearer token goes before login and password. */
export function claimedAccount(
  accounts: ReadonlyMap<string, AccountState>,
  request: ApiRequest,
): AccountState | undefined {
  if (request.token !== undefined) {
    return [...accounts.values()].find((account) => account.token === request.token);
  }
  return request.login === undefined ? undefined : accounts.get(request.login);
}

/** Either mode of the specification; a Refusal otherwise. */
export function authenticate(claimed: AccountState | undefined, request: ApiRequest): AccountState {
  const proven =
    request.token === undefined ? claimed?.password === request.password : claimed?.token === request.token;
  if (claimed === undefined || !proven) {
    throw new Refusal('authentication');
  }
  return claimed;
}
