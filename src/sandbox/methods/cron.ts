import type { JsonObject } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { addCronTask, type CronTaskFields, deleteCronTask, editCronTask, findCronTask } from '../state/cron-tasks.ts';
import { isMailAddress } from '../state/names.ts';
import type { AccountRecord, CronTaskRecord } from '../state/records.ts';
import type { CallArguments } from './call-arguments.ts';
import { printId, type SandboxSection, type SpecificationSection } from './method.ts';

const fields = ['minutes', 'hours', 'days', 'months', 'weekdays', 'command'] as const;

// The specification does not define this section, so the section follows the provider. row_number identifies a task. `edit` accepts
// is_hidden, because the specification names no method that disables a task.
const specification: SpecificationSection = {
  getList: {
    purpose: 'list tasks',
    answer: ({ account }) => account.cronTasks.map((task) => taskRecord(task, account)),
  },
  add: {
    purpose: 'add a task; the result contains its row_number',
    parameters: [...fields],
    answer: ({ account, args }) => {
      const task = addCronTask(account, {
        minutes: args.text('minutes'),
        hours: args.text('hours'),
        days: args.text('days'),
        months: args.text('months'),
        weekdays: args.text('weekdays'),
        command: args.text('command'),
      });
      return { row_number: printId(task.id, account) };
    },
  },
  delete: {
    purpose: 'delete a task',
    parameters: ['row_number'],
    change: ({ account, args }) => deleteCronTask(account, args.text('row_number')),
  },
  edit: {
    purpose: 'edit a task, or disable it with is_hidden; missing parameters keep their value',
    parameters: ['row_number', ...fields.map((field) => `${field}?`), 'is_hidden?'],
    change: ({ account, args }) => {
      const disabled = args.has('is_hidden') ? { disabled: args.flag('is_hidden') } : {};
      editCronTask(account, args.text('row_number'), { ...changedFields(args), ...disabled });
    },
  },
};

const provider: SandboxSection = {
  ...specification,
  edit: {
    purpose: 'edit a task; missing parameters keep their value; the result contains its row_number',
    parameters: ['id', ...fields.map((field) => `${field}?`)],
    answer: ({ account, args }) => {
      editCronTask(account, args.text('id'), changedFields(args));
      return { row_number: printId(findCronTask(account, args.text('id')).id, account) };
    },
  },
  changeHiddenState: {
    purpose: 'disable or enable a task; the result contains its row_number',
    parameters: ['row_number', 'is_hidden'],
    answer: ({ account, args }) => {
      const task = findCronTask(account, args.text('row_number'));
      task.disabled = args.flag('is_hidden');
      return { row_number: printId(task.id, account) };
    },
  },
  getEmail: {
    purpose: 'get the address that receives the output of tasks',
    answer: ({ account }) => account.cronEmail,
  },
  setEmail: {
    purpose: 'set the address that receives the output of tasks',
    parameters: ['email?'],
    change: ({ account, args }) => {
      const email = args.optionalText('email') ?? null;
      if (email !== null && !isMailAddress(email)) {
        throw new Refusal('invalid', 'email must be a mail address');
      }
      account.cronEmail = email;
    },
  },
};

export const cron = { specification, provider };

function changedFields(args: CallArguments): Partial<CronTaskFields> {
  return Object.fromEntries(fields.filter((field) => args.has(field)).map((field) => [field, args.text(field)]));
}

function taskRecord(task: CronTaskRecord, account: AccountRecord): JsonObject {
  return {
    row_number: printId(task.id, account),
    minutes: task.minutes,
    hours: task.hours,
    days: task.days,
    months: task.months,
    weekdays: task.weekdays,
    command: task.command,
    is_hidden: account.server.legacy ? String(Number(task.disabled)) : Number(task.disabled),
  };
}
