import { domainList } from '../payloads/domain-list.ts';
import { defineCollector } from './collector.ts';

export const domains = defineCollector({
  name: 'domains',
  help: 'The domains, when they expire and whether the provider renews them automatically.',
  methods: ['domain/getList'],
  schedule: '6h',
  fetch: (api, scalars) => api.call('domain/getList', domainList(scalars)),
  metrics: [
    {
      name: 'hosting_domains',
      help: 'Number of domains in the list of domains, which keeps expired ones; the number counted against the plan is hosting_account_domains_used',
      field: 'number of entries',
      requiresCompleteList: true,
      read: (list) => list.length,
    },
    {
      name: 'hosting_domain_expiry_timestamp_seconds',
      help: 'Time at which the registration of the domain expires, in Unix seconds; missing if the provider reports no date',
      field: 'date_expire',
      labels: ['domain'],
      smallestFirst: true,
      read: (list) =>
        list.map(({ name, expiry }) => [{ domain: name }, expiry === undefined ? undefined : expiry / 1000]),
    },
    {
      name: 'hosting_domain_auto_renew',
      help: 'Whether the provider renews the domain automatically: 1 if it does, 0 if not',
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
      help: 'Registrar of the domain and its status there, as labels; the value is always 1',
      field: 'registrar, registrar_status',
      labels: ['domain', 'registrar', 'status'],
      read: (list) => list.map(({ name, registrar, status }) => [{ domain: name, registrar, status }, 1]),
    },
  ],
});
