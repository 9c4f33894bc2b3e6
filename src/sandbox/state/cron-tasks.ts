import { Refusal, requireFound } from '../refusal.ts';
import { type AccountRecord, type CronTaskRecord, takeId } from './records.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** The range of each schedule field, and the names of its numbers, such as `jan` for 1. */
const ranges = {
  minutes: { from: 0, to: 59, names: [] },
  hours: { from: 0, to: 23, names: [] },
  days: { from: 1, to: 31, names: [] },
  months: { from: 1, to: 12, names: months },
  weekdays: { from: 0, to: 7, names: weekdays },
} satisfies Readonly<Record<string, { from: number; to: number; names: readonly string[] }>>;

type ScheduleField = keyof typeof ranges;

const scheduleFields = Object.keys(ranges) as readonly ScheduleField[];

/** The five schedule fields and the command. */
export type CronTaskFields = Pick<CronTaskRecord, 'minutes' | 'hours' | 'days' | 'months' | 'weekdays' | 'command'>;

export function findCronTask(state: AccountRecord, id: string): CronTaskRecord {
  return requireFound(
    state.cronTasks.find((candidate) => String(candidate.id) === id),
    `There is no task ${id}`,
  );
}

export function addCronTask(state: AccountRecord, fields: CronTaskFields): CronTaskRecord {
  checkFields(fields);
  const task = { id: takeId(state), ...fields, disabled: false };
  state.cronTasks.push(task);
  return task;
}

/** Changes all given fields. If a field is invalid, changes no field. */
export function editCronTask(
  state: AccountRecord,
  id: string,
  changes: Partial<CronTaskFields & Pick<CronTaskRecord, 'disabled'>>,
): void {
  const task = findCronTask(state, id);
  checkFields(changes);
  Object.assign(task, changes);
}

export function deleteCronTask(state: AccountRecord, id: string): void {
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

/**
 * Whether the text is a valid field of a crontab: a list of `*`, numbers, names and ranges, each with an optional step. croner also
 * accepts patterns that the cron of a server does not support, such as `L` and `5#2`.
 */
function isCronField(field: ScheduleField, text: string): boolean {
  const { from, to, names } = ranges[field];
  const numberOf = (part: string) => {
    const name = (names as readonly string[]).indexOf(part.toLowerCase());
    return name >= 0 ? from + name : /^\d{1,2}$/.test(part) ? Number(part) : Number.NaN;
  };
  return text.split(',').every((item) => {
    const [range = '', step = '1', ...rest] = item.split('/');
    const [first = '', last = first, ...others] = range === '*' ? [String(from), String(to)] : range.split('-');
    const isRange = numberOf(first) >= from && numberOf(first) <= numberOf(last) && numberOf(last) <= to;
    const isStep = /^\d{1,2}$/.test(step) && Number(step) >= 1;
    return rest.length === 0 && others.length === 0 && isRange && isStep;
  });
}
