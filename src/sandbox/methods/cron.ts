import type { Json } from '../json.ts';
import { addCronTask, deleteCronTask, findCronTask } from '../state/cron-tasks.ts';
import type { AccountState, CronTaskRecord } from '../state/records.ts';
import type { CallArguments } from './call-arguments.ts';
import type { Section } from './method.ts';
import { printId } from './scalars.ts';

const fields = ['minutes', 'hours', 'days', 'months', 'weekdays', 'command'] as const;

// Not shown in the specification: all of it, so it is the provider's. A task is named by row_number.
const specification: Section = {
  getList: {
    purpose: 'list tasks',
    answer: ({ account }) => account.cronTasks.map((task) => taskRecord(task, account)),
  },
  add: {
    purpose: 'add a task; the result holds its row_number',
    parameters: [...fields],
    answer: ({ account, given }) => {
      const task = addCronTask(account, {
        minutes: given.text('minutes'),
        hours: given.text('hours'),
        days: given.text('days'),
        months: given.text('months'),
        weekdays: given.text('weekdays'),
        command: given.text('command'),
      });
      return { row_number: printId(task.id, account) };
    },
  },
  delete: {
    purpose: 'delete a task',
    parameters: ['row_number'],
    answer: ({ account, given }) => {
      deleteCronTask(account, given.text('row_number'));
      return true;
    },
  },
  edit: {
    purpose: 'edit a task: what is left out stays as it is',
    parameters: ['row_number', ...fields.map((field) => `${field}?`)],
    answer: ({ account, given }) => {
      edit(findCronTask(account, given.text('row_number')), given);
      return true;
    },
  },
};

const provider: Section = {
  ...specification,
  changeHiddenState: {
    purpose: 'switch a task off or on',
    parameters: ['row_number', 'is_hidden'],
    answer: ({ account, given }) => {
      findCronTask(account, given.text('row_number')).disabled = given.flag('is_hidden');
      return true;
    },
  },
  getEmail: { purpose: 'tell where the output of tasks goes', answer: ({ account }) => account.cronEmail },
  setEmail: {
    purpose: 'set where the output of tasks goes',
    parameters: ['email?'],
    answer: ({ account, given }) => {
      account.cronEmail = given.optionalText('email') ?? null;
      return true;
    },
  },
};

export const cron = { specification, provider };

function edit(task: CronTaskRecord, given: CallArguments): void {
  for (const field of fields) {
    task[field] = given.optionalText(field) ?? task[field];
  }
}

function taskRecord(task: CronTaskRecord, account: AccountState): Json {
  return {
    row_number: printId(task.id, account),
    minutes: task.minutes,
    hours: task.hours,
    days: task.days,
    months: task.months,
    weekdays: task.weekdays,
    command: task.command,
    is_hidden: account.server.old ? String(Number(task.disabled)) : Number(task.disabled),
  };
}
