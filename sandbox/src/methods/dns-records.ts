import { isIP, isIPv4 } from 'node:net';
import type { JsonObject } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { type DnsZone, isDomainZone } from '../state/dns.ts';
import { canonicalIpv6, isTargetName } from '../state/names.ts';
import type { DnsRecord, NameServer } from '../state/records.ts';
import type { CallArguments } from './call-arguments.ts';

type Groups = ReadonlyMap<string, readonly CallArguments[]>;

const ttl = 600;

/** For each type of record: the field that contains the value in the live API. In the documentation, the field is always `value`. */
const liveFields: Readonly<Record<string, string>> = {
  A: 'address',
  AAAA: 'address',
  CNAME: 'cname',
  MX: 'exchange',
  NS: 'nsdname',
  TXT: 'txtdata',
};

/** The record types whose value the live API splits: the names of the fields in order, and the pattern of the whole value. */
const composed: Readonly<Record<string, { readonly parts: readonly string[]; readonly pattern: RegExp }>> = {
  CAA: { parts: ['flags', 'tag', 'value'], pattern: /^\d{1,3} [a-z0-9]+ .+$/ },
  SRV: { parts: ['weight', 'port', 'target'], pattern: /^\d{1,5} \d{1,5} \S+$/ },
};

/** Maximum number of records of one type in a zone. */
const maxRecords = (type: string) => (type === 'CNAME' ? 1 : 10);

const maxNameServers = 4;

export function isNameServerGroup(type: string): boolean {
  return type === 'DNS' || type === 'DNS_IP';
}

/** Reads a record in the documented form, with its value in `value`. */
export function readDocumentedRecord(type: string, item: CallArguments): DnsRecord {
  return checkedRecord(type.toUpperCase(), item.text('value'), item.optionalText('priority'));
}

/** Reads a record in the documented form or in the form of the live API. */
function readLiveRecord(type: string, item: CallArguments): DnsRecord {
  const { parts, pattern } = composed[type] ?? {};
  const value =
    parts?.map((part) => item.text(part)).join(' ') ??
    item.optionalText(liveFields[type] ?? 'value') ??
    item.text('value');
  if (pattern?.test(value) === false) {
    throw new Refusal('invalid', `The fields of a record of type ${type} must be ${parts?.join(', ')}`);
  }
  return checkedRecord(type, value, item.optionalText('preference') ?? item.optionalText('priority'));
}

export function printLiveRecord({ type, value, priority = 10 }: DnsRecord): JsonObject {
  const { parts } = composed[type] ?? {};
  if (parts !== undefined) {
    const fields = splitValue(value).map((part, index) => [parts[index], part]);
    return { ttl, ...(type === 'SRV' ? { priority } : {}), ...Object.fromEntries(fields) };
  }
  const field = { [liveFields[type] ?? 'value']: value };
  return type === 'MX' ? { ttl, ...field, preference: priority } : { ttl, ...field };
}

/** The three parts of the value of a CAA or SRV record. Only the last part may contain spaces. */
function splitValue(value: string): readonly (string | number)[] {
  const [first = '', second = '', ...last] = value.split(' ');
  return [Number(first), /^\d+$/.test(second) ? Number(second) : second, last.join(' ')];
}

/**
 * Reads the records of a zone from the groups of changeRecords. As in the live API, CNAME or NS records replace records of other types.
 * Throws a Refusal if a type has too many records, or if the zone belongs to a domain and has CNAME or NS records.
 */
export function readRecords(groups: Groups, zone: DnsZone): readonly DnsRecord[] {
  const byType = new Map<string, readonly DnsRecord[]>();
  for (const [type, items] of groups) {
    if (isNameServerGroup(type)) continue;
    if (items.length > maxRecords(type)) {
      throw new Refusal('invalid', `A zone may have at most ${maxRecords(type)} records of type ${type}`);
    }
    const records = items.map((item) => readLiveRecord(type, item));
    if (records.length > 0) byType.set(type, records);
  }
  const alone = byType.get('CNAME') ?? byType.get('NS');
  if (alone !== undefined && isDomainZone(zone)) {
    throw new Refusal('invalid', 'Only subdomains may have records of type CNAME and NS');
  }
  return alone ?? [...byType.values()].flat();
}

/**
 * Reads the name servers from the groups DNS and DNS_IP; undefined if they do not change. Throws a Refusal if the provider does not manage
 * the domain, if there are more than four name servers, or if a name server below the domain has no address.
 */
export function readNameServers(
  groups: Groups,
  zone: DnsZone,
  current: readonly NameServer[],
): readonly NameServer[] | undefined {
  const hosts = (groups.get('DNS') ?? []).map((item) => item.text('value'));
  const addresses = (groups.get('DNS_IP') ?? []).map((item) => item.optionalText('value') ?? '');
  const servers = hosts.map((host, index) => ({ host, address: addresses[index] ?? '' }));
  if (addresses.length > 0 && addresses.length !== hosts.length) {
    throw new Refusal('invalid', 'DNS_IP must have one address for each name server in DNS');
  }
  if (servers.length === 0 || JSON.stringify(servers) === JSON.stringify(current)) {
    return undefined;
  }
  if (zone.entry === undefined || !('underControl' in zone.entry) || !zone.entry.underControl) {
    throw new Refusal('invalid', 'The provider does not manage this domain, so its name servers cannot be changed');
  }
  const own = `.${zone.name}`;
  const isValid = ({ host, address }: NameServer) =>
    isTargetName(host) && (address === '' ? !host.replace(/\.$/, '').endsWith(own) : isIP(address) > 0);
  if (servers.length > maxNameServers || !servers.every(isValid)) {
    throw new Refusal('invalid', `DNS may have ${maxNameServers} names; names below the domain need an address`);
  }
  return servers;
}

function checkedRecord(type: string, text: string, priorityText = '10'): DnsRecord {
  const value = checkedValue(type, text);
  const priority = Number(priorityText);
  if (!Number.isInteger(priority) || priority < 0 || priority > 65_535) {
    throw new Refusal('invalid', 'The priority of a record must be a whole number from 0 to 65535');
  }
  return type === 'MX' || type === 'SRV' ? { type, value, priority } : { type, value };
}

/** Validates and returns the value of a record. Returns an IPv6 address in canonical form, so that equal addresses are equal texts. */
function checkedValue(type: string, value: string): string {
  const refuse = (expected: string): never => {
    throw new Refusal('invalid', `The value of a record of type ${type} must be ${expected}`);
  };
  switch (type) {
    case 'A':
      return isIPv4(value) ? value : refuse('an IPv4 address');
    case 'AAAA':
      return canonicalIpv6(value) ?? refuse('an IPv6 address');
    case 'CNAME':
    case 'MX':
    case 'NS':
      return isTargetName(value) ? value : refuse('a domain name');
    case 'CAA':
    case 'SRV':
    case 'TXT':
      return value === '' ? refuse('a text') : value;
    default:
      throw new Refusal('invalid', 'The type of a record must be A, AAAA, CAA, CNAME, MX, NS, SRV or TXT');
  }
}
