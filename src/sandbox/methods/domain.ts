import type { JsonObject } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { balanceOf } from '../state/account-figures.ts';
import {
  addDomain,
  addSubdomain,
  changePhpVersion,
  deleteDomain,
  deleteSubdomain,
  findDomain,
  findName,
  hasName,
  phpVersions,
} from '../state/domains.ts';
import type { AccountRecord, Directive, DomainRecord, SubdomainRecord } from '../state/records.ts';
import { findTopLevelZone, type TopLevelZone, topLevelZones } from '../state/top-level-zones.ts';
import { day, printDate, printDateTime } from '../time/zone.ts';
import type { CallArguments } from './call-arguments.ts';
import { type Call, printFlag, printId, type SandboxSection, type SpecificationSection } from './method.ts';

// Some methods have no parameters in the specification. They identify a domain by fqdn, as the other methods do. getList lists domains and
// subdomains, because no method of the specification lists only subdomains.
const specification: SpecificationSection = {
  getList: {
    purpose: 'list domains and subdomains',
    answer: ({ account }) => [
      ...account.domains.map((domain) => ({ ...domainRecord(domain, account), is_subdomain: 0 })),
      ...account.subdomains.map((subdomain) => ({ ...subdomainRecord(subdomain, account), is_subdomain: 1 })),
    ],
  },
  addSubdomain: {
    purpose: 'add a subdomain; the result contains its id',
    parameters: ['fqdn'],
    answer: ({ account, args }) => ({ id: printId(addSubdomain(account, args.text('fqdn')).id, account) }),
  },
  deleteSubdomain: {
    purpose: 'delete a subdomain',
    parameters: ['fqdn'],
    change: ({ account, args }) => deleteSubdomain(account, findName(account, args.text('fqdn'))),
  },
  getPhpVersion: {
    purpose: 'get the PHP version',
    parameters: ['fqdn'],
    answer: ({ account, args }) => phpVersionInfo(account, args.text('fqdn')),
  },
  changePhpVersion: {
    purpose: 'change the PHP version',
    parameters: ['fqdn', 'php_version'],
    answer: ({ account, args }) => {
      changePhpVersion(account, args.text('fqdn'), args.text('php_version'));
      return phpVersionInfo(account, args.text('fqdn'));
    },
  },
};

const provider: SandboxSection = {
  getList: {
    purpose: 'list domains',
    answer: ({ account }) => account.domains.map((domain) => domainRecord(domain, account)),
  },
  getZoneList: {
    purpose: 'list the top-level domains with their prices',
    answer: ({ account }) =>
      Object.fromEntries(topLevelZones.map((zone) => [zone.name, topLevelZoneRecord(zone, account)])),
  },
  addVirtual: {
    purpose: 'add a domain; the result is its id',
    parameters: ['hostname', 'zone_id'],
    answer: ({ account, moment, args }) => printId(addDomain(account, moment, nameFrom(args)).id, account),
  },
  delete: {
    purpose: 'delete a domain and its subdomains',
    parameters: ['id'],
    change: ({ account, args }) => deleteDomain(account, args.text('id')),
  },
  checkDomainToRegister: {
    purpose: 'show whether a domain can be registered, and its price',
    parameters: ['hostname', 'zone_id', 'period'],
    answer: registrationOffer,
  },
  getSubdomainList: {
    purpose: 'list subdomains',
    answer: ({ account }) => account.subdomains.map((subdomain) => subdomainRecord(subdomain, account)),
  },
  addSubdomainVirtual: {
    purpose: 'add a subdomain; the result is its id',
    parameters: ['subdomain', 'domain_id'],
    answer: ({ account, args }) => {
      const { fqdn } = findDomain(account, args.text('domain_id'));
      return printId(addSubdomain(account, `${args.text('subdomain')}.${fqdn}`).id, account);
    },
  },
  deleteSubdomain: {
    purpose: 'delete a subdomain',
    parameters: ['id'],
    change: ({ account, args }) => deleteSubdomain(account, findDomain(account, args.text('id'))),
  },
  getPhpVersion: {
    purpose: 'get the PHP version',
    parameters: ['full_fqdn'],
    answer: ({ account, args }) => phpVersionInfo(account, args.text('full_fqdn')),
  },
  changePhpVersion: {
    purpose: 'change the PHP version',
    parameters: ['full_fqdn', 'php_version', 'is_cgi?'],
    answer: ({ account, args }) => {
      const cgi = args.has('is_cgi') && args.flag('is_cgi');
      changePhpVersion(account, args.text('full_fqdn'), args.text('php_version'));
      findName(account, args.text('full_fqdn')).cgi = cgi;
      const { full_fqdn = '', php_version = '', cgi: state = '' } = phpVersionInfo(account, args.text('full_fqdn'));
      return { full_fqdn, result: 'changes will take effect in some time', php_version, cgi: state };
    },
  },
  getDirectives: {
    purpose: 'list the directives of a domain',
    parameters: ['full_fqdn'],
    answer: ({ account, args }) => findName(account, args.text('full_fqdn')).directives.map((one) => ({ ...one })),
  },
  addDirectives: {
    purpose: 'add directives of a domain',
    parameters: ['full_fqdn', 'directives_list'],
    change: ({ account, args }) => {
      const domain = findName(account, args.text('full_fqdn'));
      domain.directives = [...domain.directives, ...directivesFrom(args)];
    },
  },
  removeDirectives: {
    purpose: 'remove directives of a domain',
    parameters: ['full_fqdn', 'directives_list'],
    change: ({ account, args }) => {
      const domain = findName(account, args.text('full_fqdn'));
      const removed = directivesFrom(args);
      const isRemoved = (one: Directive) => removed.some(({ name, value }) => one.name === name && one.value === value);
      domain.directives = domain.directives.filter((one) => !isRemoved(one));
    },
  },
};

