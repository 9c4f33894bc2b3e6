import { meanOfDays, newestComplete, siteLoadHistory } from '../payloads/load-history.ts';
import { sortByLoad } from '../payloads/load-list.ts';
import { defineCollector } from './collector.ts';
import { siteLoad, siteLoadUnit } from './site-load.ts';

export const siteLoadDetail = defineCollector({
  name: 'site_load_detail',
  help: 'The hourly and daily load of each site; one call per site.',
  methods: ['stat/getSiteLoad'],
  schedule: '1h',
  itemsFrom: siteLoad,
  labels: ['site_id', 'site'],
  items: (sites) => sortByLoad(sites).map(({ id, name }) => ({ site_id: id, site: name })),
  fetch: (api, { site_id }) => api.call('stat/getSiteLoad', siteLoadHistory, { site_id }),
  metrics: [
    {
      name: 'hosting_site_load_hourly',
      help: `Load of the site in the newest hour that ended at least settling_time ago, in ${siteLoadUnit}`,
      field: 'hours.value',
      read: ({ hours }, { settled }) => newestComplete(hours, settled)?.value,
    },
    {
      name: 'hosting_site_load_hourly_timestamp_seconds',
      help: 'Start of the hour of hosting_site_load_hourly, in Unix seconds',
      field: 'hours.date',
      read: ({ hours }, { settled }) => newestComplete(hours, settled)?.start,
    },
    {
      name: 'hosting_site_load_daily',
      help: `Load of the site in the newest day that ended at least settling_time ago, in ${siteLoadUnit}`,
      field: 'days.value',
      read: ({ days }, { settled }) => newestComplete(days, settled)?.value,
    },
    {
      name: 'hosting_site_load_daily_timestamp_seconds',
      help: 'Start of the day of hosting_site_load_daily, in Unix seconds',
      field: 'days.date',
      read: ({ days }, { settled }) => newestComplete(days, settled)?.start,
    },
    {
      name: 'hosting_site_load_recent_average',
      help: `Mean load of the site in the three days that ended last, at least settling_time ago, in ${siteLoadUnit}; a day without a value counts as 0`,
      field: 'days.value',
      read: ({ days }, { settled }) => meanOfDays(days, settled),
    },
  ],
});
