import { siteList } from '../payloads/site-list.ts';
import { defineCollector } from './collector.ts';

export const sites = defineCollector({
  name: 'sites',
  help: 'The sites and the domains that are linked to them.',
  methods: ['site/getList'],
  schedule: '30m',
  fetch: (api, scalars) => api.call('site/getList', siteList(scalars)),
  metrics: [
    {
      name: 'hosting_sites',
      help: 'Number of sites',
      field: 'the list',
      requiresCompleteList: true,
      read: (list) => new Set(list.map(({ id }) => id)).size,
    },
    {
      name: 'hosting_site_info',
      help: 'Always 1; the labels name the site',
      field: 'id, name|path',
      labels: ['site_id', 'site'],
      read: (list) => list.map(({ id, name }) => [{ site_id: id, site: name }, 1]),
    },
    {
      name: 'hosting_site_domain_info',
      help: 'Always 1; the labels name a domain that is linked to the site, its PHP version and the state of its certificate',
      field: 'domains.fqdn, domains.php_version, domains.ssl_status',
      labels: ['site_id', 'domain', 'php_version', 'ssl_status'],
      read: (list) =>
        list.flatMap(({ id, domains }) =>
          domains.map(
            ({ name, phpVersion, sslStatus }) =>
              [{ site_id: id, domain: name, php_version: phpVersion, ssl_status: sslStatus }, 1] as const,
          ),
        ),
    },
  ],
});
