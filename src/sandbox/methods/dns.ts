import { isIPv4 } from 'node:net';
import type { Json, JsonObject } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { addDnsRecords, changeDnsRecords, deleteDnsRecords, dnsRecords } from '../state/dns.ts';
import { findName } from '../state/domains.ts';
import { canonicalIpv6, isTargetName } from '../state/names.ts';
import type { AccountRecord, DnsRecord } from '../state/records.ts';
import type { CallArguments } from './call-arguments.ts';
import type { SandboxSection, SpecificationSection } from './method.ts';

const ttl = 600;

// The specification does not define the payload, so it follows the provider's documentation: records of every type have a value.
// The specification does not define the parameters of changeRecords and deleteRecords either, so both methods have the parameters
// of addRecords. changeRecords replaces all records of each type in its argument.
const specification: SpecificationSection = {
  getData: {
    purpose: 'get DNS records',
    parameters: ['fqdn'],
    answer: ({ account, args }) => zoneOf(account, args.text('fqdn'), documentedRecord),
  },
  addRecords: {
    purpose: 'add DNS records',
    parameters: ['fqdn', 'records'],
    change: ({ account, args }) => addDnsRecords(account, args.text('fqdn'), recordsFrom(args)),
  },
  changeRecords: {
    purpose: 'change DNS records',
    parameters: ['fqdn', 'records'],
    change: ({ account, args }) => {
      const records = recordsFrom(args);
      changeDnsRecords(account, args.text('fqdn'), new Set(records.map((record) => record.type)), records);
    },
  },
  deleteRecords: {
    purpose: 'delete DNS records',
    parameters: ['fqdn', 'records'],
    change: ({ account, args }) => deleteDnsRecords(account, args.text('fqdn'), recordsFrom(args)),
  },
};

const provider: SandboxSection = {
  getData: {
    purpose: 'get DNS records',
    parameters: ['fqdn'],
    answer: ({ account, args }) => {
      try {
        return liveZone(zoneOf(account, args.text('fqdn'), liveRecord));
      } catch (error) {
        throw error instanceof Refusal && error.kind === 'failed'
          ? new Refusal('failed', 'Failed to get DNS records')
          : error;
      }
    },
  },
  changeRecords: {
    purpose: 'replace DNS records',
    parameters: ['fqdn', 'records'],
    change: ({ account, args }) => {
      const groups = args.objectsByKey('records');
      const records = [...groups].flatMap(([type, list]) => list.map((item) => recordFrom(type, item)));
      changeDnsRecords(account, args.text('fqdn'), new Set(groups.keys()), records);
    },
  },
};

export const dns = { specification, provider };

function recordsFrom(args: CallArguments): readonly DnsRecord[] {
  return args.objects('records').map((item) => recordFrom(item.text('type'), item));
}

function recordFrom(type: string, item: CallArguments): DnsRecord {
  const priority = Number(item.optionalText('priority') ?? 10);
  const record = { type: type.toUpperCase(), value: checkedValue(type.toUpperCase(), item.text('value')) };
  if (!Number.isInteger(priority) || priority < 0 || priority > 65_535) {
    throw new Refusal('invalid', 'The priority of a record must be a whole number from 0 to 65535');
  }
  return record.type === 'MX' || record.type === 'SRV' ? { ...record, priority } : record;
}

/** Validates and returns the value of a record. Shortens an IPv6 address to its canonical form, so that equal records match. */
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

interface ZoneData extends JsonObject {
  readonly is_subdomain: boolean;
  readonly records: JsonObject;
}

/** The payload with the name servers that the live API also lists. A subdomain has no name servers. */
function liveZone(zone: ZoneData): JsonObject {
  const servers = zone.is_subdomain ? [] : [{ value: 'ns1.provider.example' }, { value: 'ns2.provider.example' }];
  const addresses = zone.is_subdomain ? [] : [{ value: '' }];
  return { is_beget_dns: true, ...zone, records: { ...zone.records, DNS: servers, DNS_IP: addresses } };
}

function zoneOf(account: AccountRecord, fqdn: string, print: (record: DnsRecord) => JsonObject): ZoneData {
  const name = findName(account, fqdn);
  const groups = Map.groupBy(dnsRecords(account, fqdn), (record) => record.type);
  const records: Record<string, Json> = Object.fromEntries([...groups].map(([type, list]) => [type, list.map(print)]));
  return {
    is_under_control: 'underControl' in name ? name.underControl : true,
    is_subdomain: 'domainId' in name,
    fqdn: name.fqdn,
    set_type: groups.has('CNAME') ? 3 : groups.has('NS') ? 2 : 1,
    records,
  };
}

function documentedRecord({ value, priority = 0 }: DnsRecord): JsonObject {
  return { value, priority };
}

function liveRecord({ type, value, priority = 10 }: DnsRecord): JsonObject {
  switch (type) {
    case 'A':
    case 'AAAA':
      return { ttl, address: value };
    case 'MX':
      return { ttl, exchange: value, preference: priority };
    case 'TXT':
      return { ttl, txtdata: value };
    case 'CNAME':
      return { ttl, cname: value };
    case 'NS':
      return { ttl, nsdname: value };
    default:
      return { value };
  }
}
