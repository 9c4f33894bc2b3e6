import type { JsonObject } from '../json.ts';
import {
  addSubdomain,
  changePhpVersion,
  deleteSubdomain,
  findDomain,
  findName,
  phpVersions,
} from '../state/domains.ts';
import type { AccountRecord, DomainRecord, SubdomainRecord } from '../state/records.ts';
import { day, printDate, printDateTime } from '../time/zone.ts';
import { printFlag, printId, type SandboxSection, type SpecificationSection } from './method.ts';

// The specification defines the parameters of only some methods. They identify a domain by fqdn, so the sandbox lets the other methods do the same. No method of the specification lists only subdomains, so getList lists domains and subdomains.
const specification: SpecificationSection = {
  getList: {
    purpose: 'list domains and subdomains',
    answer: ({ account }) => [
      ...account.domains.map((domain) => ({ ...domainRecord(domain, account), is_subdomain: 0 })),
      ...account.subdomains.map((subdomain) => ({ ...subdomainRecord(subdomain, account), is_subdomain: 1 })),
    ],
  },
  addSubdomain: {
    purpose: 'add a subdomain; the result holds its id',
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
      const cgi = args.has('is_cgi') ? args.flag('is_cgi') : undefined;
      changePhpVersion(account, args.text('full_fqdn'), args.text('php_version'));
      if (cgi !== undefined) {
        findName(account, args.text('full_fqdn')).cgi = cgi;
      }
      return phpVersionInfo(account, args.text('full_fqdn'));
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
    renew_order_status: legacy ? '0' : null,
    is_under_control: record.underControl ? 1 : 0,
  };
}
