import { day, hour, type Zone } from '../time/zone.ts';
import { hashText, noise } from './noise.ts';

export type BackupKind = 'files' | 'databases';

/** One nightly backup. */
export interface Backup {
  readonly id: number;
  readonly instant: number;
}

/**
 * The nightly backups that exist at an instant, newest first: those of the last four nights, and of every third night of the last month.
 * Database backups end some minutes earlier than file backups. There are no backups after `stopped`.
 */
export function backupsAt(
  kind: BackupKind,
  login: string,
  instant: number,
  zone: Zone,
  stopped = Number.POSITIVE_INFINITY,
): readonly Backup[] {
  const seed = hashText(login);
  const today = Math.floor(zone.toWall(instant) / day);
  const backups: Backup[] = [];
  for (let age = 0; age <= 30; age += 1) {
    const night = today - age;
    const files = night * day + hour + Math.floor(noise(seed, night) * 2 * 3600) * 1000;
    const lead = kind === 'files' ? 0 : Math.floor(60 + noise(seed + 1, night) * 600) * 1000;
    const made = zone.toInstant(files - lead);
    if (made <= instant && made <= stopped && (age < 4 || night % 3 === 0)) {
      backups.push({ id: (night * 2 + (kind === 'files' ? 1 : 0)) * 1000 + (seed % 1000), instant: made });
    }
  }
  return backups;
}
