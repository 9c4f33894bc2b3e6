import { checkPlanLimit, Refusal, requireFound } from '../refusal.ts';
import type { AccountRecord, FtpAccountRecord } from './records.ts';

/** Finds an FTP account by its suffix. Its FTP login is the login of the hosting account, an underscore and the suffix. */
export function findFtpAccount(state: AccountRecord, suffix: string): FtpAccountRecord {
  const login = `${state.login}_${suffix}`;
  return requireFound(
    state.ftpAccounts.find((candidate) => candidate.login === login),
    `There is no FTP account ${login}`,
  );
}

export function addFtpAccount(state: AccountRecord, suffix: string, homedir: string, password: string): void {
  if (!/^[\p{L}\p{N}_-]{1,32}$/u.test(suffix)) {
    throw new Refusal('invalid', 'suffix must have 1 to 32 letters, digits, _ and -');
  }
  const login = `${state.login}_${suffix}`;
  if (state.ftpAccounts.some((candidate) => candidate.login === login)) {
    throw new Refusal('failed', `The FTP account ${login} already exists`);
  }
  checkPlanLimit(state.plan.ftpAccounts, state.ftpAccounts.length, 'FTP accounts');
  state.ftpAccounts.push({ login, homedir, password });
}

export function deleteFtpAccount(state: AccountRecord, suffix: string): void {
  const account = findFtpAccount(state, suffix);
  state.ftpAccounts.splice(state.ftpAccounts.indexOf(account), 1);
  state.sshLogins.delete(account.login);
}
