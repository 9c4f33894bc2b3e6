import { databaseList } from '../payloads/database-list.ts';
import { defineCollector } from './collector.ts';

export const databases = defineCollector({
  name: 'databases',
  help: 'The databases and their sizes.',
  methods: ['mysql/getList'],
  schedule: '15m',
  fetch: (api) => api.call('mysql/getList', databaseList),
  exclude: (list, isExcluded) => list.filter(({ name }) => !isExcluded('databases', name)),
  metrics: [
    {
      name: 'hosting_databases',
      help: 'Number of databases in the list of databases; the number that the plan allows is hosting_account_databases_limit',
      field: 'number of entries',
      requiresCompleteList: true,
      read: (list) => list.length,
    },
    {
      name: 'hosting_database_size_bytes',
      help: 'Size of the database, in bytes',
      field: 'size',
      labels: ['database'],
      read: (list) => list.map(({ name, size }) => [{ database: name }, size]),
    },
    {
      name: 'hosting_database_remote_accesses',
      help: 'Number of hosts other than localhost that may connect to the database',
      field: 'accesses.name',
      dialect: 'provider',
      labels: ['database'],
      requiresCompleteList: true,
      read: (list) => list.map(({ name, remoteAccesses }) => [{ database: name }, remoteAccesses]),
    },
    {
      name: 'hosting_database_info',
      help: 'User of the database, as a label; the value is always 1; missing if the provider does not report the user',
      field: 'user',
      dialect: 'specification',
      labels: ['database', 'user'],
      read: (list) => list.flatMap(({ name, user }) => (user === undefined ? [] : [[{ database: name, user }, 1]])),
    },
  ],
});
