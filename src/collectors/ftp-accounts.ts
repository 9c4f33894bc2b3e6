import { ftpAccountList } from '../payloads/ftp-account-list.ts';
import { defineCollector } from './collector.ts';

export const ftpAccounts = defineCollector({
  name: 'ftp_accounts',
  help: 'The number of FTP accounts.',
  methods: ['ftp/getList'],
  schedule: '6h',
  fetch: (api, scalars) => api.call('ftp/getList', ftpAccountList(scalars)),
  metrics: [
    {
      name: 'hosting_ftp_accounts',
      help: 'Number of FTP accounts beside the main one',
      field: 'the list',
      requiresCompleteList: true,
      read: (list) => new Set(list.map(({ login }) => login)).size,
    },
  ],
});
