import { checkPlanLimit, findById, Refusal, requireFound } from '../refusal.ts';
import type { SandboxMoment } from '../time/timeline.ts';
import { isSameName, readHostName, readZoneName, unicodeName } from './names.ts';
import { type AccountRecord, type DomainRecord, type SubdomainRecord, takeId } from './records.ts';

export const phpVersions: readonly string[] = '5.6 7.0 7.1 7.2 7.3 7.4 8.0 8.1 8.2 8.3 8.4 8.5'.split(' ');

/** The settings of a new domain or subdomain. */
const newSettings = { ssl: false, phpVersion: '5.6', cgi: false, directives: [] } as const;

export function findDomain(state: AccountRecord, id: string): DomainRecord | SubdomainRecord {
  return findById(namesOf(state), id, 'domain');
}

/** Finds a domain or subdomain by its name in Unicode or punycode. Ignores case. */
export function findName(state: AccountRecord, fqdn: string): DomainRecord | SubdomainRecord {
  const name = readZoneName(fqdn);
  return requireFound(
    namesOf(state).find((candidate) => isSameName(candidate.fqdn, name)),
    `There is no domain ${fqdn}`,
  );
}

/** Adds a domain that is not registered at the provider, and returns it. */
export function addDomain(state: AccountRecord, moment: SandboxMoment, fqdn: string): DomainRecord {
  const name = readHostName(fqdn);
  if (hasName(state, name)) {
    throw new Refusal('failed', `The domain ${fqdn} already exists`);
  }
  checkPlanLimit(state.plan.domains, state.domains.length, 'domains');
  const domain: DomainRecord = {
    id: takeId(state),
    fqdn: unicodeName(name),
    addedAt: moment.instant,
    autoRenew: false,
    registeredDay: undefined,
    expiresDay: undefined,
    registrar: null,
    status: null,
    renewal: null,
    underControl: false,
    ...newSettings,
  };
  state.domains.push(domain);
  return domain;
}

/** Deletes a domain with its subdomains, DNS records, mailboxes and links. */
export function deleteDomain(state: AccountRecord, id: string): void {
  const domain = findById(state.domains, id, 'domain');
  for (const subdomain of state.subdomains.filter(({ domainId }) => domainId === domain.id)) {
    deleteSubdomain(state, subdomain);
  }
  state.domains.splice(state.domains.indexOf(domain), 1);
  forgetName(state, domain);
  for (const zone of [...state.dns.keys()].filter((name) => name.endsWith(`.${readZoneName(domain.fqdn)}`))) {
    state.dns.delete(zone);
  }
}

export function addSubdomain(state: AccountRecord, fqdn: string): SubdomainRecord {
  const name = readZoneName(fqdn);
  const parent = requireFound(parentOf(state.domains, name), `The account has no parent domain of ${fqdn}`);
  if (hasName(state, name)) {
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

/** A subdomain of `parent`. `name` is in punycode. In `fqdn` of the result, the labels before the parent are in Unicode. */
export function createSubdomain(id: number, name: string, parent: DomainRecord): SubdomainRecord {
  const depth = name.split('.').length - parent.fqdn.split('.').length;
  const labels = name.split('.').slice(0, depth).join('.');
  const fqdn = `${unicodeName(labels)}.${parent.fqdn}`;
  return { id, fqdn, domainId: parent.id, ...newSettings };
}

/** Deletes a subdomain with its DNS records, mailboxes and links. */
export function deleteSubdomain(state: AccountRecord, subdomain: { readonly id: number; readonly fqdn: string }): void {
  const { id, fqdn } = subdomain;
  const index = state.subdomains.findIndex((candidate) => candidate.id === id);
  if (index < 0) {
    throw new Refusal('failed', `${fqdn} is not a subdomain`);
  }
  state.subdomains.splice(index, 1);
  forgetName(state, subdomain);
}

function forgetName(state: AccountRecord, { id, fqdn }: { readonly id: number; readonly fqdn: string }): void {
  state.dns.delete(readZoneName(fqdn));
  state.nameServers.delete(readZoneName(fqdn));
  state.domainMailboxes.delete(fqdn);
  for (const mailbox of state.mailboxes.filter(({ domain }) => isSameName(domain, fqdn))) {
    state.mailboxes.splice(state.mailboxes.indexOf(mailbox), 1);
  }
  for (const site of state.sites) {
    site.domainIds = site.domainIds.filter((linked) => linked !== id);
  }
}

export function changePhpVersion(state: AccountRecord, fqdn: string, version: string): void {
  if (!phpVersions.includes(version)) {
    throw new Refusal('invalid', `php_version must be one of ${phpVersions.join(', ')}`);
  }
  findName(state, fqdn).phpVersion = version;
}

/** Whether the account has a domain or subdomain. Throws a Refusal if the text is not a name. */
export function hasName(state: AccountRecord, fqdn: string): boolean {
  const name = readZoneName(fqdn);
  return namesOf(state).some((candidate) => isSameName(candidate.fqdn, name));
}

function namesOf(state: AccountRecord): readonly (DomainRecord | SubdomainRecord)[] {
  return [...state.domains, ...state.subdomains];
}
