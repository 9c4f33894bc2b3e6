import type { Dialect } from '../api/dialect.ts';
import { printSize } from './dialects/sizes.ts';
import {
  type ExpectedDatabase,
  type ExpectedDetails,
  type ExpectedDomain,
  type ExpectedSite,
  expectedDatabase,
  expectedDetails,
  expectedDomain,
  expectedSite,
} from './expected.ts';
import type { BackupKind } from './figures/backups.ts';
import { changeGrowth } from './figures/growth.ts';
import { diskUsageOf } from './state/account-figures.ts';
import { backupsOf } from './state/backup-jobs.ts';
import { addDatabase, deleteDatabase, findDatabase } from './state/databases.ts';
import { forbid, permit } from './state/permissions.ts';
import type { AccountRecord, BackupJob } from './state/records.ts';
import { addSite, deleteSite } from './state/sites.ts';
import type { Timeline } from './time/timeline.ts';

/**
 * One account of a running sandbox: its current figures, and methods that change the account. Figures have the precision of the
 * answers in the sandbox's dialect. Sizes are in bytes. Methods throw an Error for an unknown site or database.
 */
export interface HostingAccount {
  readonly login: string;
  /** The API password. Permissions limit the methods that this password may use. */
  readonly password: string;
  /** The password of the control panel, which has all permissions in the API. */
  readonly mainPassword: string;
  readonly token: string;
  readonly plan: string;
  readonly server: string;
  readonly diskUsageBytes: number;
  /** The disk quota in bytes; undefined if the plan has no quota. */
  readonly diskLimitBytes: number | undefined;
  /** Figures that only the provider's dialect reports; undefined in the specification's dialect. */
  readonly details: ExpectedDetails | undefined;
  readonly sites: readonly ExpectedSite[];
  readonly databases: readonly ExpectedDatabase[];
  readonly domains: readonly ExpectedDomain[];
  /** Names of the subdomains. */
  readonly subdomains: readonly string[];
  readonly mailboxes: readonly {
    readonly mailbox: string;
    readonly domain: string;
    readonly forwards: boolean;
    readonly spamFilter: boolean;
  }[];
  readonly ftpAccounts: readonly { readonly login: string; readonly homedir: string }[];
  readonly cronTasks: readonly { readonly id: string; readonly command: string; readonly disabled: boolean }[];
  /** The address that receives the output of cron tasks. */
  readonly cronEmail: string | null;
  /** The requested restores and downloads, oldest first. `createdAt` is in Unix milliseconds. */
  readonly backupJobs: readonly BackupJob[];
  /** The backups, newest first. `madeAt` is in Unix milliseconds. */
  readonly backups: Readonly<Record<BackupKind, readonly { readonly id: number; readonly madeAt: number }[]>>;

  /** Sets the current disk usage and its growth, which is 0 by default. */
  setDiskUsage(bytes: number, growthPerDay?: number): void;
  /** Sets the disk quota. `undefined` removes the quota. */
  setDiskLimit(bytes: number | undefined): void;
  setBalance(balance: number): void;
  /** Adds a site and returns its id. `load` is the daily load, 1 by default. */
  addSite(name: string, load?: number): string;
  deleteSite(name: string): void;
  setFrozen(name: string, frozen: boolean): void;
  addDatabase(database: { name: string; user?: string; size?: number; load?: number }): void;
  deleteDatabase(name: string): void;
  setDatabaseSize(name: string, bytes: number, growthPerDay?: number): void;
  changePassword(password: string): void;
  changeToken(token: string): void;
  /** The methods that the API password may not use. In the provider's dialect, this list contains sections instead of methods. */
  readonly forbidden: readonly string[];
  /**
   * Forbids a method (`mysql/getList`) or a section (`mysql`) for the API password. In the provider's dialect, a method stands for
   * its whole section. Throws an Error if the dialect does not have the method or section.
   */
  forbid(methodOrSection: string): void;
  permit(methodOrSection: string): void;
  permitAll(): void;
  /** Stops new backups. */
  stopBackups(): void;
  /** Values that calls can change, but that no call returns. */
  readonly hidden: {
    /** Passwords by key: `NAME@HOST` for databases, `MAILBOX@DOMAIN` for mailboxes, the login for FTP accounts. */
    readonly passwords: Readonly<Record<string, string>>;
    /** The address that receives the mail for unknown mailboxes, by domain. */
    readonly domainMailboxes: Readonly<Record<string, string>>;
    readonly sshLogins: readonly string[];
    /** The writable paths of each frozen site, by the site's name. */
    readonly excludedPaths: Readonly<Record<string, readonly string[]>>;
  };
}

