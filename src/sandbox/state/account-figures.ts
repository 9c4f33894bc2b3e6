import { bytesAt, segmentAt, valueAt } from '../figures/growth.ts';
import { type ServerHealth, serverHealthAt } from '../figures/server-health.ts';
import type { Moment } from '../time/timeline.ts';
import type { AccountState } from './records.ts';

/** In bytes. Usage does not grow beyond the limit, but a test can set it there. */
export function diskUsageOf(state: AccountState, moment: Moment): number {
  const ceiling = Math.max(state.diskLimit ?? Number.POSITIVE_INFINITY, segmentAt(state.disk, moment.simulated).value);
  return Math.min(bytesAt(state.disk, moment.simulated), ceiling);
}

/** Rounded to hundredths; negative if in debt. */
export function balanceOf(state: AccountState, moment: Moment): number {
  return Math.round(valueAt(state.balance, moment.simulated) * 100) / 100;
}

/** Whole days that the balance pays for. */
export function daysToBlockOf(state: AccountState, moment: Moment): number {
  return Math.max(0, Math.floor(valueAt(state.balance, moment.simulated) / state.dailyCharge));
}

/** Total bytes of all databases. */
export function databasesSizeOf(state: AccountState, moment: Moment): number {
  return state.databases.reduce((sum, database) => sum + bytesAt(database.size, moment.simulated), 0);
}

/** The load average has the precision of a 32-bit float, and two decimals on a legacy server. */
export function serverHealthOf(state: AccountState, moment: Moment): ServerHealth {
  const health = serverHealthAt(state.server.name, state.server.memory, moment.simulated);
  const loadAverage = state.server.legacy ? Number(health.loadAverage.toFixed(2)) : Math.fround(health.loadAverage);
  return { ...health, loadAverage };
}
