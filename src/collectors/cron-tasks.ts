import { cronEmail, cronTaskList } from '../payloads/cron-task-list.ts';
import { defineCollector } from './collector.ts';

export const cronTasks = defineCollector({
  name: 'cron_tasks',
  help: 'The number of enabled and disabled cron tasks, and whether an address receives their output.',
  methods: ['cron/getList', 'cron/getEmail'],
  schedule: '1h',
  payloadVersion: 2,
  fetch: async (api) => ({
    tasks: await api.call('cron/getList', cronTaskList),
    email: await api.callIfOffered('cron/getEmail', cronEmail),
  }),
  metrics: [
    {
      name: 'hosting_cron_tasks',
      help: 'Number of cron tasks by state, enabled or disabled; missing if the provider does not report the state',
      field: 'is_hidden',
      labels: ['state'],
      requiresCompleteList: true,
      read: ({ tasks }) => {
        if (tasks.some((task) => task.enabled === undefined)) return undefined;
        const enabled = tasks.filter((task) => task.enabled).length;
        return [
          [{ state: 'enabled' }, enabled],
          [{ state: 'disabled' }, tasks.length - enabled],
        ];
      },
    },
    {
      name: 'hosting_cron_email_set',
      help: 'Whether an e-mail address receives the output of cron tasks: 1 if an address is set, 0 if not. Without an address, errors are lost unless the task saves or sends its output',
      field: 'the result',
      methods: ['cron/getEmail'],
      dialect: 'provider',
      read: ({ email }) => email?.isSet,
    },
  ],
});