export function createHostingAccount(state: AccountRecord, dialect: Dialect, timeline: Timeline): HostingAccount {
  const printed = (bytes: number) => printSize(bytes, dialect).bytes;
  const findSiteByName = (name: string) => {
    const site = state.sites.find((candidate) => candidate.name === name);
    if (site === undefined) {
      throw new Error(`Account ${state.login} has no site ${name}.`);
    }
    return site;
  };

  return {
    login: state.login,
    mainPassword: state.mainPassword,
    plan: state.plan.name,
    server: state.server.name,
    get password() {
      return state.password;
    },
    get token() {
      return state.token;
    },
    get diskUsageBytes() {
      return printed(diskUsageOf(state, timeline.now()));
    },
    get diskLimitBytes() {
      return state.diskLimit === undefined ? undefined : printed(state.diskLimit);
    },
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
    get subdomains() {
      return state.subdomains.map(({ fqdn }) => fqdn);
    },
    get ftpAccounts() {
      return state.ftpAccounts.map(({ login, homedir }) => ({ login, homedir }));
    },
    get cronTasks() {
      return state.cronTasks.map(({ id, command, disabled }) => ({ id: String(id), command, disabled }));
    },
    get cronEmail() {
      return state.cronEmail;
    },
    backupJobs: state.backupJobs,
    get backups() {
      const moment = timeline.now();
      const made = (kind: BackupKind) =>
        backupsOf(state, kind, moment).map(({ id, instant }) => ({ id, madeAt: instant }));
      return { files: made('files'), databases: made('databases') };
    },
    setDiskUsage(bytes, growthPerDay = 0) {
      state.disk = changeGrowth(state.disk, timeline.now().simulated, bytes, growthPerDay);
    },
    setDiskLimit(bytes) {
      state.diskLimit = bytes;
    },
    setBalance(balance) {
      state.balance = changeGrowth(state.balance, timeline.now().simulated, balance, -state.dailyCharge);
    },
    addSite: (name, load) => String(addSite(state, timeline.now(), name, load).id),
    deleteSite: (name) => deleteSite(state, timeline.now(), String(findSiteByName(name).id)),
    setFrozen(name, frozen) {
      findSiteByName(name).frozen = frozen;
    },
    addDatabase(database) {
      addDatabase(state, timeline.now(), database);
    },
    deleteDatabase: (name) => deleteDatabase(state, timeline.now(), name),
    setDatabaseSize(name, bytes, growthPerDay = 0) {
      const database = findDatabase(state, name);
      database.size = changeGrowth(database.size, timeline.now().simulated, bytes, growthPerDay);
    },
    changePassword(password) {
      state.password = password;
    },
    changeToken(token) {
      state.token = token;
    },
    get forbidden() {
      return [...state.forbidden].sort();
    },
    forbid: (methodOrSection) => forbid(state, dialect, methodOrSection),
    permit: (methodOrSection) => permit(state, dialect, methodOrSection),
    permitAll: () => state.forbidden.clear(),
    stopBackups() {
      state.backupsStoppedAt = timeline.now().instant;
    },
    get hidden() {
      return {
        passwords: Object.fromEntries([
          ...state.databases.flatMap(({ name, accesses }) =>
            [...accesses].map(([host, password]) => [`${name}@${host}`, password]),
          ),
          ...state.mailboxes.map(({ mailbox, domain, password }) => [`${mailbox}@${domain}`, password]),
          ...state.ftpAccounts.map(({ login, password }) => [login, password]),
        ]),
        domainMailboxes: Object.fromEntries(state.domainMailboxes),
        sshLogins: [...state.sshLogins],
        excludedPaths: Object.fromEntries(
          state.sites.filter(({ frozen }) => frozen).map(({ name, excludedPaths }) => [name, excludedPaths]),
        ),
      };
    },
  };
}
