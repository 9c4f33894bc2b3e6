import type { JsonObject } from '../json.ts';
import { findById, Refusal } from '../refusal.ts';
import { isMailAddress } from '../state/names.ts';
import { type AccountRecord, type CronTaskRecord, takeId } from '../state/records.ts';
import type { CallArguments } from './call-arguments.ts';
import { change, printId, read, type SandboxSection } from './method.ts';

interface Field {
  readonly from: number;
  readonly to: number;
  /** The names of the numbers, such as `jan` for 1. */
  readonly names?: string;
}

const schedule = {
  minutes: { from: 0, to: 59 },
  hours: { from: 0, to: 23 },
  days: { from: 1, to: 31 },
  months: { from: 1, to: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec' },
  weekdays: { from: 0, to: 7, names: 'sun mon tue wed thu fri sat' },
} satisfies Readonly<Record<string, Field>>;

const fields = [...(Object.keys(schedule) as (keyof typeof schedule)[]), 'command'] as const;
const optionalFields = fields.map((field) => `${field}?`);

type TaskFields = Pick<CronTaskRecord, (typeof fields)[number]>;

// The specification does not define this section, so the section follows the provider. row_number identifies a task. `edit` accepts
// is_hidden, because the specification names no method that disables a task.
const specification: SandboxSection = {
  getList: read('list tasks', [], ({ account }) => account.cronTasks.map((task) => taskRecord(task, account))),
  add: read('add a task; the result contains its row_number', fields, ({ account, args }) => {
    const task = { id: takeId(account), ...(givenFields(args) as TaskFields), disabled: false };
    account.cronTasks.push(task);
    return rowOf(task, account);
  }),
  delete: change('delete a task', ['row_number'], ({ account }, id) =>
    account.cronTasks.splice(account.cronTasks.indexOf(findById(account.cronTasks, id, 'task')), 1),
  ),
  edit: change(
    'edit a task, or disable it with is_hidden; missing parameters keep their value',
    ['row_number', ...optionalFields, 'is_hidden?'],
    ({ account, args }, id) => {
      const disabled = args.has('is_hidden') ? { disabled: args.flag('is_hidden') } : {};
      Object.assign(findById(account.cronTasks, id, 'task'), { ...givenFields(args), ...disabled });
    },
  ),
};

const provider: SandboxSection = {
  ...specification,
  edit: read(
    'edit a task; missing parameters keep their value; the result contains its row_number',
    ['id', ...optionalFields],
    ({ account, args }, id) =>
      rowOf(Object.assign(findById(account.cronTasks, id, 'task'), givenFields(args)), account),
  ),
  changeHiddenState: read(
    'disable or enable a task; the result contains its row_number',
    ['row_number', 'is_hidden[]'],
    ({ account, args }, id) => {
      const task = findById(account.cronTasks, id, 'task');
      task.disabled = args.flag('is_hidden');
      return rowOf(task, account);
    },
  ),
  getEmail: read('get the address that receives the output of tasks', [], ({ account }) => account.cronEmail),
  setEmail: change('set the address that receives the output of tasks', ['email?'], ({ account, args }) => {
    const email = args.optionalText('email') ?? null;
    if (email !== null && !isMailAddress(email)) {
      throw new Refusal('invalid', 'email must be a mail address');
    }
    account.cronEmail = email;
  }),
};

export const cron = { specification, provider };

/** The fields in the arguments. Throws a Refusal if one is invalid. */
function givenFields(args: CallArguments): Partial<TaskFields> {
  const given = fields.filter((field) => args.has(field)).map((field) => [field, args.text(field)] as const);
  for (const [field, text] of given) {
    if (field === 'command') {
      if (/[\r\n]/.test(text)) throw new Refusal('invalid', 'command must be one line');
    } else if (!isCronField(schedule[field], text)) {
      throw new Refusal('invalid', `${field} is not a field of a crontab, such as * or */5 or 1-5`);
    }
  }
  return Object.fromEntries(given);
}

/**
 * Whether the text is a valid field of a crontab: a list of `*`, numbers, names and ranges, each with an optional step. croner is not used,
 * because it accepts patterns that the cron of a server does not support, such as `L` and `5#2`.
 */
function isCronField({ from, to, names = '' }: Field, text: string): boolean {
  const numberOf = (part: string) => {
    const name = names.split(' ').indexOf(part.toLowerCase());
    return part !== '' && name >= 0 ? from + name : /^\d{1,2}$/.test(part) ? Number(part) : Number.NaN;
  };
  return text.split(',').every((item) => {
    const [range = '', step = '1', ...rest] = item.split('/');
    const [first = '', last = first, ...others] = range === '*' ? [String(from), String(to)] : range.split('-');
    const isRange = numberOf(first) >= from && numberOf(first) <= numberOf(last) && numberOf(last) <= to;
    const isStep = /^\d{1,2}$/.test(step) && Number(step) >= 1;
    return rest.length === 0 && others.length === 0 && isRange && isStep;
  });
}

function rowOf({ id }: CronTaskRecord, account: AccountRecord): JsonObject {
  return { row_number: printId(id, account) };
}

function taskRecord(task: CronTaskRecord, account: AccountRecord): JsonObject {
  const { id: _, disabled, ...fieldsOfTask } = task;
  return {
    ...rowOf(task, account),
    ...fieldsOfTask,
    is_hidden: account.server.legacy ? String(Number(disabled)) : Number(disabled),
  };
}
