import { databaseLoadHistory, newestComplete } from '../payloads/load-history.ts';
import { sortByLoad } from '../payloads/load-list.ts';
import { defineFanOutCollector } from './collector.ts';
import { databaseLoad, databaseLoadUnit } from './database-load.ts';

export const databaseLoadDetail = defineFanOutCollector({
  name: 'database_load_detail',
  help: 'The hourly and daily load of each database, and its daily size; one call per database.',
  methods: ['stat/getDbLoad'],
  schedule: '1h',
  itemsFrom: databaseLoad,
  labels: ['database'],
  items: (databases) => sortByLoad(databases).map(({ name }) => ({ database: name })),
  fetch: (api, scalars, { database }) =>
    api.call('stat/getDbLoad', databaseLoadHistory(scalars), { db_name: database }),
  metrics: [
    {
      name: 'hosting_database_load_hourly',
      help: `Load of the database in the newest complete hour, in ${databaseLoadUnit}`,
      field: 'hours.cpu_time',
      read: ({ hours }, time) => newestComplete(hours, time)?.value,
    },
    {
      name: 'hosting_database_load_hourly_timestamp_seconds',
      help: 'Start of the hour of hosting_database_load_hourly, in Unix seconds',
      field: 'hours.date',
      read: ({ hours }, time) => newestComplete(hours, time)?.start,
    },
    {
      name: 'hosting_database_load_daily',
      help: `Load of the database in the newest complete day, in ${databaseLoadUnit}`,
      field: 'days.cpu_time',
      read: ({ days }, time) => newestComplete(days, time)?.value,
    },
    {
      name: 'hosting_database_load_daily_timestamp_seconds',
      help: 'Start of the day of hosting_database_load_daily, in Unix seconds',
      field: 'days.date',
      read: ({ days }, time) => newestComplete(days, time)?.start,
    },
    {
      name: 'hosting_database_size_daily_bytes',
      help: 'Size of the database on the newest complete day, in bytes',
      field: 'size_days.size',
      read: ({ sizeDays }, time) => newestComplete(sizeDays, time)?.value,
    },
    {
      name: 'hosting_database_size_daily_timestamp_seconds',
      help: 'Start of the day of hosting_database_size_daily_bytes, in Unix seconds',
      field: 'size_days.date',
      read: ({ sizeDays }, time) => newestComplete(sizeDays, time)?.start,
    },
  ],
});
