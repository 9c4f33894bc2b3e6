import { Refusal, requireFound } from '../refusal.ts';
import { isSameName, readName, unicodeName } from './names.ts';
import { type AccountRecord, type DomainRecord, type SubdomainRecord, takeId } from './records.ts';

export const phpVersions = ['5.6', '7.0', '7.1', '7.2', '7.3', '7.4', '8.0', '8.1', '8.2', '8.3', '8.4'] as const;

/** Finds a domain or subdomain by its id. */
export function findDomain(state: AccountRecord, id: string): DomainRecord | SubdomainRecord {
  return requireFound(
    namesOf(state).find((candidate) => String(candidate.id) === id),
    `There is no domain ${id}`,
  );
}

/** Finds a domain or subdomain by its name, in any case, in Unicode or punycode. */
export function findName(state: AccountRecord, fqdn: string): DomainRecord | SubdomainRecord {
  const name = readName(fqdn);
  return requireFound(
    namesOf(state).find((candidate) => isSameName(candidate.fqdn, name)),
    `There is no domain ${fqdn}`,
  );
}

export function addSubdomain(state: AccountRecord, fqdn: string): SubdomainRecord {
  const name = readName(fqdn);
  const parent = requireFound(parentOf(state.domains, name), `The account has no parent domain of ${fqdn}`);
  if (namesOf(state).some((candidate) => isSameName(candidate.fqdn, name))) {
    throw new Refusal('failed', `The domain ${fqdn} already exists`);
  }
  const subdomain = createSubdomain(takeId(state), name, parent);
  state.subdomains.push(subdomain);
  return subdomain;
}

/** The nearest domain above a name. `name` is in punycode. */
export function parentOf(domains: readonly DomainRecord[], name: string): DomainRecord | undefined {
  const labels = name.split('.');
  return labels
    .map((_, index) => labels.slice(index + 1).join('.'))
    .flatMap((suffix) => domains.find((domain) => isSameName(domain.fqdn, suffix)) ?? [])[0];
}

/** A subdomain of `parent`. `name` is in punycode. In the result, the labels below the parent are in Unicode. */
export function createSubdomain(id: number, name: string, parent: DomainRecord): SubdomainRecord {
  const depth = name.split('.').length - parent.fqdn.split('.').length;
  const labels = name.split('.').slice(0, depth).join('.');
  const fqdn = `${unicodeName(labels)}.${parent.fqdn}`;
  return { id, fqdn, domainId: parent.id, ssl: false, phpVersion: '5.6', cgi: false };
}

/** Deletes a subdomain with its DNS records, mailboxes and links. */
export function deleteSubdomain(state: AccountRecord, subdomain: { readonly id: number; readonly fqdn: string }): void {
  const { id, fqdn } = subdomain;
  const index = state.subdomains.findIndex((candidate) => candidate.id === id);
  if (index < 0) {
    throw new Refusal('failed', `${fqdn} is not a subdomain`);
  }
  state.subdomains.splice(index, 1);
  state.dns.delete(readName(fqdn));
  state.domainMailboxes.delete(fqdn);
  for (const mailbox of state.mailboxes.filter(({ domain }) => isSameName(domain, fqdn))) {
    state.mailboxes.splice(state.mailboxes.indexOf(mailbox), 1);
  }
  for (const site of state.sites) {
    site.domainIds = site.domainIds.filter((linked) => linked !== id);
  }
}

export function changePhpVersion(state: AccountRecord, fqdn: string, version: string): void {
  if (!phpVersions.some((allowed) => allowed === version)) {
    throw new Refusal('invalid', `php_version must be one of ${phpVersions.join(', ')}`);
  }
  findName(state, fqdn).phpVersion = version;
}

function namesOf(state: AccountRecord): readonly (DomainRecord | SubdomainRecord)[] {
  return [...state.domains, ...state.subdomains];
}
