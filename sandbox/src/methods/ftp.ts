import { checkPlanLimit, Refusal, requireFound } from '../refusal.ts';
import type { AccountRecord, FtpAccountRecord } from '../state/records.ts';
import { change, read, type SandboxSection } from './method.ts';

// The specification does not define this section, so the section follows the provider. The parameter suffix identifies an FTP account,
// because the parameter login contains the API login of the caller. The FTP login consists of the API login, an underscore and the suffix.
const shared: SandboxSection = {
  getList: read('list FTP accounts', [], ({ account }) =>
    account.ftpAccounts.map(({ login, homedir }) => ({ login, homedir })),
  ),
  add: change('add an FTP account', ['suffix', 'homedir', 'password'], ({ account }, suffix, homedir, password) => {
    if (!/^[\p{L}\p{N}_-]{1,32}$/u.test(suffix)) {
      throw new Refusal('invalid', 'suffix must have 1 to 32 letters, digits, _ and -');
    }
    const login = `${account.login}_${suffix}`;
    if (account.ftpAccounts.some((candidate) => candidate.login === login)) {
      throw new Refusal('failed', `The FTP account ${login} already exists`);
    }
    checkPlanLimit(account.plan.ftpAccounts, account.ftpAccounts.length, 'FTP accounts');
    account.ftpAccounts.push({ login, homedir, password });
  }),
  delete: change('delete an FTP account', ['suffix'], ({ account }, suffix) => {
    const deleted = findFtpAccount(account, suffix);
    account.ftpAccounts.splice(account.ftpAccounts.indexOf(deleted), 1);
    account.sshLogins.delete(deleted.login);
  }),
  changePassword: change('change an FTP account password', ['suffix', 'password'], ({ account }, suffix, password) => {
    findFtpAccount(account, suffix).password = password;
  }),
};

export const ftp = { specification: shared, provider: shared };

function findFtpAccount(account: AccountRecord, suffix: string): FtpAccountRecord {
  const login = `${account.login}_${suffix}`;
  return requireFound(
    account.ftpAccounts.find((candidate) => candidate.login === login),
    `There is no FTP account ${login}`,
  );
}
