import type { Dialect } from '../api/dialect.ts';
import { printSize } from './dialects/sizes.ts';
import type { BackupKind } from './figures/backups.ts';
import { changedTo } from './figures/growth.ts';
import { diskUsageOf } from './state/account-figures.ts';
import { backupsOf } from './state/backup-jobs.ts';
import { addDatabase, deleteDatabase, findDatabase } from './state/databases.ts';
import type { AccountState } from './state/records.ts';
import { addSite, deleteSite } from './state/sites.ts';
import type { Timeline } from './time/timeline.ts';
import {
  type TrueDatabase,
  type TrueDetails,
  type TrueDomain,
  type TrueSite,
  trueDatabase,
  trueDetails,
  trueDomain,
  trueSite,
} from './truth.ts';

/**
 * One account of a running sandbox: its figures now, exactly as a right reader of the answers gets them in the sandbox's dialect, with
 * the rounding of what is printed; and the ways to change it. Sizes are bytes. What is not there ends in an error that says so.
 */
export interface HostingAccount {
  readonly login: string;
  readonly password: string;
  readonly token: string;
  readonly plan: string;
  readonly server: string;
  readonly diskUsageBytes: number;
  /** Undefined where the plan has no limit. */
  readonly diskLimitBytes: number | undefined;
  /** Undefined in the specification's dialect. */
  readonly details: TrueDetails | undefined;
  readonly sites: readonly TrueSite[];
  readonly databases: readonly TrueDatabase[];
  readonly domains: readonly TrueDomain[];
  readonly mailboxes: readonly { readonly mailbox: string; readonly domain: string }[];
  readonly ftpAccounts: readonly { readonly login: string; readonly homedir: string }[];
  readonly cronTasks: readonly { readonly id: string; readonly command: string; readonly disabled: boolean }[];
  /** Newest first, in unix milliseconds. */
  readonly backups: Readonly<Record<BackupKind, readonly { readonly id: number; readonly madeAt: number }[]>>;

  /** From now on; it grows no more unless told how much a day. */
  setDiskUsage(bytes: number, growthPerDay?: number): void;
  /** Undefined takes the limit away. */
  setDiskLimit(bytes: number | undefined): void;
  setBalance(balance: number): void;
  /** Its load is 1 a day unless told otherwise; returns the id. */
  addSite(name: string, load?: number): string;
  deleteSite(name: string): void;
  setFrozen(name: string, frozen: boolean): void;
  addDatabase(database: { name: string; user?: string; size?: number; load?: number }): void;
  deleteDatabase(name: string): void;
  setDatabaseSize(name: string, bytes: number, growthPerDay?: number): void;
  changePassword(password: string): void;
  changeToken(token: string): void;
  /** Takes the permission away: of a method (`mysql/getList`) or a section (`mysql`). The provider's dialect always refuses the whole section. */
  forbid(methodOrSection: string): void;
  /** Gives back what `forbid` took, named the same way. */
  permit(methodOrSection: string): void;
  /** No backup is made after now. */
  stopBackups(): void;
}

export function createHostingAccount(state: AccountState, dialect: Dialect, timeline: Timeline): HostingAccount {
  const readable = (bytes: number) => printSize(bytes, dialect).bytes;
  const siteNamed = (name: string) => {
    const site = state.sites.find((candidate) => candidate.name === name);
    if (site === undefined) {
      throw new Error(`The account ${state.login} has no site ${name}.`);
    }
    return site;
  };

  return {
    login: state.login,
    plan: state.plan.name,
    server: state.server.name,
    get password() {
      return state.password;
    },
    get token() {
      return state.token;
    },
    get diskUsageBytes() {
      return readable(diskUsageOf(state, timeline.now()));
    },
    get diskLimitBytes() {
      return state.diskLimit === undefined ? undefined : readable(state.diskLimit);
    },
    get details() {
      return dialect === 'provider' ? trueDetails(state, timeline.now()) : undefined;
    },
    get sites() {
      const moment = timeline.now();
      return state.sites.map((site) => trueSite(site, state, moment));
    },
    get databases() {
      const moment = timeline.now();
      return state.databases.map((database) => trueDatabase(database, state, dialect, moment));
    },
    get domains() {
      return state.domains.map((domain) => trueDomain(domain, state));
    },
    get mailboxes() {
      return state.mailboxes.map(({ mailbox, domain }) => ({ mailbox, domain }));
    },
    get ftpAccounts() {
      return state.ftpAccounts.map(({ login, homedir }) => ({ login, homedir }));
    },
    get cronTasks() {
      return state.cronTasks.map(({ id, command, disabled }) => ({ id: String(id), command, disabled }));
    },
    get backups() {
      const moment = timeline.now();
      const made = (kind: BackupKind) =>
        backupsOf(state, kind, moment).map(({ id, instant }) => ({ id, madeAt: instant }));
      return { files: made('files'), databases: made('databases') };
    },
    setDiskUsage(bytes, growthPerDay = 0) {
      state.disk = changedTo(state.disk, timeline.now().lived, bytes, growthPerDay);
    },
    setDiskLimit(bytes) {
      state.diskLimit = bytes;
    },
    setBalance(balance) {
      state.balance = changedTo(state.balance, timeline.now().lived, balance, -state.dailyCharge);
    },
    addSite: (name, load) => String(addSite(state, timeline.now(), name, load).id),
    deleteSite: (name) => deleteSite(state, timeline.now(), String(siteNamed(name).id)),
    setFrozen(name, frozen) {
      siteNamed(name).frozen = frozen;
    },
    addDatabase(database) {
      addDatabase(state, timeline.now(), database);
    },
    deleteDatabase: (name) => deleteDatabase(state, timeline.now(), name),
    setDatabaseSize(name, bytes, growthPerDay = 0) {
      const database = findDatabase(state, name);
      database.size = changedTo(database.size, timeline.now().lived, bytes, growthPerDay);
    },
    changePassword(password) {
      state.password = password;
    },
    changeToken(token) {
      state.token = token;
    },
    forbid(methodOrSection) {
      state.forbidden.add(methodOrSection);
    },
    permit(methodOrSection) {
      state.forbidden.delete(methodOrSection);
    },
    stopBackups() {
      state.backupsStoppedAt = timeline.now().instant;
    },
  };
}
