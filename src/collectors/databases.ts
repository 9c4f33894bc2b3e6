import { databaseList } from '../payloads/database-list.ts';
import { defineCollector } from './collector.ts';

export const databases = defineCollector({
  name: 'databases',
  help: 'The databases and their sizes.',
  methods: ['mysql/getList'],
  schedule: '15m',
  fetch: (api, scalars) => api.call('mysql/getList', databaseList(scalars)),
  metrics: [
    {
      name: 'hosting_databases',
      help: 'Number of databases',
      field: 'the list',
      requiresCompleteList: true,
      read: (list) => new Set(list.map(({ name }) => name)).size,
    },
    {
      name: 'hosting_database_size_bytes',
      help: 'Size of the database, in bytes',
      field: 'size',
      labels: ['database'],
      read: (list) => list.map(({ name, size }) => [{ database: name }, size]),
    },
    {
      name: 'hosting_database_info',
      help: 'Always 1; the labels name the user of the database; missing where the provider names none',
      field: 'user',
      dialect: 'specification',
      labels: ['database', 'user'],
      read: (list) =>
        list.flatMap(({ name, user }) => (user === undefined || user === null ? [] : [[{ database: name, user }, 1]])),
    },
  ],
});
