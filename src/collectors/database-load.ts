import { databaseLoadList } from '../payloads/load-list.ts';
import { defineCollector } from './collector.ts';

export const databaseLoadUnit = "the provider's undocumented points for databases; never add them to points for sites";

export const databaseLoad = defineCollector({
  name: 'database_load',
  help: 'The mean load of each database over the last month.',
  methods: ['stat/getDbListLoad'],
  schedule: '1h',
  fetch: (api) => api.call('stat/getDbListLoad', databaseLoadList),
  exclude: (list, isExcluded) => list.filter(({ name }) => !isExcluded('databases', name)),
  metrics: [
    {
      name: 'hosting_database_load_average',
      help: `Mean load of the database over the last month, in ${databaseLoadUnit}`,
      field: 'cp|load',
      labels: ['database'],
      read: (databases) => databases.map(({ name, load }) => [{ database: name }, load]),
    },
  ],
});
