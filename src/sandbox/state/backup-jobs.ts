import { type Backup, type BackupKind, backupsAt } from '../figures/backups.ts';
import { requireFound } from '../refusal.ts';
import type { SandboxMoment } from '../time/timeline.ts';
import { type AccountRecord, type BackupJob, takeId } from './records.ts';

/** The existing backups, newest first. */
export function backupsOf(state: AccountRecord, kind: BackupKind, moment: SandboxMoment): readonly Backup[] {
  return backupsAt(kind, state.login, moment.instant, state.zone, state.backupsStoppedAt);
}

export function findBackup(state: AccountRecord, kind: BackupKind, moment: SandboxMoment, id: string): Backup {
  return requireFound(
    backupsOf(state, kind, moment).find((backup) => String(backup.id) === id),
    `There is no backup ${id}`,
  );
}

/** Adds a requested download or restore to the list of backup/getLog. */
export function recordJob(
  state: AccountRecord,
  moment: SandboxMoment,
  job: Pick<BackupJob, 'operation' | 'kind' | 'targets'>,
): void {
  state.backupJobs.push({ id: takeId(state), createdAt: moment.instant, ...job, status: 'success' });
}
