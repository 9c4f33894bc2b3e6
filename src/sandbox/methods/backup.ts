import type { Backup, BackupKind } from '../figures/backups.ts';
import type { Json, JsonObject } from '../json.ts';
import { Refusal, requireFound } from '../refusal.ts';
import { backupsOf, findBackup, recordJob } from '../state/backup-jobs.ts';
import { databasesAt, findDatabaseAt, restoreDatabase } from '../state/databases.ts';
import { checkFile, filesAt, restoreFiles } from '../state/files.ts';
import { printDateTime } from '../time/zone.ts';
import type { Call, SandboxSection, SpecificationSection } from './method.ts';

// The specification has no method that lists backups. It defines neither the payloads of getFileList and getMysqlList nor the parameters of
// restoreFile. In the sandbox, both lists cover all backups, and each entry names its backup. A call can select one backup with backup_id.
// Unlike the provider's dialect, this dialect accepts `latest` as backup_id.
const specification: SpecificationSection = {
  getFileList: {
    purpose: 'list files in a backup; without backup_id, in every backup that has the path',
    parameters: ['backup_id?', 'path?'],
    answer: (call) => fromBackups(call, 'files', ({ instant }) => fileRecords(call, instant)),
  },
  getMysqlList: {
    purpose: 'list databases in a backup; without backup_id, in every backup',
    parameters: ['backup_id?'],
    answer: (call) =>
      fromBackups(call, 'databases', ({ instant }) => databasesAt(call.account, instant).map(({ name }) => ({ name }))),
  },
  restoreFile: {
    purpose: 'restore a file from a backup',
    parameters: ['backup_id', 'path'],
    change: (call) => restoreSelectedFiles(call, selectedOrLatest(call, 'files'), [call.args.text('path')]),
  },
  restoreMysql: {
    purpose: 'restore a database from a backup',
    parameters: ['db_name', 'backup_id'],
    change: (call) => restoreSelectedDatabases(call, selectedOrLatest(call, 'databases'), [call.args.text('db_name')]),
  },
};

const provider: SandboxSection = {
  getFileBackupList: { purpose: 'list backups of files', answer: (call) => backupList(call, 'files') },
  getMysqlBackupList: { purpose: 'list backups of databases', answer: (call) => backupList(call, 'databases') },
  getFileList: {
    purpose: 'list files in a backup; without backup_id, the current files',
    parameters: ['backup_id?', 'path?'],
    answer: (call) => fileRecords(call, selectedInstant(call, 'files')),
  },
  getMysqlList: {
    purpose: 'list databases in a backup; without backup_id, the current databases',
    parameters: ['backup_id?'],
    answer: (call) => databasesAt(call.account, selectedInstant(call, 'databases')).map((database) => database.name),
  },
  restoreFile: {
    purpose: 'restore files from a backup',
    parameters: ['backup_id', 'paths'],
    change: (call) => restoreSelectedFiles(call, selectedBackup(call, 'files'), call.args.texts('paths')),
  },
  restoreMysql: {
    purpose: 'restore databases from a backup',
    parameters: ['backup_id', 'bases'],
    change: (call) => restoreSelectedDatabases(call, selectedBackup(call, 'databases'), call.args.texts('bases')),
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
        status: job.status,
      })),
  },
};

export const backup = { specification, provider };

/** The entries of the selected backup. Without a selection: the entries of all backups that contain the path. */
function fromBackups(
  call: Call,
  kind: BackupKind,
  entriesOf: (backup: Backup) => readonly JsonObject[],
): readonly JsonObject[] {
  const withBackup = (backup: Backup) =>
    entriesOf(backup).map((entry) => ({
      backup_id: backup.id,
      date: printInstant(backup.instant, call),
      ...entry,
    }));
  if (call.args.has('backup_id')) {
    return withBackup(selectedOrLatest(call, kind));
  }
  const backups = backupsOf(call.account, kind, call.moment);
  const found = backups.flatMap((backup) => {
    try {
      return [withBackup(backup)];
    } catch (error) {
      if (error instanceof Refusal) return [];
      throw error;
    }
  });
  // If no backup contains the path, throw the Refusal of the newest backup.
  return found.length === 0 && backups[0] !== undefined ? withBackup(backups[0]) : found.flat();
}

function fileRecords(call: Call, instant: number): readonly JsonObject[] {
  return filesAt(call.account, call.args.optionalText('path') ?? '/', instant).map((file) => ({
    name: file.name,
    is_dir: file.directory ? 1 : 0,
    mtime: printInstant(file.changedAt, call),
    size: file.size,
  }));
}

function backupList(call: Call, kind: BackupKind): Json {
  return backupsOf(call.account, kind, call.moment).map(({ id, instant }) => ({
    backup_id: id,
    date: printInstant(instant, call),
  }));
}

function restoreSelectedFiles(call: Call, selected: Backup, paths: readonly string[]): void {
  for (const path of paths) {
    restoreFiles(call.account, call.moment, path, call.timeline.at(selected.instant));
  }
  recordJob(call.account, call.moment, { operation: 'restore', kind: 'file', targets: paths });
}

function restoreSelectedDatabases(call: Call, selected: Backup, names: readonly string[]): void {
  for (const name of names) {
    restoreDatabase(call.account, call.moment, name, call.timeline.at(selected.instant));
  }
  recordJob(call.account, call.moment, { operation: 'restore', kind: 'mysql', targets: names });
}

function download(call: Call, kind: 'file' | 'mysql', backupKind: BackupKind, targets: readonly string[]): void {
  const instant = selectedInstant(call, backupKind);
  for (const target of targets) {
    if (kind === 'file') {
      checkFile(call.account, target, instant);
    } else {
      findDatabaseAt(call.account, target, instant);
    }
  }
  recordJob(call.account, call.moment, { operation: 'download', kind, targets });
}

function selectedBackup({ account, moment, args }: Call, kind: BackupKind): Backup {
  return findBackup(account, kind, moment, args.text('backup_id'));
}

function selectedOrLatest(call: Call, kind: BackupKind): Backup {
  const [newest] = backupsOf(call.account, kind, call.moment);
  return call.args.text('backup_id') === 'latest'
    ? requireFound(newest, 'There is no backup')
    : selectedBackup(call, kind);
}

function selectedInstant(call: Call, kind: BackupKind): number {
  return call.args.has('backup_id') ? selectedBackup(call, kind).instant : call.moment.instant;
}

function printInstant(instant: number, { account }: Call): string {
  return printDateTime(account.zone.toWall(instant));
}
