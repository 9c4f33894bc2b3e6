import type { Json, JsonObject } from '../json.ts';
import { findDomain } from '../state/domains.ts';
import type { AccountRecord, SiteRecord } from '../state/records.ts';
import { addSite, deleteSite, findSite, linkDomain, unlinkDomain } from '../state/sites.ts';
import {
  type Call,
  type Change,
  printId,
  type ReadMethod,
  type SandboxSection,
  type SpecificationSection,
} from './method.ts';

const add: ReadMethod<string | number> = {
  purpose: 'add a site; the result is its id',
  parameters: ['name'],
  answer: ({ account, moment, args }) => printId(addSite(account, moment, args.text('name')).id, account),
};

const remove: Change = {
  purpose: 'delete a site',
  parameters: ['id'],
  change: ({ account, moment, args }) => deleteSite(account, moment, args.text('id')),
};

// The specification does not define the parameters name and id, so both follow the provider. getList reports is_frozen, because no
// other method of the specification reports whether a site is frozen.
const specification: SpecificationSection = {
  getList: {
    purpose: 'list sites',
    answer: ({ account }) =>
      account.sites.map((site) => ({ ...siteRecord(site, account), is_frozen: site.frozen ? 1 : 0 })),
  },
  add: {
    ...add,
    purpose: 'add a site; the result contains its id',
    answer: (call) => ({ id: add.answer(call) }),
  },
  delete: remove,
  freeze: { purpose: 'freeze a site', parameters: ['id'], change: (call) => setFrozen(call, true) },
  unfreeze: { purpose: 'unfreeze a site', parameters: ['id'], change: (call) => setFrozen(call, false) },
};

const provider: SandboxSection = {
  getList: {
    purpose: 'list sites',
    answer: ({ account }) => account.sites.map((site) => siteRecord(site, account)),
  },
  add,
  delete: remove,
  freeze: {
    purpose: 'freeze a site except for the excluded paths',
    parameters: ['id', 'excludedPaths?'],
    change: (call) => {
      const { account, args } = call;
      const excludedPaths = args.isEmptyList('excludedPaths') ? [] : args.texts('excludedPaths');
      setFrozen(call, true);
      findSite(account, args.text('id')).excludedPaths = excludedPaths;
    },
  },
  unfreeze: { purpose: 'unfreeze a site', parameters: ['id'], change: (call) => setFrozen(call, false) },
  isSiteFrozen: {
    purpose: 'show whether a site is frozen',
    parameters: ['site_id'],
    answer: ({ account, args }) => findSite(account, args.text('site_id')).frozen,
  },
  linkDomain: {
    purpose: 'link a domain to a site',
    parameters: ['domain_id', 'site_id'],
    change: ({ account, args }) => linkDomain(account, findSite(account, args.text('site_id')), args.text('domain_id')),
  },
  unlinkDomain: {
    purpose: 'unlink a domain from its site',
    parameters: ['domain_id'],
    change: ({ account, args }) => unlinkDomain(account, args.text('domain_id')),
  },
};

export const site = { specification, provider };

function setFrozen({ account, args }: Call, frozen: boolean): void {
  const site = findSite(account, args.text('id'));
  site.frozen = frozen;
  site.excludedPaths = [];
}

function siteRecord(record: SiteRecord, account: AccountRecord): JsonObject {
  return {
    id: printId(record.id, account),
    path: `${record.name}/public_html`,
    domains: record.domainIds.map((id) => linkedDomain(id, account)),
  };
}

function linkedDomain(id: number, account: AccountRecord): Json {
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
