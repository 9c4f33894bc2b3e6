import type { Json, JsonObject } from '../json.ts';
import { findDomain } from '../state/domains.ts';
import type { AccountState, SiteRecord } from '../state/records.ts';
import { addSite, deleteSite, findSite, linkDomain, unlinkDomain } from '../state/sites.ts';
import type { Call, Method, Section } from './method.ts';
import { printId } from './scalars.ts';

const add: Method = {
  purpose: 'add a site; the result is its id',
  parameters: ['name'],
  answer: ({ account, moment, given }) => printId(addSite(account, moment, given.text('name')).id, account),
};

const remove: Method = {
  purpose: 'delete a site',
  parameters: ['id'],
  answer: ({ account, moment, given }) => {
    deleteSite(account, moment, given.text('id'));
    return true;
  },
};

// Not shown in the specification: name and id, which are the provider's; and is_frozen of the list, since there is no method that tells it.
const specification: Section = {
  getList: {
    purpose: 'list sites',
    answer: ({ account }) =>
      account.sites.map((site) => ({ ...siteRecord(site, account), is_frozen: site.frozen ? 1 : 0 })),
  },
  add,
  delete: remove,
  freeze: { purpose: 'freeze a site', parameters: ['id'], answer: (call) => setFrozen(call, true) },
  unfreeze: { purpose: 'unfreeze a site', parameters: ['id'], answer: (call) => setFrozen(call, false) },
};

const provider: Section = {
  getList: {
    purpose: 'list sites',
    answer: ({ account }) => account.sites.map((site) => siteRecord(site, account)),
  },
  add,
  delete: remove,
  freeze: { purpose: 'freeze a site', parameters: ['id', 'excludedPaths?'], answer: (call) => setFrozen(call, true) },
  unfreeze: { purpose: 'unfreeze a site', parameters: ['id'], answer: (call) => setFrozen(call, false) },
  isSiteFrozen: {
    purpose: 'tell whether a site is frozen',
    parameters: ['site_id'],
    answer: ({ account, given }) => findSite(account, given.text('site_id')).frozen,
  },
  linkDomain: {
    purpose: 'show a site under a domain',
    parameters: ['domain_id', 'site_id'],
    answer: ({ account, given }) => {
      linkDomain(account, findSite(account, given.text('site_id')), given.text('domain_id'));
      return true;
    },
  },
  unlinkDomain: {
    purpose: 'show no site under a domain',
    parameters: ['domain_id'],
    answer: ({ account, given }) => {
      unlinkDomain(account, given.text('domain_id'));
      return true;
    },
  },
};

export const site = { specification, provider };

function setFrozen({ account, given }: Call, frozen: boolean): boolean {
  findSite(account, given.text('id')).frozen = frozen;
  return true;
}

function siteRecord(record: SiteRecord, account: AccountState): JsonObject {
  return {
    id: printId(record.id, account),
    path: `${record.name}/public_html`,
    domains: record.domainIds.map((id) => linkedDomain(id, account)),
  };
}

function linkedDomain(id: number, account: AccountState): Json {
  const domain = findDomain(account, String(id));
  return {
    id: printId(domain.id, account),
    fqdn: domain.fqdn,
    php_version: domain.phpVersion,
    http_version: 2,
    ssl: domain.ssl,
    ssl_status: domain.ssl ? 'wle_set' : null,
    nginx_template: 'default',
    redis_session: false,
  };
}
