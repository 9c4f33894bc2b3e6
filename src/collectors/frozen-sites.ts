import { frozenState } from '../payloads/frozen-state.ts';
import { defineCollector } from './collector.ts';
import { sites } from './sites.ts';

export const frozenSites = defineCollector({
  name: 'frozen_sites',
  help: 'Whether each site is frozen; one call per site. Makes no calls if the list of sites shows which sites are frozen, as in the dialect of the specification.',
  methods: ['site/isSiteFrozen'],
  schedule: '6h',
  offByDefault: true,
  itemsFrom: sites,
  labels: ['site_id', 'site'],
  items: (list) =>
    list.filter(({ is_frozen }) => typeof is_frozen !== 'boolean').map(({ id, name }) => ({ site_id: id, site: name })),
  fetch: async (api, { site_id }) => ({
    state: await api.callIfOffered('site/isSiteFrozen', frozenState, { site_id }),
  }),
  metrics: [
    {
      name: 'hosting_site_frozen',
      help: 'Whether the site is frozen: 1 if it is, 0 if not; frozen sites cannot be changed',
      field: 'the result',
      dialect: 'provider',
      read: ({ state }) => state?.isFrozen,
    },
  ],
});
