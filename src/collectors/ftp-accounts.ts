import { ftpAccountList } from '../payloads/ftp-account-list.ts';
import { defineCollector } from './collector.ts';

export const ftpAccounts = defineCollector({
  name: 'ftp_accounts',
  help: 'The number of FTP accounts.',
  methods: ['ftp/getList'],
  schedule: '6h',
  fetch: (api) => api.call('ftp/getList', ftpAccountList),
  metrics: [
    {
      name: 'hosting_ftp_accounts',
      help: 'Number of FTP accounts in the list of FTP accounts, without the main one; the number counted against the plan is hosting_account_ftp_accounts_used',
      field: 'number of entries',
      requiresCompleteList: true,
      read: (list) => list.length,
    },
  ],
});
