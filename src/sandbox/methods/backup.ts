import type { Backup, BackupKind } from '../figures/backups.ts';
import type { Json } from '../json.ts';
import { backupsOf, findBackup, recordJob } from '../state/backup-jobs.ts';
import { databasesAt, restoreDatabase } from '../state/databases.ts';
import { filesAt, restoreFiles } from '../state/files.ts';
import { printDateTime } from '../time/zone.ts';
import type { Call, Method, Section } from './method.ts';

const getFileList: Method = {
  purpose: 'list files in a backup; without backup_id, the current files',
  parameters: ['backup_id?', 'path?'],
  answer: (call) => {
    const instant = selectedInstant(call, 'files');
    return filesAt(call.account, call.args.optionalText('path') ?? '/', instant).map((file) => ({
      name: file.name,
      is_dir: file.directory ? 1 : 0,
      mtime: printInstant(file.changedAt, call),
      size: file.size,
    }));
  },
};

const getMysqlList: Method = {
  purpose: 'list databases in a backup; without backup_id, the current databases',
  parameters: ['backup_id?'],
  answer: (call) => databasesAt(call.account, selectedInstant(call, 'databases')).map((database) => database.name),
};

// The specification does not define the lists (taken from the provider) or the parameters of restoreFile. Every backup_id may be `latest`.
const specification: Section = {
  getFileList,
  getMysqlList,
  restoreFile: {
    purpose: 'restore a file from a backup',
    parameters: ['backup_id', 'path'],
    change: (call) => restoreSelectedFiles(call, [call.args.text('path')]),
  },
  restoreMysql: {
    purpose: 'restore a database from a backup',
    parameters: ['db_name', 'backup_id'],
    change: (call) => restoreSelectedDatabases(call, [call.args.text('db_name')]),
  },
};

const provider: Section = {
  getFileBackupList: { purpose: 'list backups of files', answer: (call) => backupList(call, 'files') },
  getMysqlBackupList: { purpose: 'list backups of databases', answer: (call) => backupList(call, 'databases') },
  getFileList,
  getMysqlList,
  restoreFile: {
    purpose: 'restore files from a backup',
    parameters: ['backup_id', 'paths'],
    change: (call) => restoreSelectedFiles(call, call.args.texts('paths')),
  },
  restoreMysql: {
    purpose: 'restore databases from a backup',
    parameters: ['backup_id', 'bases'],
    change: (call) => restoreSelectedDatabases(call, call.args.texts('bases')),
  },
  downloadFile: {
    purpose: 'request a download of files from a backup',
    parameters: ['backup_id?', 'paths'],
    change: (call) => download(call, 'file', 'files', call.args.texts('paths')),
  },
  downloadMysql: {
    purpose: 'request a download of databases from a backup',
    parameters: ['backup_id?', 'bases'],
    change: (call) => download(call, 'mysql', 'databases', call.args.texts('bases')),
  },
  getLog: {
    purpose: 'list restores and downloads, newest first',
    answer: (call) =>
      call.account.backupJobs.toReversed().map((job) => ({
        id: job.id,
        operation: job.operation,
        type: `${job.operation}_${job.kind}`,
        date_create: printInstant(job.createdAt, call),
        target_list: job.targets,
        status: 'success',
      })),
  },
};

export const backup = { specification, provider };

function backupList(call: Call, kind: BackupKind): Json {
  return backupsOf(call.account, kind, call.moment).map(({ id, instant }) => ({
    backup_id: id,
    date: printInstant(instant, call),
  }));
}

function restoreSelectedFiles(call: Call, paths: readonly string[]): void {
  const selected = selectedBackup(call, 'files');
  for (const path of paths) {
    restoreFiles(call.account, call.moment, path, call.timeline.at(selected.instant));
  }
  recordJob(call.account, call.moment, { operation: 'restore', kind: 'file', targets: paths });
}

function restoreSelectedDatabases(call: Call, names: readonly string[]): void {
  const selected = selectedBackup(call, 'databases');
  for (const name of names) {
    restoreDatabase(call.account, call.moment, name, call.timeline.at(selected.instant));
  }
  recordJob(call.account, call.moment, { operation: 'restore', kind: 'mysql', targets: names });
}

function download(call: Call, kind: 'file' | 'mysql', backupKind: BackupKind, targets: readonly string[]): void {
  selectedInstant(call, backupKind);
  recordJob(call.account, call.moment, { operation: 'download', kind, targets });
}

function selectedBackup({ account, moment, args }: Call, kind: BackupKind): Backup {
  return findBackup(account, kind, moment, args.text('backup_id'));
}

function selectedInstant(call: Call, kind: BackupKind): number {
  return call.args.has('backup_id') ? selectedBackup(call, kind).instant : call.moment.instant;
}

function printInstant(instant: number, { account }: Call): string {
  return printDateTime(account.zone.toWall(instant));
}
