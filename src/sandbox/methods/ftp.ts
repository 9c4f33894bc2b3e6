import { addFtpAccount, deleteFtpAccount, findFtpAccount } from '../state/ftp-accounts.ts';
import type { SpecificationSection } from './method.ts';

// The specification does not define this section, so the section follows the provider. The parameter suffix identifies an FTP
// account, because the parameter login contains the API login of the caller.
const shared: SpecificationSection = {
  getList: {
    purpose: 'list FTP accounts',
    answer: ({ account }) => account.ftpAccounts.map(({ login, homedir }) => ({ login, homedir })),
  },
  add: {
    purpose: 'add an FTP account',
    parameters: ['suffix', 'homedir', 'password'],
    change: ({ account, args }) =>
      addFtpAccount(account, args.text('suffix'), args.text('homedir'), args.text('password')),
  },
  delete: {
    purpose: 'delete an FTP account',
    parameters: ['suffix'],
    change: ({ account, args }) => deleteFtpAccount(account, args.text('suffix')),
  },
  changePassword: {
    purpose: 'change an FTP account password',
    parameters: ['suffix', 'password'],
    change: ({ account, args }) => {
      findFtpAccount(account, args.text('suffix')).password = args.text('password');
    },
  },
};

export const ftp = { specification: shared, provider: shared };
