import { Refusal, requireFound } from '../refusal.ts';
import { takeId } from './next-id.ts';
import type { AccountState, DomainRecord, SubdomainRecord } from './records.ts';

export const phpVersions = ['5.6', '7.0', '7.1', '7.2', '7.3', '7.4', '8.0', '8.1', '8.2', '8.3', '8.4'] as const;

/** Finds a domain or subdomain by its id. */
export function findDomain(state: AccountState, id: string): DomainRecord | SubdomainRecord {
  return requireFound(
    [...state.domains, ...state.subdomains].find((candidate) => String(candidate.id) === id),
    `There is no domain ${id}`,
  );
}

/** Finds a domain or subdomain by its name, in Cyrillic or punycode. */
export function findName(state: AccountState, fqdn: string): DomainRecord | SubdomainRecord {
  const name = asciiName(fqdn);
  return requireFound(
    [...state.domains, ...state.subdomains].find((candidate) => asciiName(candidate.fqdn) === name),
    `There is no domain ${fqdn}`,
  );
}

/** The name in punycode, as in DNS. */
export function asciiName(fqdn: string): string {
  const url = URL.parse(`http://${fqdn}`);
  return url === null ? fqdn : url.hostname;
}

export function addSubdomain(state: AccountState, fqdn: string): SubdomainRecord {
  const parent = requireFound(
    state.domains.find((domain) => fqdn.endsWith(`.${domain.fqdn}`) && fqdn.length > domain.fqdn.length + 1),
    `The account has no parent domain of ${fqdn}`,
  );
  if (!/^[\p{L}\p{N}.-]{1,253}$/u.test(fqdn)) {
    throw new Refusal('invalid', 'The name of a subdomain must have 1 to 253 letters, digits, . and -');
  }
  if (state.subdomains.some((candidate) => candidate.fqdn === fqdn)) {
    throw new Refusal('failed', `The subdomain ${fqdn} already exists`);
  }
  const subdomain = { id: takeId(state), fqdn, domainId: parent.id, ssl: false, phpVersion: '5.6', cgi: false };
  state.subdomains.push(subdomain);
  return subdomain;
}

export function deleteSubdomain(state: AccountState, subdomain: { readonly id: number; readonly fqdn: string }): void {
  const index = state.subdomains.findIndex((candidate) => candidate.id === subdomain.id);
  if (index < 0) {
    throw new Refusal('failed', `${subdomain.fqdn} is not a subdomain`);
  }
  state.subdomains.splice(index, 1);
  for (const site of state.sites) {
    site.domainIds = site.domainIds.filter((linked) => linked !== subdomain.id);
  }
}

export function changePhpVersion(state: AccountState, fqdn: string, version: string): void {
  if (!phpVersions.some((allowed) => allowed === version)) {
    throw new Refusal('invalid', `php_version must be one of ${phpVersions.join(', ')}`);
  }
  findName(state, fqdn).phpVersion = version;
}
