import type { Method } from '../api/method.ts';
import { backupContents, backupList } from '../payloads/backup-list.ts';
import { defineFanOutCollector } from './collector.ts';

/** For each kind the method that lists its backups, and the one to ask where the API does not know that. */
const methods: Readonly<Record<'files' | 'databases', readonly [Method, Method]>> = {
  files: ['backup/getFileBackupList', 'backup/getFileList'],
  databases: ['backup/getMysqlBackupList', 'backup/getMysqlList'],
};

export const backups = defineFanOutCollector({
  name: 'backups',
  help: 'The number of backups and the date of the newest, of files and of databases.',
  methods: ['backup/getFileBackupList', 'backup/getMysqlBackupList', 'backup/getFileList', 'backup/getMysqlList'],
  schedule: '1h',
  labels: ['kind'],
  items: () => [{ kind: 'files' }, { kind: 'databases' }],
  fetch: (api, scalars, { kind }) => {
    const [list, contents] = kind === 'files' ? methods.files : methods.databases;
    return api.callFirst([
      [list, backupList(scalars)],
      [contents, backupContents(scalars)],
    ]);
  },
  metrics: [
    {
      name: 'hosting_backups',
      help: 'Number of backups of files or databases that can be restored; missing where the API does not list them',
      field: 'the list',
      dialect: 'provider',
      requiresCompleteList: true,
      read: ({ count }) => count,
    },
    {
      name: 'hosting_backup_last_timestamp_seconds',
      help: 'When the newest backup of files or databases was made, in unix seconds; missing where the API does not list them',
      field: 'date',
      dialect: 'provider',
      requiresCompleteList: true,
      read: ({ newest }) => (newest === undefined ? undefined : newest / 1000),
    },
  ],
});
