import type { Backup, BackupKind } from '../figures/backups.ts';
import type { Json } from '../json.ts';
import { backupsOf, findBackup, recordJob } from '../state/backup-jobs.ts';
import { databasesAt, restoreDatabase } from '../state/databases.ts';
import { filesAt, restoreFiles } from '../state/files.ts';
import { printDateTime } from '../time/zone.ts';
import type { Call, Method, Section } from './method.ts';

const getFileList: Method = {
  purpose: 'list files in a backup, or the files of now where backup_id is left out',
  parameters: ['backup_id?', 'path?'],
  answer: (call) => {
    const instant = chosenInstant(call, 'files');
    return filesAt(call.account, call.given.optionalText('path') ?? '/', instant).map((file) => ({
      name: file.name,
      is_dir: file.directory ? 1 : 0,
      mtime: printInstant(file.changedAt, call),
      size: file.size,
    }));
  },
};

const getMysqlList: Method = {
  purpose: 'list databases in a backup, or the databases of now where backup_id is left out',
  parameters: ['backup_id?'],
  answer: (call) => databasesAt(call.account, chosenInstant(call, 'databases')).map((database) => database.name),
};

// Not shown in the specification: the lists, which are the provider's; path and backup_id of restoreFile. backup_id may be latest everywhere.
const specification: Section = {
  getFileList,
  getMysqlList,
  restoreFile: {
    purpose: 'restore a file from a backup',
    parameters: ['backup_id', 'path'],
    answer: (call) => restoreChosenFiles(call, [call.given.text('path')]),
  },
  restoreMysql: {
    purpose: 'restore a database from a backup',
    parameters: ['db_name', 'backup_id'],
    answer: (call) => restoreChosenDatabases(call, [call.given.text('db_name')]),
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
    answer: (call) => restoreChosenFiles(call, call.given.texts('paths')),
  },
  restoreMysql: {
    purpose: 'restore databases from a backup',
    parameters: ['backup_id', 'bases'],
    answer: (call) => restoreChosenDatabases(call, call.given.texts('bases')),
  },
  downloadFile: {
    purpose: 'ask for files of a backup',
    parameters: ['backup_id?', 'paths'],
    answer: (call) => download(call, 'file', 'files', call.given.texts('paths')),
  },
  downloadMysql: {
    purpose: 'ask for databases of a backup',
    parameters: ['backup_id?', 'bases'],
    answer: (call) => download(call, 'mysql', 'databases', call.given.texts('bases')),
  },
  getLog: {
    purpose: 'list what was restored and downloaded, newest first',
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
  return backupsOf(call.account, kind, call.moment).map((made) => ({
    backup_id: made.id,
    date: printInstant(made.instant, call),
  }));
}

function restoreChosenFiles(call: Call, paths: readonly string[]): boolean {
  const chosen = chosenBackup(call, 'files');
  for (const path of paths) {
    restoreFiles(call.account, call.moment, path, call.timeline.at(chosen.instant));
  }
  recordJob(call.account, call.moment, { operation: 'restore', kind: 'file', targets: paths });
  return true;
}

function restoreChosenDatabases(call: Call, names: readonly string[]): boolean {
  const chosen = chosenBackup(call, 'databases');
  for (const name of names) {
    restoreDatabase(call.account, call.moment, name, call.timeline.at(chosen.instant));
  }
  recordJob(call.account, call.moment, { operation: 'restore', kind: 'mysql', targets: names });
  return true;
}

function download(call: Call, kind: 'file' | 'mysql', of: BackupKind, targets: readonly string[]): boolean {
  chosenInstant(call, of);
  recordJob(call.account, call.moment, { operation: 'download', kind, targets });
  return true;
}

function chosenBackup({ account, moment, given }: Call, kind: BackupKind): Backup {
  return findBackup(account, kind, moment, given.text('backup_id'));
}

function chosenInstant(call: Call, kind: BackupKind): number {
  return call.given.has('backup_id') ? chosenBackup(call, kind).instant : call.moment.instant;
}

function printInstant(instant: number, { account }: Call): string {
  return printDateTime(account.zone.toWall(instant));
}
