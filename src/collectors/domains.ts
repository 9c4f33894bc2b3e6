import { domainList } from '../payloads/domain-list.ts';
import { defineCollector } from './collector.ts';

export const domains = defineCollector({
  name: 'domains',
  help: 'The domains, when they expire and whether they are renewed by themselves.',
  methods: ['domain/getList'],
  schedule: '6h',
  fetch: (api, scalars) => api.call('domain/getList', domainList(scalars)),
  metrics: [
    {
      name: 'hosting_domains',
      help: 'Number of domains',
      field: 'the list',
      requiresCompleteList: true,
      read: (list) => new Set(list.map(({ name }) => name)).size,
    },
    {
      name: 'hosting_domain_expiry_timestamp_seconds',
      help: 'When the registration of the domain expires, in unix seconds; missing where the provider gives no date',
      field: 'date_expire',
      labels: ['domain'],
      smallestFirst: true,
      read: (list) =>
        list.map(({ name, expiry }) => [{ domain: name }, expiry === undefined ? undefined : expiry / 1000]),
    },
    {
      name: 'hosting_domain_auto_renew',
      help: 'Whether the provider renews the domain by itself: 1 or 0',
      field: 'auto_renew',
      labels: ['domain'],
      read: (list) =>
        list.map(({ name, autoRenew }) => [
          { domain: name },
          typeof autoRenew === 'boolean' ? Number(autoRenew) : undefined,
        ]),
    },
    {
      name: 'hosting_domain_info',
      help: 'Always 1; the labels name the registrar of the domain and the status there',
      field: 'registrar, registrar_status',
      labels: ['domain', 'registrar', 'status'],
      read: (list) => list.map(({ name, registrar, status }) => [{ domain: name, registrar, status }, 1]),
    },
  ],
});
