import { bytesAt, stageAt, valueAt } from '../figures/growth.ts';
import { type ServerHealth, serverHealthAt } from '../figures/server-health.ts';
import type { Moment } from '../time/timeline.ts';
import type { AccountState } from './records.ts';

/** Bytes. Nothing grows past the limit; what was set beyond it stays there. */
export function diskUsageOf(state: AccountState, moment: Moment): number {
  const room = Math.max(state.diskLimit ?? Number.POSITIVE_INFINITY, stageAt(state.disk, moment.lived).value);
  return Math.min(bytesAt(state.disk, moment.lived), room);
}

/** To the hundredth; below zero is debt. */
export function balanceOf(state: AccountState, moment: Moment): number {
  return Math.round(valueAt(state.balance, moment.lived) * 100) / 100;
}

/** Whole days that the balance pays for. */
export function daysToBlockOf(state: AccountState, moment: Moment): number {
  return Math.max(0, Math.floor(valueAt(state.balance, moment.lived) / state.dailyCharge));
}

/** Bytes of all databases together. */
export function databasesSizeOf(state: AccountState, moment: Moment): number {
  return state.databases.reduce((sum, database) => sum + bytesAt(database.size, moment.lived), 0);
}

/** The load average as the dialect prints it: with the noise of a 32-bit float, or two decimals on an old server. */
export function serverHealthOf(state: AccountState, moment: Moment): ServerHealth {
  const health = serverHealthAt(state.server.name, state.server.memory, moment.lived);
  const loadAverage = state.server.old ? Number(health.loadAverage.toFixed(2)) : Math.fround(health.loadAverage);
  return { ...health, loadAverage };
}
