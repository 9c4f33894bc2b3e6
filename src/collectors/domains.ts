import type { Method } from '../api/method.ts';
import { domainList, subdomainList } from '../payloads/domain-list.ts';
import { defineCollector } from './collector.ts';

const fromList: readonly Method[] = ['domain/getList'];

export const domains = defineCollector({
  name: 'domains',
  help: 'The domains, when they expire and whether the provider renews them automatically; the number of subdomains.',
  methods: ['domain/getList', 'domain/getSubdomainList'],
  schedule: '6h',
  payloadVersion: 2,
  fetch: async (api) => {
    const list = await api.call('domain/getList', domainList);
    const domains = list.filter(({ isSubdomain }) => isSubdomain !== true);
    // An empty list does not show whether the API lists subdomains here.
    const listsSubdomains = list.length > 0 && list.every(({ isSubdomain }) => typeof isSubdomain === 'boolean');
    const subdomains = listsSubdomains
      ? list.filter(({ isSubdomain }) => isSubdomain === true)
      : await api.callIfOffered('domain/getSubdomainList', subdomainList);
    return { domains, subdomains: subdomains?.map(({ name }) => ({ name })) };
  },
  exclude: ({ domains, subdomains }, isExcluded) => ({
    domains: domains.filter(({ name }) => !isExcluded('domains', name)),
    subdomains: subdomains?.filter(({ name }) => !isExcluded('subdomains', name)),
  }),
  metrics: [
    {
      name: 'hosting_domains',
      help: 'Number of domains in the list of domains, including expired domains; the number counted against the plan is hosting_account_domains_used',
      field: 'number of entries',
      methods: fromList,
      requiresCompleteList: true,
      read: ({ domains }) => domains.length,
    },
    {
      name: 'hosting_subdomains',
      help: 'Number of subdomains, which are not counted as domains; missing if the API does not list them',
      field: 'number of entries',
      requiresCompleteList: true,
      read: ({ subdomains }) => subdomains?.length,
    },
    {
      name: 'hosting_domain_expiry_timestamp_seconds',
      help: 'Start of the last day on which the domain is registered, in Unix seconds and in the time_zone of the account. Missing if the provider reports no date',
      field: 'date_expire',
      methods: fromList,
      labels: ['domain'],
      smallestFirst: true,
      read: ({ domains }) =>
        domains.map(({ name, expiry }) => [{ domain: name }, expiry === undefined ? undefined : expiry / 1000]),
    },
    {
      name: 'hosting_domain_auto_renew',
      help: 'Whether the provider renews the domain automatically: 1 if it does, 0 if not',
      field: 'auto_renew',
      methods: fromList,
      labels: ['domain'],
      read: ({ domains }) => domains.map(({ name, autoRenew }) => [{ domain: name }, autoRenew]),
    },
    {
      name: 'hosting_domain_renewal_info',
      help: 'Status of the newest order to renew the domain, as a label: pending, success, error, canceled, delete or another text of the provider; the value is always 1. Missing if no renewal was ordered',
      field: 'renew_order_status',
      methods: fromList,
      labels: ['domain', 'status'],
      read: ({ domains }) =>
        domains.map(({ name, renewal = '' }) => [{ domain: name, status: renewal }, renewal === '' ? undefined : 1]),
    },
    {
      name: 'hosting_domain_under_control',
      help: 'Whether the provider manages the registration of the domain: 1 if it does, 0 if not',
      field: 'is_under_control',
      methods: fromList,
      labels: ['domain'],
      read: ({ domains }) => domains.map(({ name, isUnderControl }) => [{ domain: name }, isUnderControl]),
    },
    {
      name: 'hosting_domain_info',
      help: 'Registrar of the domain and its status there, as labels; the value is always 1',
      field: 'registrar, registrar_status',
      methods: fromList,
      labels: ['domain', 'registrar', 'status'],
      read: ({ domains }) => domains.map(({ name, registrar, status }) => [{ domain: name, registrar, status }, 1]),
    },
  ],
});
