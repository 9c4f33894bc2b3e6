import { type Backup, type BackupKind, backupsAt } from '../figures/backups.ts';
import { found } from '../refusal.ts';
import type { Moment } from '../time/timeline.ts';
import type { AccountState, BackupJob } from './records.ts';

/** The backups that exist now, newest first. */
export function backupsOf(state: AccountState, kind: BackupKind, moment: Moment): readonly Backup[] {
  return backupsAt(kind, state.login, moment.instant, state.zone, state.backupsStoppedAt);
}

/** By its id, or the newest one by `latest`. */
export function findBackup(state: AccountState, kind: BackupKind, moment: Moment, id: string): Backup {
  const backups = backupsOf(state, kind, moment);
  return found(
    id === 'latest' ? backups[0] : backups.find((backup) => String(backup.id) === id),
    `There is no backup ${id}`,
  );
}

/** Writes down what the owner asked for, as backup/getLog shows it. */
export function recordJob(
  state: AccountState,
  moment: Moment,
  job: Pick<BackupJob, 'operation' | 'kind' | 'targets'>,
): void {
  state.backupJobs.push({ id: state.nextId, createdAt: moment.instant, ...job });
  state.nextId += 1;
}
