import type { Json, JsonObject } from '../json.ts';
import { Refusal } from '../refusal.ts';
import {
  addDnsRecords,
  changeDnsRecords,
  type DnsZone,
  defaultNameServers,
  deleteDnsRecords,
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
import type { SandboxSection, SpecificationSection } from './method.ts';

// The specification does not define the payload, so every record has the field value, as in the provider's documentation. changeRecords
// and deleteRecords have the parameters of addRecords, because the specification defines no parameters for them. changeRecords replaces all
// records of each type in its argument.
const specification: SpecificationSection = {
  getData: {
    purpose: 'get DNS records',
    parameters: ['fqdn'],
    answer: ({ account, args }) => zoneOf(findZone(account, args.text('fqdn')), documentedRecord),
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
        const zone = findZone(account, args.text('fqdn'));
        return liveZone(zone, nameServersOf(account, zone));
      } catch (error) {
        throw error instanceof Refusal && error.kind === 'failed'
          ? new Refusal('failed', 'Failed to get DNS records')
          : error;
      }
    },
  },
  changeRecords: {
    purpose: 'replace all DNS records, or the name servers of a domain',
    parameters: ['fqdn', 'records'],
    change: ({ account, args }) => {
      const zone = findWritableZone(account, args.text('fqdn'));
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
  },
};

export const dns = { specification, provider };

function recordsFrom(args: CallArguments): readonly DnsRecord[] {
  return args.objects('records').map((item) => readDocumentedRecord(item.text('type'), item));
}

function zoneOf(zone: DnsZone, print: (record: DnsRecord) => JsonObject): ZoneData {
  const { name, entry } = zone;
  const groups = Map.groupBy(zone.records, (record) => record.type);
  const records: Record<string, Json> = Object.fromEntries([...groups].map(([type, list]) => [type, list.map(print)]));
  return {
    is_under_control: entry !== undefined && 'underControl' in entry ? entry.underControl : true,
    is_subdomain: !isDomainZone(zone),
    fqdn: entry?.fqdn ?? unicodeName(name),
    set_type: groups.has('CNAME') ? 3 : groups.has('NS') ? 2 : 1,
    records,
  };
}

interface ZoneData extends JsonObject {
  readonly records: JsonObject;
}

function documentedRecord({ value, priority = 0 }: DnsRecord): JsonObject {
  return { value, priority };
}

/** The payload of the live API, which also lists the name servers and one address for each. */
function liveZone(zone: DnsZone, servers: readonly NameServer[]): JsonObject {
  const data = zoneOf(zone, printLiveRecord);
  const DNS = servers.map(({ host }) => ({ value: host }));
  const DNS_IP = servers.map(({ address }) => ({ value: address }));
  const isProviders = servers.every(({ host }) => defaultNameServers.some((server) => server.host === host));
  return { is_beget_dns: isProviders, ...data, records: { ...data.records, DNS, DNS_IP } };
}
