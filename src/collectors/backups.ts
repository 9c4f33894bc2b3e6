import type { Method } from '../api/method.ts';
import { backupContents, backupList } from '../payloads/backup-list.ts';
import { defineCollector } from './collector.ts';

/** For each kind of backups, the method that lists the backups, and the method to call if the API does not offer that method. */
const methods: Readonly<Record<'files' | 'databases', readonly [Method, Method]>> = {
  files: ['backup/getFileBackupList', 'backup/getFileList'],
  databases: ['backup/getMysqlBackupList', 'backup/getMysqlList'],
};

export const backups = defineCollector({
  name: 'backups',
  help: 'The number of backups and the date of the newest one, for files and for databases.',
  methods: ['backup/getFileBackupList', 'backup/getMysqlBackupList', 'backup/getFileList', 'backup/getMysqlList'],
  schedule: '1h',
  labels: ['kind'],
  items: () => [{ kind: 'files' }, { kind: 'databases' }],
  payloads: [backupList, backupContents],
  fetch: (api, { kind }) => {
    const [listMethod, contentsMethod] = kind === 'files' ? methods.files : methods.databases;
    return api.callFirst(
      [
        [listMethod, backupList],
        [contentsMethod, backupContents],
      ],
      ({ count }) => count !== undefined,
    );
  },
  metrics: [
    {
      name: 'hosting_backups',
      help: 'Number of backups of files or databases that can be restored; missing if the API does not list them',
      field: 'number of backups',
      requiresCompleteList: true,
      read: ({ count }) => count,
    },
    {
      name: 'hosting_backup_last_timestamp_seconds',
      help: 'Time of the newest backup of files or databases, in Unix seconds; missing if the API does not list them',
      field: 'date',
      requiresCompleteList: true,
      read: ({ newest }) => (newest === undefined ? undefined : newest / 1000),
    },
  ],
});
