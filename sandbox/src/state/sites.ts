import { loadProfile } from '../figures/load.ts';
import { checkPlanLimit, findById, Refusal } from '../refusal.ts';
import type { SandboxMoment } from '../time/timeline.ts';
import { findDomain } from './domains.ts';
import { isSameName } from './names.ts';
import { type AccountRecord, type SiteRecord, takeId } from './records.ts';

export function findSite(state: AccountRecord, id: string): SiteRecord {
  return findById(state.sites, id, 'site');
}

/** Adds a site with a daily load. If the account has a domain with the same name, links this domain to the site. */
export function addSite(state: AccountRecord, moment: SandboxMoment, name: string, load = 1): SiteRecord {
  if (!/^[\p{L}\p{N}._-]{1,253}$/u.test(name)) {
    throw new Refusal('invalid', 'The name of a site must have 1 to 253 letters, digits, ., _ and -');
  }
  if (state.sites.some((candidate) => isSameName(candidate.name, name))) {
    throw new Refusal('failed', `The site ${name} already exists`);
  }
  checkPlanLimit(state.plan.sites, state.sites.length, 'sites');
  const site: SiteRecord = {
    id: takeId(state),
    name,
    createdAt: moment.instant,
    frozen: false,
    excludedPaths: [],
    domainIds: [],
    load: loadProfile(`${state.login}/site/${name}`, load, { since: moment.simulated }),
  };
  state.sites.push(site);
  const domain = [...state.domains, ...state.subdomains].find((candidate) => isSameName(candidate.fqdn, name));
  if (domain !== undefined) {
    linkDomain(state, site, String(domain.id));
  }
  return site;
}

/** Deletes a site with its files. Its domains remain, without a link to a site. */
export function deleteSite(state: AccountRecord, moment: SandboxMoment, id: string): void {
  const site = findSite(state, id);
  state.sites.splice(state.sites.indexOf(site), 1);
  state.deletedSites.push({ item: site, deletedAt: moment.instant });
}

/** Recreates a deleted site with a new load history. Links its domains, except deleted domains and domains of another site. */
export function restoreSite(state: AccountRecord, moment: SandboxMoment, site: SiteRecord): void {
  const taken = new Set(state.sites.flatMap((other) => other.domainIds));
  const present = new Set([...state.domains, ...state.subdomains].map(({ id }) => id));
  state.sites.push({
    ...site,
    createdAt: moment.instant,
    domainIds: site.domainIds.filter((id) => present.has(id) && !taken.has(id)),
    load: { ...site.load, since: moment.simulated },
  });
}

/** Links a domain to a site and removes the domain's previous link. */
export function linkDomain(state: AccountRecord, site: SiteRecord, domainId: string): void {
  const { id } = findDomain(state, domainId);
  unlinkDomain(state, domainId);
  site.domainIds.push(id);
}

export function unlinkDomain(state: AccountRecord, domainId: string): void {
  const { id } = findDomain(state, domainId);
  for (const site of state.sites) {
    site.domainIds = site.domainIds.filter((linked) => linked !== id);
  }
}
