import type { Json, JsonObject } from '../json.ts';
import { findDomain } from '../state/domains.ts';
import type { AccountRecord, SiteRecord } from '../state/records.ts';
import { addSite, deleteSite, findSite, linkDomain, unlinkDomain } from '../state/sites.ts';
import { type Call, change, printId, read, type SandboxSection } from './method.ts';

const remove = change('delete a site', ['id'], ({ account, moment }, id) => deleteSite(account, moment, id));
const unfreeze = change('unfreeze a site', ['id'], (call, id) => setFrozen(call, id, false));

// The specification does not define the parameters name and id, so both follow the provider. getList reports is_frozen, because no
// other method of the specification reports whether a site is frozen.
const specification: SandboxSection = {
  getList: read('list sites', [], ({ account }) =>
    account.sites.map((site) => ({ ...siteRecord(site, account), is_frozen: site.frozen ? 1 : 0 })),
  ),
  add: read('add a site; the result contains its id', ['name'], (call, name) => ({ id: addedSite(call, name) })),
  delete: remove,
  freeze: change('freeze a site', ['id'], (call, id) => setFrozen(call, id, true)),
  unfreeze,
};

const provider: SandboxSection = {
  getList: read('list sites', [], ({ account }) => account.sites.map((site) => siteRecord(site, account))),
  add: read('add a site; the result is its id', ['name'], addedSite),
  delete: remove,
  freeze: change('freeze a site except for the excluded paths', ['id', 'excludedPaths?'], (call, id) =>
    setFrozen(call, id, true, call.args.isEmptyList('excludedPaths') ? [] : call.args.texts('excludedPaths')),
  ),
  unfreeze,
  isSiteFrozen: read('show whether a site is frozen', ['site_id'], ({ account }, id) => findSite(account, id).frozen),
  linkDomain: change('link a domain to a site', ['domain_id', 'site_id'], ({ account }, domainId, siteId) =>
    linkDomain(account, findSite(account, siteId), domainId),
  ),
  unlinkDomain: change('unlink a domain from its site', ['domain_id'], ({ account }, domainId) =>
    unlinkDomain(account, domainId),
  ),
};

export const site = { specification, provider };

function addedSite({ account, moment }: Call, name: string): string | number {
  return printId(addSite(account, moment, name).id, account);
}

function setFrozen({ account }: Call, id: string, frozen: boolean, excludedPaths: readonly string[] = []): void {
  Object.assign(findSite(account, id), { frozen, excludedPaths });
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
    ssl_status: domain.ssl ? 'wle_set' : 'none',
    nginx_template: 'default',
    redis_session: false,
  };
}
