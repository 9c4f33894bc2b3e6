import { cronTaskList } from '../payloads/cron-task-list.ts';
import { defineCollector } from './collector.ts';

export const cronTasks = defineCollector({
  name: 'cron_tasks',
  help: 'The number of enabled and disabled cron tasks.',
  methods: ['cron/getList'],
  schedule: '1h',
  payload: cronTaskList,
  metrics: [
    {
      name: 'hosting_cron_tasks',
      help: 'Number of cron tasks by state, enabled or disabled; missing if the provider does not report the state',
      field: 'is_hidden',
      labels: ['state'],
      requiresCompleteList: true,
      read: (list) => {
        if (list.some((task) => task.enabled === undefined)) return undefined;
        const enabled = list.filter((task) => task.enabled).length;
        return [
          [{ state: 'enabled' }, enabled],
          [{ state: 'disabled' }, list.length - enabled],
        ];
      },
    },
  ],
});
