import { hashText } from '../figures/noise.ts';
import { requireFound } from '../refusal.ts';
import { findName, hasName, parentOf } from './domains.ts';
import { readZoneName } from './names.ts';
import type { AccountRecord, DnsRecord, DomainRecord, NameServer, SubdomainRecord } from './records.ts';

/** A name with its DNS records. `entry`: its domain or subdomain; undefined for a name that only changeRecords has created. */
export interface DnsZone {
  readonly name: string;
  readonly entry: DomainRecord | SubdomainRecord | undefined;
  readonly records: readonly DnsRecord[];
}

/** Finds a zone. Until a call changes its records, a zone has the provider's default records. Throws a Refusal for an unknown name. */
export function findZone(state: AccountRecord, fqdn: string): DnsZone {
  const name = readZoneName(fqdn);
  const created = state.dns.get(name);
  if (created !== undefined && !hasName(state, name)) {
    return { name, entry: undefined, records: created };
  }
  const entry = findName(state, fqdn);
  return { name, entry, records: created ?? defaultRecords(state.server.name) };
}

/** Like `findZone`, but returns an empty zone for an unknown name below a domain, such as `www`, `_dmarc` or `*`. */
export function findWritableZone(state: AccountRecord, fqdn: string): DnsZone {
  const name = readZoneName(fqdn);
  if (hasName(state, name)) return findZone(state, fqdn);
  requireFound(parentOf(state.domains, name), `There is no domain ${fqdn}`);
  return { name, entry: undefined, records: state.dns.get(name) ?? [] };
}

/** Replaces all records of a zone. Deletes a zone that has neither an entry nor records. */
export function setDnsRecords(state: AccountRecord, { name, entry }: DnsZone, records: readonly DnsRecord[]): void {
  if (entry === undefined && records.length === 0) {
    state.dns.delete(name);
  } else {
    state.dns.set(name, records);
  }
}

export const defaultNameServers: readonly NameServer[] = ['ns1.provider.example', 'ns2.provider.example'].map(
  (host) => ({ host, address: '' }),
);

/** The name servers of a domain; empty for a subdomain. */
export function nameServersOf(state: AccountRecord, { name, entry }: DnsZone): readonly NameServer[] {
  return isDomainZone({ entry }) ? (state.nameServers.get(name) ?? defaultNameServers) : [];
}

/** Whether a zone belongs to a domain. False for a subdomain. */
export function isDomainZone({ entry }: Pick<DnsZone, 'entry'>): boolean {
  return entry !== undefined && !('domainId' in entry);
}

function defaultRecords(server: string): readonly DnsRecord[] {
  return [
    { type: 'A', value: `198.51.100.${1 + (hashText(server) % 254)}` },
    { type: 'MX', value: 'mx1.mail.example.', priority: 10 },
    { type: 'MX', value: 'mx2.mail.example.', priority: 20 },
    { type: 'TXT', value: 'v=spf1 redirect=spf.mail.example' },
  ];
}
