import { bytesAt, changeGrowth, segmentAt, startGrowth } from '../figures/growth.ts';
import { loadProfile } from '../figures/load.ts';
import { checkPlanLimit, Refusal, requireFound } from '../refusal.ts';
import type { SandboxMoment } from '../time/timeline.ts';
import type { AccountRecord, DatabaseRecord } from './records.ts';

export function findDatabase(state: AccountRecord, name: string): DatabaseRecord {
  return requireFound(
    state.databases.find((candidate) => candidate.name === name),
    `There is no database ${name}`,
  );
}

/** Adds a database. `size` is in bytes; by default, the database is empty and has 64 kB. `load` is the mean load per day. */
export function addDatabase(
  state: AccountRecord,
  moment: SandboxMoment,
  database: { name: string; password?: string; size?: number; load?: number; user?: string },
): DatabaseRecord {
  const { name, user = name, password = 'initial', size = 64_000, load = 5 } = database;
  if (!/^[\p{L}\p{N}_-]{1,64}$/u.test(name)) {
    throw new Refusal('invalid', 'The name of a database must have 1 to 64 letters, digits, _ and -');
  }
  if (state.databases.some((candidate) => candidate.name === name)) {
    throw new Refusal('failed', `The database ${name} already exists`);
  }
  checkPlanLimit(state.plan.databases, state.databases.length, 'databases');
  const record: DatabaseRecord = {
    name,
    user,
    createdAt: moment.instant,
    size: startGrowth(moment.simulated, size),
    load: loadProfile(`${state.login}/database/${name}`, load, { since: moment.simulated }),
    accesses: new Map([['localhost', password]]),
  };
  state.databases.push(record);
  return record;
}

export function deleteDatabase(state: AccountRecord, moment: SandboxMoment, name: string): void {
  const database = findDatabase(state, name);
  state.databases.splice(state.databases.indexOf(database), 1);
  state.deletedDatabases.push({ item: database, deletedAt: moment.instant });
}

/** The databases that a backup contains: those that existed at its instant. */
export function databasesAt(state: AccountRecord, instant: number): readonly DatabaseRecord[] {
  const deleted = state.deletedDatabases.filter((entry) => entry.deletedAt > instant).map((entry) => entry.item);
  const past = [...state.databases, ...deleted].filter((database) => database.createdAt <= instant);
  return [...new Map(past.map((database) => [database.name, database])).values()];
}

/** Finds a database in the backup of an instant. */
export function findDatabaseAt(state: AccountRecord, name: string, instant: number): DatabaseRecord {
  return requireFound(
    databasesAt(state, instant).find((candidate) => candidate.name === name),
    `The backup has no database ${name}`,
  );
}

/** Resets a database to its size in the backup. Recreates a deleted database. */
export function restoreDatabase(
  state: AccountRecord,
  moment: SandboxMoment,
  name: string,
  backup: SandboxMoment,
): void {
  const saved = findDatabaseAt(state, name, backup.instant);
  const size = changeGrowth(
    saved.size,
    moment.simulated,
    bytesAt(saved.size, backup.simulated),
    segmentAt(saved.size, backup.simulated).perDay,
  );
  const existing = state.databases.find((candidate) => candidate.name === name);
  if (existing === undefined) {
    state.databases.push({ ...saved, size });
  } else {
    existing.size = size;
  }
}
