import { requireFound } from '../refusal.ts';
import { takeId } from './next-id.ts';
import type { AccountState, CronTaskRecord } from './records.ts';

/** The five schedule fields and the command. */
export type CronTaskFields = Pick<CronTaskRecord, 'minutes' | 'hours' | 'days' | 'months' | 'weekdays' | 'command'>;

export function findCronTask(state: AccountState, id: string): CronTaskRecord {
  return requireFound(
    state.cronTasks.find((candidate) => String(candidate.id) === id),
    `There is no task ${id}`,
  );
}

export function addCronTask(state: AccountState, fields: CronTaskFields): CronTaskRecord {
  const task = { id: takeId(state), ...fields, disabled: false };
  state.cronTasks.push(task);
  return task;
}

export function deleteCronTask(state: AccountState, id: string): void {
  state.cronTasks.splice(state.cronTasks.indexOf(findCronTask(state, id)), 1);
}
