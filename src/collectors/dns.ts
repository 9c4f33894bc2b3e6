import { domainToASCII } from 'node:url';
import { dnsZone } from '../payloads/dns-zone.ts';
import { defineCollector } from './collector.ts';
import { domains } from './domains.ts';

export const dns = defineCollector({
  name: 'dns',
  help: 'The number of DNS records of each domain by type; one call per domain.',
  methods: ['dns/getData'],
  schedule: '1d',
  offByDefault: true,
  itemsFrom: domains,
  labels: ['domain'],
  items: ({ domains }) => domains.map(({ fqdn }) => ({ domain: fqdn })),
  fetch: (api, { domain }) => api.call('dns/getData', dnsZone, { fqdn: domainToASCII(domain) }),
  metrics: [
    {
      name: 'hosting_domain_dns_records',
      help: 'Number of DNS records of the domain by record type; missing for types without records',
      field: 'records',
      labels: ['type'],
      requiresCompleteList: true,
      read: (zone) => zone.map(({ type, count }) => [{ type }, count]),
    },
  ],
});
