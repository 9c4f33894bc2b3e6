import { databaseLoadHistory, newestComplete } from '../payloads/load-history.ts';
import { sortByLoad } from '../payloads/load-list.ts';
import { defineCollector } from './collector.ts';
import { databaseLoad, databaseLoadUnit } from './database-load.ts';

export const databaseLoadDetail = defineCollector({
  name: 'database_load_detail',
  help: 'The hourly and daily load of each database, and its daily size; one call per database.',
  methods: ['stat/getDbLoad'],
  schedule: '1h',
  itemsFrom: databaseLoad,
  labels: ['database'],
  items: (databases) => sortByLoad(databases).map(({ name }) => ({ database: name })),
  fetch: (api, { database }) => api.call('stat/getDbLoad', databaseLoadHistory, { db_name: database }),
  metrics: [
    {
      name: 'hosting_database_load_hourly',
      help: `Load of the database in the newest hour that ended at least settling_time ago, in ${databaseLoadUnit}`,
      field: 'hours.cpu_time',
      read: ({ hours }, { settled }) => newestComplete(hours, settled)?.value,
    },
    {
      name: 'hosting_database_load_hourly_timestamp_seconds',
      help: 'Start of the hour of hosting_database_load_hourly, in Unix seconds',
      field: 'hours.date',
      read: ({ hours }, { settled }) => newestComplete(hours, settled)?.start,
    },
    {
      name: 'hosting_database_load_daily',
      help: `Load of the database in the newest day that ended at least settling_time ago, in ${databaseLoadUnit}`,
      field: 'days.cpu_time',
      read: ({ days }, { settled }) => newestComplete(days, settled)?.value,
    },
    {
      name: 'hosting_database_load_daily_timestamp_seconds',
      help: 'Start of the day of hosting_database_load_daily, in Unix seconds',
      field: 'days.date',
      read: ({ days }, { settled }) => newestComplete(days, settled)?.start,
    },
    {
      name: 'hosting_database_size_daily_bytes',
      help: 'Size of the database on the newest day that ended at least settling_time ago, in bytes',
      field: 'size_days.size',
      read: ({ sizeDays }, { settled }) => newestComplete(sizeDays, settled)?.value,
    },
    {
      name: 'hosting_database_size_daily_timestamp_seconds',
      help: 'Start of the day of hosting_database_size_daily_bytes, in Unix seconds',
      field: 'size_days.date',
      read: ({ sizeDays }, { settled }) => newestComplete(sizeDays, settled)?.start,
    },
  ],
});
