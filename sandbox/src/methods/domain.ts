import type { JsonObject } from '../json.ts';
import { findById, Refusal } from '../refusal.ts';
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
import { day, printDate, printDateTime } from '../time/zone.ts';
import type { CallArguments } from './call-arguments.ts';
import { type Call, change, printFlag, printId, read, type SandboxSection } from './method.ts';

/** The top-level domains of the demo accounts' domains. Prices are per year. Periods are in years. */
const topLevelZones = [
  {
    id: 1,
    name: 'example',
    price: 189,
    renewalPrice: 239,
    isIdn: false,
    isNational: false,
    minPeriod: 1,
    maxPeriod: 10,
  },
  {
    id: 2,
    name: 'испытание',
    price: 169,
    renewalPrice: 199,
    isIdn: true,
    isNational: true,
    minPeriod: 1,
    maxPeriod: 1,
  },
];

type TopLevelZone = (typeof topLevelZones)[number];

// Some methods have no parameters in the specification. In the sandbox, these methods identify a domain by fqdn, as the other methods do.
// getList lists domains and subdomains, because no method of the specification lists only subdomains.
const specification: SandboxSection = {
  getList: read('list domains and subdomains', [], ({ account }) => [
    ...account.domains.map((domain) => ({ ...domainRecord(domain, account), is_subdomain: 0 })),
    ...account.subdomains.map((subdomain) => ({ ...subdomainRecord(subdomain, account), is_subdomain: 1 })),
  ]),
  addSubdomain: read('add a subdomain; the result contains its id', ['fqdn'], ({ account }, fqdn) => ({
    id: printId(addSubdomain(account, fqdn).id, account),
  })),
  deleteSubdomain: change('delete a subdomain', ['fqdn'], ({ account }, fqdn) =>
    deleteSubdomain(account, findName(account, fqdn)),
  ),
  getPhpVersion: read('get the PHP version', ['fqdn'], ({ account }, fqdn) => phpVersionInfo(account, fqdn)),
  changePhpVersion: read('change the PHP version', ['fqdn', 'php_version'], ({ account }, fqdn, version) => {
    changePhpVersion(account, fqdn, version);
    return phpVersionInfo(account, fqdn);
  }),
};

const provider: SandboxSection = {
  getList: read('list domains', [], ({ account }) => account.domains.map((domain) => domainRecord(domain, account))),
  getZoneList: read('list the top-level domains with their prices', [], ({ account }) =>
    Object.fromEntries(topLevelZones.map((zone) => [zone.name, topLevelZoneRecord(zone, account)])),
  ),
  addVirtual: read(
    'add a domain; the result is its id',
    ['hostname', 'zone_id'],
    ({ account, moment }, hostname, zoneId) =>
      printId(addDomain(account, moment, `${hostname}.${findById(topLevelZones, zoneId, 'zone').name}`).id, account),
  ),
  delete: change('delete a domain and its subdomains', ['id'], ({ account }, id) => deleteDomain(account, id)),
  checkDomainToRegister: read(
    'show whether a domain can be registered, and its price',
    ['hostname', 'zone_id', 'period[]'],
    registrationOffer,
  ),
  getSubdomainList: read('list subdomains', [], ({ account }) =>
    account.subdomains.map((subdomain) => subdomainRecord(subdomain, account)),
  ),
  addSubdomainVirtual: read(
    'add a subdomain; the result is its id',
    ['subdomain', 'domain_id'],
    ({ account }, subdomain, domainId) =>
      printId(addSubdomain(account, `${subdomain}.${findDomain(account, domainId).fqdn}`).id, account),
  ),
  deleteSubdomain: change('delete a subdomain', ['id'], ({ account }, id) =>
    deleteSubdomain(account, findDomain(account, id)),
  ),
  getPhpVersion: read('get the PHP version', ['full_fqdn'], ({ account }, fqdn) => phpVersionInfo(account, fqdn)),
  changePhpVersion: read(
    'change the PHP version',
    ['full_fqdn', 'php_version', 'is_cgi?'],
    ({ account, args }, fqdn, version) => {
      const cgi = args.has('is_cgi') && args.flag('is_cgi');
      changePhpVersion(account, fqdn, version);
      findName(account, fqdn).cgi = cgi;
      const { full_fqdn = '', php_version = '', cgi: state = '' } = phpVersionInfo(account, fqdn);
      return { full_fqdn, result: 'changes will take effect in some time', php_version, cgi: state };
    },
  ),
  getDirectives: read('list the directives of a domain', ['full_fqdn'], ({ account }, fqdn) =>
    findName(account, fqdn).directives.map((one) => ({ ...one })),
  ),
  addDirectives: change('add directives of a domain', ['full_fqdn', 'directives_list[]'], ({ account, args }, fqdn) => {
    const domain = findName(account, fqdn);
    domain.directives = [...domain.directives, ...directivesFrom(args)];
  }),
  removeDirectives: change(
    'remove directives of a domain',
    ['full_fqdn', 'directives_list[]'],
    ({ account, args }, fqdn) => {
      const domain = findName(account, fqdn);
      const removed = directivesFrom(args);
      const isRemoved = (one: Directive) => removed.some(({ name, value }) => one.name === name && one.value === value);
      domain.directives = domain.directives.filter((one) => !isRemoved(one));
    },
  ),
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

function registrationOffer({ account, moment, args }: Call, hostname: string, zoneId: string): JsonObject {
  const { name, price, minPeriod, maxPeriod } = findById(topLevelZones, zoneId, 'zone');
  const isInAccount = hasName(account, `${hostname}.${name}`);
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