export const domain = { specification, provider };

function phpVersionInfo(account: AccountRecord, fqdn: string): JsonObject {
  const domain = findName(account, fqdn);
  return {
    full_fqdn: domain.fqdn,
    php_version: domain.phpVersion,
    cgi: domain.cgi ? 'enabled' : 'disabled',
    allowed_versions: phpVersions,
  };
}

/** The domain name from the parameters hostname and zone_id. */
function nameFrom(args: CallArguments): string {
  return `${args.text('hostname')}.${findTopLevelZone(args.text('zone_id')).name}`;
}

function registrationOffer({ account, moment, args }: Call): JsonObject {
  const { price, minPeriod, maxPeriod } = findTopLevelZone(args.text('zone_id'));
  const isInAccount = hasName(account, nameFrom(args));
  const period = args.count('period');
  if (period < minPeriod || period > maxPeriod) {
    throw new Refusal('invalid', `period must be from ${minPeriod} to ${maxPeriod}`);
  }
  const balance = balanceOf(account, moment);
  return {
    may_be_registered: !isInAccount,
    bonus_domains: 0,
    balance,
    pay_type: price * period <= balance ? 'money' : null,
    price: price * period,
    in_system: isInAccount,
  };
}

function topLevelZoneRecord(zone: TopLevelZone, account: AccountRecord): JsonObject {
  const print = (value: number | boolean) => (account.server.legacy ? String(value) : value);
  const printIdn = (value: number) => (zone.isIdn ? print(value) : null);
  return {
    id: print(zone.id),
    zone: zone.name,
    price: print(zone.price),
    price_renew: print(zone.renewalPrice),
    price_idn: printIdn(zone.price),
    price_idn_renew: printIdn(zone.renewalPrice),
    is_idn: print(zone.isIdn),
    is_national: print(zone.isNational),
    min_period: print(zone.minPeriod),
    max_period: print(zone.maxPeriod),
  };
}

function directivesFrom(args: CallArguments): readonly Directive[] {
  return args.objects('directives_list').map((item) => {
    const directive = { name: item.text('name'), value: item.text('value') };
    if (directive.name === '' || directive.value === '') {
      throw new Refusal('invalid', 'Each directive in directives_list must have a name and a value');
    }
    return directive;
  });
}

function subdomainRecord({ id, fqdn, domainId }: SubdomainRecord, account: AccountRecord): JsonObject {
  return { id: printId(id, account), fqdn, domain_id: printId(domainId, account) };
}

function domainRecord(record: DomainRecord, account: AccountRecord): JsonObject {
  const { legacy } = account.server;
  return {
    id: printId(record.id, account),
    fqdn: record.fqdn,
    date_add: printDateTime(account.zone.toWall(record.addedAt)),
    auto_renew: printFlag(record.autoRenew, account),
    date_register: record.registeredDay === undefined ? null : printDate(record.registeredDay * day),
    date_expire: record.expiresDay === undefined ? (legacy ? 0 : null) : printDate(record.expiresDay * day),
    can_renew: legacy ? '0' : null,
    registrar: record.registrar,
    registrar_status: record.status,
    register_order_status: record.underControl ? 'FINISH' : null,
    register_order_comment: record.underControl ? null : '',
    renew_order_status: record.renewal ?? (legacy ? '0' : null),
    is_under_control: record.underControl ? 1 : 0,
  };
}
