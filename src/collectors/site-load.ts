import { siteLoadList } from '../payloads/load-list.ts';
import { defineCollector } from './collector.ts';

export const siteLoadUnit = "the provider's undocumented points for sites; never add them to points for databases";

export const siteLoad = defineCollector({
  name: 'site_load',
  help: 'The mean load of each site over the last month.',
  methods: ['stat/getSitesListLoad'],
  schedule: '1h',
  fetch: (api) => api.call('stat/getSitesListLoad', siteLoadList),
  exclude: (list, isExcluded) => list.filter(({ id, name }) => !isExcluded('sites', name, id)),
  metrics: [
    {
      name: 'hosting_site_load_average',
      help: `Mean load of the site over the last month, in ${siteLoadUnit}`,
      field: 'cp|load',
      labels: ['site_id', 'site'],
      read: (sites) => sites.map(({ id, name, load }) => [{ site_id: id, site: name }, load]),
    },
  ],
});
