import { phpVersion } from '../payloads/php-version.ts';
import { defineCollector } from './collector.ts';
import { domains } from './domains.ts';

export const phpVersions = defineCollector({
  name: 'php_versions',
  help: 'The PHP version of each domain; one call per domain. For domains that are linked to a site, the collector `sites` reports the version with a single call.',
  methods: ['domain/getPhpVersion'],
  schedule: '1d',
  offByDefault: true,
  itemsFrom: domains,
  labels: ['domain'],
  items: ({ domains }) => domains.map(({ fqdn }) => ({ domain: fqdn })),
  fetch: (api, { domain }) => api.call('domain/getPhpVersion', phpVersion, { full_fqdn: domain, fqdn: domain }),
  metrics: [
    {
      name: 'hosting_domain_php_info',
      help: 'PHP version of the domain, as a label; the value is always 1',
      field: 'php_version',
      labels: ['version'],
      read: ({ php_version }) => [[{ version: php_version }, 1]],
    },
  ],
});
