import { databaseLoadHistory, newestComplete } from '../payloads/load-history.ts';
import { biggestFirst } from '../payloads/load-list.ts';
import { defineFanOutCollector } from './collector.ts';
import { databaseLoad, databasePoints } from './database-load.ts';

export const databaseLoadDetail = defineFanOutCollector({
  name: 'database_load_detail',
  help: 'The load of each database by the hour and by the day, and its size by the day; one call a database.',
  methods: ['stat/getDbLoad'],
  schedule: '1h',
  itemsFrom: databaseLoad,
  labels: ['database'],
  items: (databases) => biggestFirst(databases).map(({ name }) => ({ database: name })),
  fetch: (api, scalars, { database }) =>
    api.call('stat/getDbLoad', databaseLoadHistory(scalars), { db_name: database }),
  metrics: [
    {
      name: 'hosting_database_load_hourly',
      help: `Load of the database in the newest complete hour, in ${databasePoints}`,
      field: 'hours.cpu_time',
      read: ({ hours }, time) => newestComplete(hours, time)?.value,
    },
    {
      name: 'hosting_database_load_hourly_timestamp_seconds',
      help: 'When the hour of hosting_database_load_hourly began, in unix seconds',
      field: 'hours.date',
      read: ({ hours }, time) => newestComplete(hours, time)?.began,
    },
    {
      name: 'hosting_database_load_daily',
      help: `Load of the database in the newest complete day, in ${databasePoints}`,
      field: 'days.cpu_time',
      read: ({ days }, time) => newestComplete(days, time)?.value,
    },
    {
      name: 'hosting_database_load_daily_timestamp_seconds',
      help: 'When the day of hosting_database_load_daily began, in unix seconds',
      field: 'days.date',
      read: ({ days }, time) => newestComplete(days, time)?.began,
    },
    {
      name: 'hosting_database_size_daily_bytes',
      help: 'Size of the database on the newest complete day, in bytes',
      field: 'size_days.size',
      read: ({ sizeDays }, time) => newestComplete(sizeDays, time)?.value,
    },
    {
      name: 'hosting_database_size_daily_timestamp_seconds',
      help: 'When the day of hosting_database_size_daily_bytes began, in unix seconds',
      field: 'size_days.date',
      read: ({ sizeDays }, time) => newestComplete(sizeDays, time)?.began,
    },
  ],
});
