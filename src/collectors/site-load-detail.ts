import { newestComplete, siteLoadHistory } from '../payloads/load-history.ts';
import { biggestFirst } from '../payloads/load-list.ts';
import { defineFanOutCollector } from './collector.ts';
import { siteLoad, sitePoints } from './site-load.ts';

export const siteLoadDetail = defineFanOutCollector({
  name: 'site_load_detail',
  help: 'The load of each site by the hour and by the day; one call a site.',
  methods: ['stat/getSiteLoad'],
  schedule: '1h',
  itemsFrom: siteLoad,
  labels: ['site_id', 'site'],
  items: (sites) => biggestFirst(sites).map(({ id, name }) => ({ site_id: id, site: name })),
  fetch: (api, scalars, { site_id }) => api.call('stat/getSiteLoad', siteLoadHistory(scalars), { site_id }),
  metrics: [
    {
      name: 'hosting_site_load_hourly',
      help: `Load of the site in the newest complete hour, in ${sitePoints}`,
      field: 'hours.value',
      read: ({ hours }, time) => newestComplete(hours, time)?.value,
    },
    {
      name: 'hosting_site_load_hourly_timestamp_seconds',
      help: 'When the hour of hosting_site_load_hourly began, in unix seconds',
      field: 'hours.date',
      read: ({ hours }, time) => newestComplete(hours, time)?.began,
    },
    {
      name: 'hosting_site_load_daily',
      help: `Load of the site in the newest complete day, in ${sitePoints}`,
      field: 'days.value',
      read: ({ days }, time) => newestComplete(days, time)?.value,
    },
    {
      name: 'hosting_site_load_daily_timestamp_seconds',
      help: 'When the day of hosting_site_load_daily began, in unix seconds',
      field: 'days.date',
      read: ({ days }, time) => newestComplete(days, time)?.began,
    },
  ],
});
