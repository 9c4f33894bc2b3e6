import { siteList } from '../payloads/site-list.ts';
import { defineCollector } from './collector.ts';

export const sites = defineCollector({
  name: 'sites',
  help: 'The sites and their linked domains.',
  methods: ['site/getList'],
  schedule: '30m',
  payloadVersion: 3,
  fetch: (api) => api.call('site/getList', siteList),
  exclude: (list, isExcluded) =>
    list
      .filter(({ id, name }) => !isExcluded('sites', name, id))
      .map((site) => ({ ...site, domains: site.domains.filter(({ fqdn }) => !isExcluded('domains', fqdn)) })),
  metrics: [
    {
      name: 'hosting_sites',
      help: 'Number of sites in the list of sites; the number counted against the plan is hosting_account_sites_used',
      field: 'number of entries',
      requiresCompleteList: true,
      read: (list) => list.length,
    },
    {
      name: 'hosting_site_info',
      help: 'ID and name of the site, as labels; the value is always 1',
      field: 'id, name|path',
      labels: ['site_id', 'site'],
      read: (list) => list.map(({ id, name }) => [{ site_id: id, site: name }, 1]),
    },
    {
      name: 'hosting_site_frozen',
      help: 'Whether the site is frozen: 1 if it is, 0 if not; frozen sites cannot be changed. If the list of sites lacks this state, the collector frozen_sites reports it',
      field: 'is_frozen',
      dialect: 'specification',
      labels: ['site_id', 'site'],
      read: (list) => list.map(({ id, name, is_frozen }) => [{ site_id: id, site: name }, is_frozen]),
    },
    {
      name: 'hosting_site_domain_info',
      help: 'Domain linked to the site, its PHP version and the status of its free certificate, as labels; the value is always 1',
      field: 'domains.fqdn, domains.php_version, domains.ssl_status',
      labels: ['site_id', 'domain', 'php_version', 'ssl_status'],
      read: (list) =>
        list.flatMap(({ id, domains }) =>
          domains.map(
            ({ fqdn, php_version = '', ssl_status = '' }) =>
              [{ site_id: id, domain: fqdn, php_version, ssl_status }, 1] as const,
          ),
        ),
    },
    {
      name: 'hosting_site_domain_https',
      help: 'Whether HTTPS is on for the domain of a site: 1 if it is, 0 if not; missing if the API does not tell',
      field: 'domains.ssl',
      labels: ['site_id', 'domain'],
      read: (list) =>
        list.flatMap(({ id, domains }) =>
          domains.map(({ fqdn, ssl }) => [{ site_id: id, domain: fqdn }, ssl] as const),
        ),
    },
  ],
});
