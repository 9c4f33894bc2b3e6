import type { Dialect } from './dialect.ts';
import { printSize } from './dialect.ts';
import { expectedDatabase, expectedDetails, expectedDomain, expectedSite } from './expected.ts';
import type { BackupKind } from './figures/backups.ts';
import { changeGrowth } from './figures/growth.ts';
import { requireFound } from './refusal.ts';
import { backupsOf, diskUsageOf } from './state/account-figures.ts';
import { addDatabase, deleteDatabase, findDatabase } from './state/databases.ts';
import { forbid, permit } from './state/permissions.ts';
import type { AccountRecord } from './state/records.ts';
import { addSite, deleteSite } from './state/sites.ts';
import type { Timeline } from './time/timeline.ts';

/** One account of a running sandbox: its current figures, and methods that change the account. */
export type HostingAccount = Readonly<ReturnType<typeof createHostingAccount>>;

/**
 * Figures have the precision of the answers in the sandbox's dialect. Sizes are in bytes. Methods throw an Error for an unknown site or
 * database.
 */
export function createHostingAccount(state: AccountRecord, dialect: Dialect, timeline: Timeline) {
  const printed = (bytes: number) => printSize(bytes, dialect).bytes;
  const findSiteByName = (name: string) =>
    requireFound(
      state.sites.find((candidate) => candidate.name === name),
      `Account ${state.login} has no site ${name}.`,
    );

  return {
    login: state.login,
    /** The password of the control panel, which has all permissions in the API. */
    mainPassword: state.mainPassword,
    plan: state.plan.name,
    server: state.server.name,
    /** The API password. Permissions limit the methods that this password may use. */
    get password() {
      return state.password;
    },
    get token() {
      return state.token;
    },
    get diskUsageBytes() {
      return printed(diskUsageOf(state, timeline.now()));
    },
    /** The disk quota in bytes; undefined if the plan has no quota. */
    get diskLimitBytes() {
      return state.diskLimit === undefined ? undefined : printed(state.diskLimit);
    },
    /** Figures that only the provider's dialect reports; undefined in the specification's dialect. */
    get details() {
      return dialect === 'provider' ? expectedDetails(state, timeline.now()) : undefined;
    },
    get sites() {
      const moment = timeline.now();
      return state.sites.map((site) => expectedSite(site, state, moment));
    },
    get databases() {
      const moment = timeline.now();
      return state.databases.map((database) => expectedDatabase(database, state, dialect, moment));
    },
    get domains() {
      return state.domains.map((domain) => expectedDomain(domain, state));
    },
    get mailboxes() {
      return state.mailboxes.map(({ mailbox, domain, forwardStatus, spamFilter }) => ({
        mailbox,
        domain,
        spamFilter,
        forwards: forwardStatus !== 'no_forward',
      }));
    },
    /** Names of the subdomains. */
    get subdomains() {
      return state.subdomains.map(({ fqdn }) => fqdn);
    },
    get ftpAccounts() {
      return state.ftpAccounts.map(({ login, homedir }) => ({ login, homedir }));
    },
    get cronTasks() {
      return state.cronTasks.map(({ id, command, disabled }) => ({ id: String(id), command, disabled }));
    },
    /** The address that receives the output of cron tasks. */
    get cronEmail() {
      return state.cronEmail;
    },
    /** The requested restores and downloads, oldest first. `createdAt` is in Unix milliseconds. */
    backupJobs: state.backupJobs,
    /** The backups, newest first. `madeAt` is in Unix milliseconds. */
    get backups() {
      const moment = timeline.now();
      const made = (kind: BackupKind) =>
        backupsOf(state, kind, moment).map(({ id, instant }) => ({ id, madeAt: instant }));
      return { files: made('files'), databases: made('databases') };
    },
    /** Sets the current disk usage and its growth per day. By default, the disk does not grow. */
    setDiskUsage(bytes: number, growthPerDay = 0) {
      state.disk = changeGrowth(state.disk, timeline.now().simulated, bytes, growthPerDay);
    },
    /** Sets the disk quota. `undefined` removes the quota. */
    setDiskLimit(bytes: number | undefined) {
      state.diskLimit = bytes;
    },
    setBalance(balance: number) {
      state.balance = changeGrowth(state.balance, timeline.now().simulated, balance, -state.dailyCharge);
    },
    /** Adds a site and returns its id. `load` is the daily load, 1 by default. */
    addSite: (name: string, load?: number) => String(addSite(state, timeline.now(), name, load).id),
    deleteSite: (name: string) => deleteSite(state, timeline.now(), String(findSiteByName(name).id)),
    setFrozen(name: string, frozen: boolean) {
      findSiteByName(name).frozen = frozen;
    },
    addDatabase(database: { name: string; user?: string; size?: number; load?: number }) {
      addDatabase(state, timeline.now(), database);
    },
    deleteDatabase: (name: string) => deleteDatabase(state, timeline.now(), name),
    setDatabaseSize(name: string, bytes: number, growthPerDay = 0) {
      const database = findDatabase(state, name);
      database.size = changeGrowth(database.size, timeline.now().simulated, bytes, growthPerDay);
    },
    changePassword(password: string) {
      state.password = password;
    },
    changeToken(token: string) {
      state.token = token;
    },
    /** The methods that the API password may not use. In the provider's dialect, this list contains sections instead of methods. */
    get forbidden() {
      return [...state.forbidden].sort();
    },
    /**
     * Forbids a method (`mysql/getList`) or a section (`mysql`) for the API password. In the provider's dialect, a method stands for
     * its whole section. Throws an Error if the dialect does not have the method or section.
     */
    forbid: (methodOrSection: string) => forbid(state, dialect, methodOrSection),
    permit: (methodOrSection: string) => permit(state, dialect, methodOrSection),
    permitAll: () => state.forbidden.clear(),
    /** Stops new backups. */
    stopBackups() {
      state.backupsStoppedAt = timeline.now().instant;
    },
    /** Values that calls can change, but that no call returns. */
    get hidden() {
      return {
        /** By key: `NAME@HOST` for databases, `MAILBOX@DOMAIN` for mailboxes, the login for FTP accounts. */
        passwords: Object.fromEntries([
          ...state.databases.flatMap(({ name, accesses }) =>
            [...accesses].map(([host, password]) => [`${name}@${host}`, password]),
          ),
          ...state.mailboxes.map(({ mailbox, domain, password }) => [`${mailbox}@${domain}`, password]),
          ...state.ftpAccounts.map(({ login, password }) => [login, password]),
        ]),
        /** The address that receives the mail for unknown mailboxes, by domain. */
        domainMailboxes: Object.fromEntries(state.domainMailboxes),
        sshLogins: [...state.sshLogins],
        /** The writable paths of each frozen site, by the site's name. */
        excludedPaths: Object.fromEntries(
          state.sites.filter(({ frozen }) => frozen).map(({ name, excludedPaths }) => [name, excludedPaths]),
        ),
      };
    },
  };
}
