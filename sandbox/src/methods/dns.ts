import type { Json, JsonObject } from '../json.ts';
import { Refusal } from '../refusal.ts';
import {
  type DnsZone,
  defaultNameServers,
  findWritableZone,
  findZone,
  isDomainZone,
  nameServersOf,
  setDnsRecords,
} from '../state/dns.ts';
import { unicodeName } from '../state/names.ts';
import type { DnsRecord, NameServer } from '../state/records.ts';
import type { CallArguments } from './call-arguments.ts';
import {
  isNameServerGroup,
  printLiveRecord,
  readDocumentedRecord,
  readNameServers,
  readRecords,
} from './dns-records.ts';
import { change, read, type SandboxSection } from './method.ts';

// The specification does not define the payload, so every record has the field value, as in the provider's documentation. changeRecords
// and deleteRecords have the parameters of addRecords, because the specification defines no parameters for them. changeRecords replaces all
// records of each type in its argument.
const specification: SandboxSection = {
  getData: read('get DNS records', ['fqdn'], ({ account }, fqdn) =>
    zoneOf(findZone(account, fqdn), ({ value, priority = 0 }) => ({ value, priority })),
  ),
  addRecords: change('add DNS records', ['fqdn', 'records[]'], ({ account, args }, fqdn) => {
    const zone = findZone(account, fqdn);
    setDnsRecords(account, zone, [...zone.records, ...recordsFrom(args)]);
  }),
  changeRecords: change('change DNS records', ['fqdn', 'records[]'], ({ account, args }, fqdn) => {
    const records = recordsFrom(args);
    const types = new Set(records.map(({ type }) => type));
    const zone = findZone(account, fqdn);
    setDnsRecords(account, zone, [...zone.records.filter(({ type }) => !types.has(type)), ...records]);
  }),
  deleteRecords: change('delete DNS records', ['fqdn', 'records[]'], ({ account, args }, fqdn) => {
    const zone = findZone(account, fqdn);
    let rest = zone.records;
    for (const record of recordsFrom(args)) {
      const kept = rest.filter((candidate) => candidate.type !== record.type || !isSameValue(candidate, record));
      if (kept.length === rest.length) {
        throw new Refusal('failed', `${fqdn} has no record ${record.type} ${record.value}`);
      }
      rest = kept;
    }
    setDnsRecords(account, zone, rest);
  }),
};

const provider: SandboxSection = {
  getData: read('get DNS records', ['fqdn'], ({ account }, fqdn) => {
    try {
      const zone = findZone(account, fqdn);
      return liveZone(zone, nameServersOf(account, zone));
    } catch (error) {
      throw error instanceof Refusal && error.kind === 'failed'
        ? new Refusal('failed', 'Failed to get DNS records')
        : error;
    }
  }),
  changeRecords: change(
    'replace all DNS records, or the name servers of a domain',
    ['fqdn', 'records[]'],
    ({ account, args }, fqdn) => {
      const zone = findWritableZone(account, fqdn);
      const groups = args.objectsByKey('records');
      const records = readRecords(groups, zone);
      const servers = readNameServers(groups, zone, nameServersOf(account, zone));
      if (servers !== undefined) {
        account.nameServers.set(zone.name, servers);
      }
      if (groups.size === 0 || [...groups.keys()].some((type) => !isNameServerGroup(type))) {
        setDnsRecords(account, zone, records);
      }
    },
  ),
};

export const dns = { specification, provider };

function recordsFrom(args: CallArguments): readonly DnsRecord[] {
  return args.objects('records').map((item) => readDocumentedRecord(item.text('type'), item));
}

/** Whether two records of one type have the same value. Ignores case, except in the values of TXT records. */
function isSameValue({ type, value }: DnsRecord, other: DnsRecord): boolean {
  return type === 'TXT' ? value === other.value : value.toLowerCase() === other.value.toLowerCase();
}

function zoneOf(zone: DnsZone, print: (record: DnsRecord) => JsonObject) {
  const { name, entry } = zone;
  const groups = Map.groupBy(zone.records, (record) => record.type);
  const records: Record<string, Json> = Object.fromEntries([...groups].map(([type, list]) => [type, list.map(print)]));
  return {
    is_under_control: entry !== undefined && 'underControl' in entry && entry.underControl,
    is_subdomain: entry !== undefined && !isDomainZone(zone),
    fqdn: entry?.fqdn ?? unicodeName(name),
    set_type: groups.has('CNAME') ? 3 : groups.has('NS') ? 2 : 1,
    records,
  };
}

/** The payload of the live API, which also lists the name servers and one address for each. */
function liveZone(zone: DnsZone, servers: readonly NameServer[]): JsonObject {
  const data = zoneOf(zone, printLiveRecord);
  const DNS = servers.map(({ host }) => ({ value: host }));
  const DNS_IP = servers.map(({ address }) => ({ value: address }));
  const isProviders =
    servers.length > 0 && servers.every(({ host }) => defaultNameServers.some((server) => server.host === host));
  return { is_beget_dns: isProviders, ...data, records: { ...data.records, DNS, DNS_IP } };
}
