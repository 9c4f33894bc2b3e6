import { Refusal, requireFound } from '../refusal.ts';
import { isCronField, scheduleFields } from './cron-field.ts';
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
  checkFields(fields);
  const task = { id: takeId(state), ...fields, disabled: false };
  state.cronTasks.push(task);
  return task;
}

/** Changes all given fields, or none if one of them is invalid. */
export function editCronTask(
  state: AccountState,
  id: string,
  changes: Partial<CronTaskFields & Pick<CronTaskRecord, 'disabled'>>,
): void {
  const task = findCronTask(state, id);
  checkFields(changes);
  Object.assign(task, changes);
}

export function deleteCronTask(state: AccountState, id: string): void {
  state.cronTasks.splice(state.cronTasks.indexOf(findCronTask(state, id)), 1);
}

function checkFields(fields: Partial<CronTaskFields>): void {
  const wrong = scheduleFields.find((field) => fields[field] !== undefined && !isCronField(field, fields[field]));
  if (wrong !== undefined) {
    throw new Refusal('invalid', `${wrong} is not a field of a crontab, such as * or */5 or 1-5`);
  }
  if (fields.command !== undefined && /[\r\n]/.test(fields.command)) {
    throw new Refusal('invalid', 'command must be one line');
  }
}
