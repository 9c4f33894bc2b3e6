import { domainList, subdomainList } from '../payloads/domain-list.ts';
import { defineCollector } from './collector.ts';

const methods = ['domain/getList', 'domain/getSubdomainList'] as const;

export const domains = defineCollector({
  name: 'domains',
  help: 'The domains, when they expire and whether the provider renews them automatically; the number of subdomains.',
  methods,
  schedule: '6h',
  payloadVersion: 3,
  fetch: async (api) => {
    const list = await api.call('domain/getList', domainList);
    const domains = list.filter(({ is_subdomain }) => is_subdomain !== true);
    // An empty list does not show whether the API includes subdomains in this list.
    const listsSubdomains = list.length > 0 && list.every(({ is_subdomain }) => typeof is_subdomain === 'boolean');
    const subdomains = listsSubdomains
      ? list.filter(({ is_subdomain }) => is_subdomain === true)
      : await api.callIfOffered('domain/getSubdomainList', subdomainList);
    return { domains, subdomains: subdomains?.map(({ fqdn }) => ({ fqdn })) };
  },
  exclude: ({ domains, subdomains }, isExcluded) => ({
    domains: domains.filter(({ fqdn }) => !isExcluded('domains', fqdn)),
    subdomains: subdomains?.filter(({ fqdn }) => !isExcluded('subdomains', fqdn)),
  }),
  metrics: [
    {
      name: 'hosting_domains',
      help: 'Number of domains in the list of domains, including expired domains; the number counted against the plan is hosting_account_domains_used',
      field: 'number of entries',
      requiresCompleteList: true,
      read: ({ domains }) => domains.length,
    },
    {
      name: 'hosting_subdomains',
      help: 'Number of subdomains, which are not counted as domains; missing if the API does not list them',
      field: 'number of entries',
      methods,
      requiresCompleteList: true,
      read: ({ subdomains }) => subdomains?.length,
    },
    {
      name: 'hosting_domain_expiry_timestamp_seconds',
      help: 'Start of the last day on which the domain is registered, in Unix seconds and in the time_zone of the account. Missing if the provider reports no date',
      field: 'date_expire',
      labels: ['domain'],
      smallestFirst: true,
      read: ({ domains }) => domains.map(({ fqdn: domain, date_expire: end }) => [{ domain }, end && end / 1000]),
    },
    {
      name: 'hosting_domain_auto_renew',
      help: 'Whether the provider renews the domain automatically: 1 if it does, 0 if not',
      field: 'auto_renew',
      labels: ['domain'],
      read: ({ domains }) => domains.map(({ fqdn: domain, auto_renew }) => [{ domain }, auto_renew]),
    },
    {
      name: 'hosting_domain_renewal_info',
      help: 'Status of the newest order to renew the domain, as a label: pending, success, error, canceled, delete or another text of the provider; the value is always 1. Missing if no renewal was ordered',
      field: 'renew_order_status',
      labels: ['domain', 'status'],
      read: ({ domains }) =>
        domains.map(({ fqdn: domain, renew_order_status: status = '' }) => [{ domain, status }, status ? 1 : null]),
    },
    {
      name: 'hosting_domain_under_control',
      help: 'Whether the provider manages the registration of the domain: 1 if it does, 0 if not',
      field: 'is_under_control',
      labels: ['domain'],
      read: ({ domains }) => domains.map(({ fqdn: domain, is_under_control }) => [{ domain }, is_under_control]),
    },
    {
      name: 'hosting_domain_info',
      help: 'Registrar of the domain and its status there, as labels; the value is always 1',
      field: 'registrar, registrar_status',
      labels: ['domain', 'registrar', 'status'],
      read: ({ domains }) =>
        domains.map((one) => [
          { domain: one.fqdn, registrar: one.registrar ?? '', status: one.registrar_status ?? '' },
          1,
        ]),
    },
  ],
});
