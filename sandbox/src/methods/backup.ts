import type { Backup, BackupKind } from '../figures/backups.ts';
import type { Json, JsonObject } from '../json.ts';
import { findById, Refusal, requireFound } from '../refusal.ts';
import { backupsOf } from '../state/account-figures.ts';
import { databasesAt, findDatabaseAt, restoreDatabase } from '../state/databases.ts';
import { checkFile, filesAt, restoreFiles } from '../state/files.ts';
import { type BackupJob, takeId } from '../state/records.ts';
import { printDateTime } from '../time/zone.ts';
import { type Call, change, read, type SandboxSection } from './method.ts';

// The specification has no method that lists backups. It defines neither the payloads of getFileList and getMysqlList nor the parameters of
// restoreFile. In the sandbox, both lists cover all backups, and each entry names its backup. A call can select one backup with backup_id.
// Unlike the provider's dialect, this dialect accepts `latest` as backup_id.
const specification: SandboxSection = {
  getFileList: read(
    'list files in a backup; without backup_id, in every backup that has the path',
    ['backup_id?', 'path?'],
    (call) => fromBackups(call, 'files', ({ instant }) => fileRecords(call, instant)),
  ),
  getMysqlList: read('list databases in a backup; without backup_id, in every backup', ['backup_id?'], (call) =>
    fromBackups(call, 'databases', ({ instant }) => databasesAt(call.account, instant).map(({ name }) => ({ name }))),
  ),
  restoreFile: change('restore a file from a backup', ['backup_id', 'path'], (call, id, path) =>
    restore(call, 'file', selectedOrLatest(call, 'files', id), [path]),
  ),
  restoreMysql: change('restore a database from a backup', ['db_name', 'backup_id'], (call, name, id) =>
    restore(call, 'mysql', selectedOrLatest(call, 'databases', id), [name]),
  ),
};

const provider: SandboxSection = {
  getFileBackupList: read('list backups of files', [], (call) => backupList(call, 'files')),
  getMysqlBackupList: read('list backups of databases', [], (call) => backupList(call, 'databases')),
  getFileList: read('list files in a backup; without backup_id, the current files', ['backup_id?', 'path?'], (call) =>
    fileRecords(call, selectedInstant(call, 'files')),
  ),
  getMysqlList: read('list databases in a backup; without backup_id, the current databases', ['backup_id?'], (call) =>
    databasesAt(call.account, selectedInstant(call, 'databases')).map((database) => database.name),
  ),
  restoreFile: change('restore files from a backup', ['backup_id', 'paths[]'], (call, id) =>
    restore(call, 'file', selectedBackup(call, 'files', id), call.args.texts('paths')),
  ),
  restoreMysql: change('restore databases from a backup', ['backup_id', 'bases[]'], (call, id) =>
    restore(call, 'mysql', selectedBackup(call, 'databases', id), call.args.texts('bases')),
  ),
  downloadFile: change('request a download of files from a backup', ['backup_id?', 'paths[]'], (call) => {
    const instant = selectedInstant(call, 'files');
    const targets = call.args.texts('paths');
    for (const path of targets) checkFile(call.account, path, instant);
    recordJob(call, 'download', 'file', targets);
  }),
  downloadMysql: change('request a download of databases from a backup', ['backup_id?', 'bases[]'], (call) => {
    const instant = selectedInstant(call, 'databases');
    const targets = call.args.texts('bases');
    for (const name of targets) findDatabaseAt(call.account, name, instant);
    recordJob(call, 'download', 'mysql', targets);
  }),
  getLog: read('list restores and downloads, newest first', [], (call) =>
    call.account.backupJobs.toReversed().map((job) => ({
      id: job.id,
      operation: job.operation,
      type: `${job.operation}_${job.kind}`,
      date_create: printInstant(job.createdAt, call),
      target_list: job.targets,
      status: job.status,
    })),
  ),
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
    return withBackup(selectedOrLatest(call, kind, call.args.text('backup_id')));
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

function restore(call: Call, kind: 'file' | 'mysql', selected: Backup, targets: readonly string[]): void {
  const { account, moment } = call;
  const restoreOne = kind === 'file' ? restoreFiles : restoreDatabase;
  for (const target of targets) restoreOne(account, moment, target, call.timeline.at(selected.instant));
  recordJob(call, 'restore', kind, targets);
}

function selectedBackup({ account, moment }: Call, kind: BackupKind, id: string): Backup {
  return findById(backupsOf(account, kind, moment), id, 'backup');
}

function selectedOrLatest(call: Call, kind: BackupKind, id: string): Backup {
  const [newest] = backupsOf(call.account, kind, call.moment);
  return id === 'latest' ? requireFound(newest, 'There is no backup') : selectedBackup(call, kind, id);
}

function selectedInstant(call: Call, kind: BackupKind): number {
  const id = call.args.optionalText('backup_id');
  return id === undefined ? call.moment.instant : selectedBackup(call, kind, id).instant;
}

function printInstant(instant: number, { account }: Call): string {
  return printDateTime(account.zone.toWall(instant));
}

/** Adds a requested download or restore to the list of backup/getLog. */
function recordJob(
  { account, moment }: Call,
  operation: BackupJob['operation'],
  kind: BackupJob['kind'],
  targets: readonly string[],
): void {
  const id = takeId(account);
  account.backupJobs.push({ id, createdAt: moment.instant, operation, kind, targets, status: 'success' });
}
