import type { JsonObject } from '../json.ts';
import {
  addSubdomain,
  changePhpVersion,
  deleteSubdomain,
  findDomain,
  findName,
  phpVersions,
} from '../state/domains.ts';
import type { AccountState, DomainRecord } from '../state/records.ts';
import { day, printDate, printDateTime } from '../time/zone.ts';
import type { Method, Section } from './method.ts';
import { printFlag, printId } from './scalars.ts';

const getList: Method = {
  purpose: 'list domains',
  answer: ({ account }) => account.domains.map((domain) => domainRecord(domain, account)),
};

// Not shown in the specification: every method that names a domain takes fqdn, as those that are shown do.
const specification: Section = {
  getList,
  addSubdomain: {
    purpose: 'add a subdomain; the result is its id',
    parameters: ['fqdn'],
    answer: ({ account, given }) => printId(addSubdomain(account, given.text('fqdn')).id, account),
  },
  deleteSubdomain: {
    purpose: 'delete a subdomain',
    parameters: ['fqdn'],
    answer: ({ account, given }) => {
      deleteSubdomain(account, findName(account, given.text('fqdn')));
      return true;
    },
  },
  getPhpVersion: {
    purpose: 'get the PHP version',
    parameters: ['fqdn'],
    answer: ({ account, given }) => phpOf(account, given.text('fqdn')),
  },
  changePhpVersion: {
    purpose: 'change the PHP version',
    parameters: ['fqdn', 'php_version'],
    answer: ({ account, given }) => {
      changePhpVersion(account, given.text('fqdn'), given.text('php_version'));
      return phpOf(account, given.text('fqdn'));
    },
  },
};

const provider: Section = {
  getList,
  getSubdomainList: {
    purpose: 'list subdomains',
    answer: ({ account }) =>
      account.subdomains.map(({ id, fqdn, domainId }) => ({
        id: printId(id, account),
        fqdn,
        domain_id: printId(domainId, account),
      })),
  },
  addSubdomainVirtual: {
    purpose: 'add a subdomain; the result is its id',
    parameters: ['subdomain', 'domain_id'],
    answer: ({ account, given }) => {
      const { fqdn } = findDomain(account, given.text('domain_id'));
      return printId(addSubdomain(account, `${given.text('subdomain')}.${fqdn}`).id, account);
    },
  },
  deleteSubdomain: {
    purpose: 'delete a subdomain',
    parameters: ['id'],
    answer: ({ account, given }) => {
      deleteSubdomain(account, findDomain(account, given.text('id')));
      return true;
    },
  },
  getPhpVersion: {
    purpose: 'get the PHP version',
    parameters: ['full_fqdn'],
    answer: ({ account, given }) => phpOf(account, given.text('full_fqdn')),
  },
  changePhpVersion: {
    purpose: 'change the PHP version',
    parameters: ['full_fqdn', 'php_version', 'is_cgi?'],
    answer: ({ account, given }) => {
      const cgi = given.has('is_cgi') ? given.flag('is_cgi') : undefined;
      changePhpVersion(account, given.text('full_fqdn'), given.text('php_version'));
      if (cgi !== undefined) {
        findName(account, given.text('full_fqdn')).cgi = cgi;
      }
      return phpOf(account, given.text('full_fqdn'));
    },
  },
};

export const domain = { specification, provider };

function phpOf(account: AccountState, fqdn: string): JsonObject {
  const found = findName(account, fqdn);
  return {
    full_fqdn: found.fqdn,
    php_version: found.phpVersion,
    cgi: found.cgi ? 'enabled' : 'disabled',
    allowed_versions: phpVersions,
  };
}

function domainRecord(record: DomainRecord, account: AccountState): JsonObject {
  const { old } = account.server;
  return {
    id: printId(record.id, account),
    fqdn: record.fqdn,
    date_add: printDateTime(account.zone.toWall(record.addedAt)),
    auto_renew: printFlag(record.autoRenew, account),
    date_register: record.registeredDay === undefined ? null : printDate(record.registeredDay * day),
    date_expire: record.expiresDay === undefined ? (old ? 0 : null) : printDate(record.expiresDay * day),
    can_renew: old ? '0' : null,
    registrar: record.registrar,
    registrar_status: record.status,
    register_order_status: record.underControl ? 'FINISH' : null,
    register_order_comment: record.underControl ? null : '',
    renew_order_status: old ? '0' : null,
    is_under_control: record.underControl ? 1 : 0,
  };
}
