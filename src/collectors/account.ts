import { accountInfo } from '../payloads/account-info.ts';
import { defineCollector } from './collector.ts';

export const account = defineCollector({
  name: 'account',
  help: 'The plan of the account, its disk space and its limits.',
  methods: ['user/getAccountInfo'],
  schedule: '5m',
  first: true,
  fetch: (api, scalars) => api.call('user/getAccountInfo', accountInfo(scalars)),
  metrics: [
    {
      name: 'hosting_account_info',
      help: 'Always 1; the labels name the plan and the server of the account',
      field: 'tariff|plan_name, server|server_name',
      labels: ['tariff', 'server'],
      read: ({ plan, server }) => [[{ tariff: plan ?? '', server: server ?? '' }, 1]],
    },
    {
      name: 'hosting_account_disk_usage_bytes',
      help: 'Disk space that the account uses, in bytes',
      field: 'disk_usage|user_quota',
      read: ({ diskUsage }) => diskUsage,
    },
    {
      name: 'hosting_account_disk_limit_bytes',
      help: 'Disk space that the plan allows, in bytes; missing where the plan sets no limit',
      field: 'disk_limit|plan_quota',
      read: ({ diskLimit }) => diskLimit,
    },
  ],
});
