import { addFtpAccount, deleteFtpAccount, findFtpAccount } from '../state/ftp-accounts.ts';
import type { Section } from './method.ts';

// Not shown in the specification: all of it, so it is the provider's. An account is named by suffix, since login is the caller's own.
const both: Section = {
  getList: {
    purpose: 'list FTP accounts',
    answer: ({ account }) => account.ftpAccounts.map(({ login, homedir }) => ({ login, homedir })),
  },
  add: {
    purpose: 'add an FTP account',
    parameters: ['suffix', 'homedir', 'password'],
    answer: ({ account, given }) => {
      addFtpAccount(account, given.text('suffix'), given.text('homedir'), given.text('password'));
      return true;
    },
  },
  delete: {
    purpose: 'delete an FTP account',
    parameters: ['suffix'],
    answer: ({ account, given }) => {
      deleteFtpAccount(account, given.text('suffix'));
      return true;
    },
  },
  changePassword: {
    purpose: 'change an FTP account password',
    parameters: ['suffix', 'password'],
    answer: ({ account, given }) => {
      findFtpAccount(account, given.text('suffix')).password = given.text('password');
      return true;
    },
  },
};

export const ftp = { specification: both, provider: both };
