import type { BackupKind } from './figures/backups.ts';
import { bytesAt, changedTo } from './figures/growth.ts';
import { dayRows, hourRows, measuredDays, monthAverage, type Row } from './figures/load.ts';
import type { Form } from './forms/form.ts';
import { printSize } from './forms/sizes.ts';
import { printAverage, printDatabaseLoad, printSiteLoad } from './methods/stat.ts';
import { balanceOf, databasesSizeOf, daysToBlockOf, diskUsageOf, serverHealthOf } from './state/account-figures.ts';
import { backupsOf } from './state/backup-jobs.ts';
import { addDatabase, deleteDatabase, findDatabase } from './state/databases.ts';
import { findDomain } from './state/domains.ts';
import type { AccountState, DatabaseRecord, SiteRecord } from './state/records.ts';
import { addSite, deleteSite } from './state/sites.ts';
import type { Moment, Timeline } from './time/timeline.ts';
import { day, hour, printDate, printDateTime } from './time/zone.ts';

/** One hour or day of a list. `startsAt` and `endsAt` in unix milliseconds; `complete` when it has ended. */
export interface TrueRow {
  /** As printed, in the account's time zone. */
  readonly date: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly complete: boolean;
  /** Load in the provider's unit; bytes in a list of sizes. */
  readonly value: number;
}

/** Load of a site or database: the mean day of the last month, and the rows of the lists, oldest first. */
export interface TrueLoad {
  readonly average: number;
  readonly hours: readonly TrueRow[];
  readonly days: readonly TrueRow[];
}

export interface TrueSite {
  readonly id: string;
  readonly name: string;
  readonly frozen: boolean;
  readonly domains: readonly {
    readonly fqdn: string;
    readonly phpVersion: string;
    readonly sslStatus: string | null;
  }[];
  readonly load: TrueLoad;
}

export interface TrueDatabase {
  readonly name: string;
  /** Undefined in the provider's form, which does not tell it. */
  readonly user: string | undefined;
  readonly sizeBytes: number;
  readonly load: TrueLoad;
  /** Its size by days, in bytes. */
  readonly sizes: readonly TrueRow[];
}

export interface TrueDomain {
  readonly fqdn: string;
  readonly autoRenew: boolean;
  /** Unix milliseconds of the beginning of the day that is printed. */
  readonly expiresAt: number | undefined;
  readonly registrar: string | null;
  readonly status: string | null;
}

/** What only the provider's form tells of an account; a limit that does not exist is undefined. Megabytes are read as 1000² bytes. */
export interface TrueDetails {
  readonly sites: number;
  readonly sitesLimit: number | undefined;
  readonly domains: number;
  readonly domainsLimit: number | undefined;
  readonly databasesLimit: number | undefined;
  readonly databasesSizeBytes: number;
  readonly mailboxes: number;
  readonly mailboxesLimit: number | undefined;
  readonly ftpAccounts: number;
  readonly ftpAccountsLimit: number | undefined;
  readonly loadLimit: number | undefined;
  readonly balance: number;
  readonly dailyCharge: number;
  readonly daysToBlock: number;
  readonly serverLoadAverage: number;
  readonly serverMemoryBytes: number;
  readonly serverMemoryUsedBytes: number;
  readonly serverUptimeSeconds: number;
}

/**
 * One account of a running sandbox: its figures now, exactly as a right reader of the answers gets them in the sandbox's form, with
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
  /** Undefined in the specification's form. */
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
  /** Takes the permission away: of a method (`mysql/getList`) or a section (`mysql`). The provider's form always refuses the whole section. */
  forbid(methodOrSection: string): void;
  /** Gives back what `forbid` took, named the same way. */
  permit(methodOrSection: string): void;
  /** No backup is made after now. */
  stopBackups(): void;
}

export function createHostingAccount(state: AccountState, form: Form, timeline: Timeline): HostingAccount {
  const readable = (bytes: number) => printSize(bytes, form).bytes;
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
      return form === 'provider' ? trueDetails(state, timeline.now()) : undefined;
    },
    get sites() {
      const moment = timeline.now();
      return state.sites.map((site) => trueSite(site, state, moment));
    },
    get databases() {
      const moment = timeline.now();
      return state.databases.map((database) => ({
        ...trueDatabase(database, state, moment),
        user: form === 'specification' ? database.user : undefined,
        sizeBytes: readable(bytesAt(database.size, moment.lived)),
      }));
    },
    get domains() {
      return state.domains.map(({ fqdn, autoRenew, expiresDay, registrar, status }) => ({
        fqdn,
        autoRenew,
        expiresAt: expiresDay === undefined ? undefined : state.zone.toInstant(expiresDay * day),
        registrar,
        status,
      }));
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

function trueSite(site: SiteRecord, state: AccountState, moment: Moment): TrueSite {
  return {
    id: String(site.id),
    name: site.name,
    frozen: site.frozen,
    domains: site.domainIds.map((id) => {
      const { fqdn, phpVersion, ssl } = findDomain(state, String(id));
      return { fqdn, phpVersion, sslStatus: ssl ? 'wle_set' : null };
    }),
    load: trueLoad(site, state, moment, printSiteLoad),
  };
}

function trueDatabase(
  database: DatabaseRecord,
  state: AccountState,
  moment: Moment,
): Pick<TrueDatabase, 'name' | 'load' | 'sizes'> {
  return {
    name: database.name,
    load: trueLoad(database, state, moment, printDatabaseLoad),
    sizes: measuredDays(database.load, moment, state.zone).map((row) =>
      trueRow({ wall: row.wall, value: bytesAt(database.size, row.lived) }, day, state, moment),
    ),
  };
}

function trueLoad(
  { load }: SiteRecord | DatabaseRecord,
  state: AccountState,
  moment: Moment,
  print: (value: number) => string,
): TrueLoad {
  const rows = (list: readonly Row[], length: number) =>
    list.map(({ wall, value }) => trueRow({ wall, value: Number(print(value)) }, length, state, moment));
  return {
    average: Number(printAverage(monthAverage(load, moment, state.zone))),
    hours: rows(hourRows(load, moment, state.zone), hour),
    days: rows(dayRows(load, moment, state.zone), day),
  };
}

function trueRow({ wall, value }: Row, length: number, { zone }: AccountState, { instant }: Moment): TrueRow {
  const endsAt = zone.toInstant(wall + length);
  return {
    date: length === day ? printDate(wall) : printDateTime(wall),
    startsAt: zone.toInstant(wall),
    endsAt,
    complete: endsAt <= instant,
    value,
  };
}

function trueDetails(state: AccountState, moment: Moment): TrueDetails {
  const { plan, server } = state;
  const health = serverHealthOf(state, moment);
  return {
    sites: state.sites.length,
    sitesLimit: plan.sites,
    domains: state.domains.length,
    domainsLimit: plan.domains,
    databasesLimit: plan.databases,
    databasesSizeBytes: printSize(databasesSizeOf(state, moment), 'provider').bytes,
    mailboxes: state.mailboxes.length,
    mailboxesLimit: plan.mailboxes,
    ftpAccounts: state.ftpAccounts.length,
    ftpAccountsLimit: plan.ftpAccounts,
    loadLimit: plan.load,
    balance: balanceOf(state, moment),
    dailyCharge: state.dailyCharge,
    daysToBlock: daysToBlockOf(state, moment),
    serverLoadAverage: health.loadAverage,
    serverMemoryBytes: server.memory * 1_000_000,
    serverMemoryUsedBytes: health.memoryUsed * 1_000_000,
    serverUptimeSeconds: health.uptimeDays * 86_400,
  };
}
