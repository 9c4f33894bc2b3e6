import { hashText } from '../figures/noise.ts';
import { Refusal } from '../refusal.ts';
import { findName } from './domains.ts';
import { readName } from './names.ts';
import type { AccountRecord, DnsRecord } from './records.ts';

/** DNS records of a domain or subdomain. Until a call changes the records, they are the provider's default records. */
export function dnsRecords(state: AccountRecord, fqdn: string): readonly DnsRecord[] {
  return state.dns.get(readName(findName(state, fqdn).fqdn)) ?? defaultRecords(state.server.name);
}

export function addDnsRecords(state: AccountRecord, fqdn: string, records: readonly DnsRecord[]): void {
  setRecords(state, fqdn, [...dnsRecords(state, fqdn), ...records]);
}

/** Replaces all records of the given types. */
export function changeDnsRecords(
  state: AccountRecord,
  fqdn: string,
  types: ReadonlySet<string>,
  records: readonly DnsRecord[],
): void {
  setRecords(state, fqdn, [...dnsRecords(state, fqdn).filter((record) => !types.has(record.type)), ...records]);
}

/** Throws a Refusal if a record does not exist. */
export function deleteDnsRecords(state: AccountRecord, fqdn: string, records: readonly DnsRecord[]): void {
  let rest = dnsRecords(state, fqdn);
  for (const record of records) {
    const kept = rest.filter((candidate) => candidate.type !== record.type || !isSameValue(candidate, record));
    if (kept.length === rest.length) {
      throw new Refusal('failed', `${fqdn} has no record ${record.type} ${record.value}`);
    }
    rest = kept;
  }
  setRecords(state, fqdn, rest);
}

function setRecords(state: AccountRecord, fqdn: string, records: readonly DnsRecord[]): void {
  state.dns.set(readName(findName(state, fqdn).fqdn), records);
}

/** Whether two records of one type have the same value. Ignores case, except in the values of TXT records. */
function isSameValue({ type, value }: DnsRecord, other: DnsRecord): boolean {
  return type === 'TXT' ? value === other.value : value.toLowerCase() === other.value.toLowerCase();
}

function defaultRecords(server: string): readonly DnsRecord[] {
  return [
    { type: 'A', value: `198.51.100.${1 + (hashText(server) % 254)}` },
    { type: 'MX', value: 'mx1.mail.example.', priority: 10 },
    { type: 'MX', value: 'mx2.mail.example.', priority: 20 },
    { type: 'TXT', value: 'v=spf1 redirect=spf.mail.example' },
  ];
}
