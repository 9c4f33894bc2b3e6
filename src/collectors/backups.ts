import { type BackupJob, backupJobList } from '../payloads/backup-job-list.ts';
import { backupContents, backupList, newestOf } from '../payloads/backup-list.ts';
import { defineCollector } from './collector.ts';

/** The methods that list the backups, first the preferred methods and then their alternatives. */
const listMethods = [
  'backup/getFileBackupList',
  'backup/getMysqlBackupList',
  'backup/getFileList',
  'backup/getMysqlList',
] as const;
const jobLabels = ['operation', 'status'] as const;

export const backups = defineCollector({
  name: 'backups',
  help: 'The number of backups and the date of the newest one, for files and for databases, and the status of requested restores and downloads.',
  methods: [...listMethods, 'backup/getLog'],
  schedule: '1h',
  payloadVersion: 3,
  labels: ['kind'],
  items: () => [{ kind: 'files' }, { kind: 'databases' }],
  fetch: async (api, { kind }) => {
    const type = kind === 'files' ? 'File' : 'Mysql';
    const backups = await api.callIfOffered(`backup/get${type}BackupList`, backupList, undefined, async () => {
      const contents = await api.call(`backup/get${type}List`, backupContents);
      return contents.count === undefined ? undefined : contents;
    });
    const log = await api.callIfOffered('backup/getLog', backupJobList);
    const jobs = log?.filter((job) => job.type.endsWith(`_${type.toLowerCase()}`)) ?? [];
    return { count: backups?.count, newest: backups?.newest, jobs };
  },
  metrics: [
    {
      name: 'hosting_backups',
      help: 'Number of backups of files or databases that can be restored; missing if the API does not list them',
      field: 'number of backups',
      methods: listMethods,
      requiresCompleteList: true,
      read: ({ count }) => count,
    },
    {
      name: 'hosting_backup_last_timestamp_seconds',
      help: 'Time of the newest backup of files or databases, in Unix seconds; missing if the API does not list them',
      field: 'date',
      methods: listMethods,
      requiresCompleteList: true,
      read: ({ newest }) => newest && newest / 1000,
    },
    {
      name: 'hosting_backup_jobs',
      help: 'Number of restores and downloads in the log of the provider, by operation and status; the provider documents only the status success',
      field: 'operation, type, status',
      methods: ['backup/getLog'],
      dialect: 'provider',
      labels: jobLabels,
      requiresCompleteList: true,
      read: ({ jobs }) => grouped(jobs).map(([labels, group]) => [labels, group.length]),
    },
    {
      name: 'hosting_backup_job_last_timestamp_seconds',
      help: 'Time at which the newest restore or download with these labels was requested, in Unix seconds',
      field: 'date_create',
      methods: ['backup/getLog'],
      dialect: 'provider',
      labels: jobLabels,
      requiresCompleteList: true,
      read: ({ jobs }) =>
        grouped(jobs).map(([labels, group]) => {
          const newest = newestOf(group.map((job) => job.date_create));
          return [labels, newest && newest / 1000];
        }),
    },
  ],
});

function grouped(jobs: readonly BackupJob[]) {
  const labelsOf = (key: string): Record<'operation' | 'status', string> => JSON.parse(key);
  const groups = Map.groupBy(jobs, ({ operation, status = '' }) => JSON.stringify({ operation, status }));
  return [...groups].map(([key, group]) => [labelsOf(key), group] as const);
}
