import { type Backup, type BackupKind, backupsAt } from '../figures/backups.ts';
import { bytesAt, segmentAt, valueAt } from '../figures/growth.ts';
import { hashText, noise } from '../figures/noise.ts';
import type { SandboxMoment } from '../time/timeline.ts';
import { day, hour } from '../time/zone.ts';
import type { AccountRecord } from './records.ts';

/** The disk usage in bytes. The usage does not grow beyond the quota, but a test can set a higher usage. */
export function diskUsageOf(state: AccountRecord, moment: SandboxMoment): number {
  const ceiling = Math.max(state.diskLimit ?? Number.POSITIVE_INFINITY, segmentAt(state.disk, moment.simulated).value);
  return Math.min(bytesAt(state.disk, moment.simulated), ceiling);
}

/** The balance, rounded to hundredths; negative if the account is in debt. */
export function balanceOf(state: AccountRecord, moment: SandboxMoment): number {
  return Math.round(valueAt(state.balance, moment.simulated) * 100) / 100;
}

/** The number of whole days for which the balance is sufficient. */
export function daysToBlockOf(state: AccountRecord, moment: SandboxMoment): number {
  return Math.max(0, Math.floor(valueAt(state.balance, moment.simulated) / state.dailyCharge));
}

/** Total bytes of all databases. */
export function databasesSizeOf(state: AccountRecord, moment: SandboxMoment): number {
  return state.databases.reduce((sum, database) => sum + bytesAt(database.size, moment.simulated), 0);
}

/**
 * The state of the shared server. Memory is in mebibytes, and uptime is in whole days. The load average is a 32-bit float. On a legacy
 * server, the load average has two decimals.
 */
export function serverHealthOf({ server }: AccountRecord, { simulated }: SandboxMoment) {
  const seed = hashText(server.name);
  const minute = Math.floor(simulated / 60_000);
  const wave = 1 + 0.5 * Math.sin((2 * Math.PI * simulated) / day - Math.PI / 2);
  const loadAverage = (4 + 20 * noise(seed, 0)) * wave * (0.8 + 0.4 * noise(seed + 1, minute));
  return {
    loadAverage: server.legacy ? Number(loadAverage.toFixed(2)) : Math.fround(loadAverage),
    memoryUsed: Math.round(server.memory * (0.04 + 0.03 * noise(seed + 2, Math.floor(simulated / hour)))),
    uptimeDays: Math.floor(simulated / day + noise(seed, 1) * 400) % 400,
  };
}

/** The existing backups, newest first. */
export function backupsOf(state: AccountRecord, kind: BackupKind, moment: SandboxMoment): readonly Backup[] {
  return backupsAt(kind, state.login, moment.instant, state.zone, state.backupsStoppedAt);
}
