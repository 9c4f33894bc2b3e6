import { databaseLoadList } from '../payloads/load-list.ts';
import { defineCollector } from './collector.ts';

/** What the load of databases is counted in. */
export const databasePoints =
  "the provider's points for databases, which are not documented; never to be added to the load of sites, which has another unit";

export const databaseLoad = defineCollector({
  name: 'database_load',
  help: 'The mean load of each database over the last month.',
  methods: ['stat/getDbListLoad'],
  schedule: '1h',
  fetch: (api, scalars) => api.call('stat/getDbListLoad', databaseLoadList(scalars)),
  metrics: [
    {
      name: 'hosting_database_load_average',
      help: `Mean load of the database over the last month, in ${databasePoints}`,
      field: 'cp|load',
      labels: ['database'],
      read: (databases) => databases.map(({ name, load }) => [{ database: name }, load]),
    },
  ],
});
