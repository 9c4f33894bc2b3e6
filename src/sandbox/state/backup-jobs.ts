import { type Backup, type BackupKind, backupsAt } from '../figures/backups.ts';
import { requireFound } from '../refusal.ts';
import type { Moment } from '../time/timeline.ts';
import { takeId } from './next-id.ts';
import type { AccountState, BackupJob } from './records.ts';

/** The existing backups, newest first. */
export function backupsOf(state: AccountState, kind: BackupKind, moment: Moment): readonly Backup[] {
  return backupsAt(kind, state.login, moment.instant, state.zone, state.backupsStoppedAt);
}

/** Finds a backup by its id; `latest` is the newest one. */
export function findBackup(state: AccountState, kind: BackupKind, moment: Moment, id: string): Backup {
  const backups = backupsOf(state, kind, moment);
  return requireFound(
    id === 'latest' ? backups[0] : backups.find((backup) => String(backup.id) === id),
    `There is no backup ${id}`,
  );
}

/** Records a requested download or restore for backup/getLog. */
export function recordJob(
  state: AccountState,
  moment: Moment,
  job: Pick<BackupJob, 'operation' | 'kind' | 'targets'>,
): void {
  state.backupJobs.push({ id: takeId(state), createdAt: moment.instant, ...job });
}
