import type { Dialect } from '../api/dialect.ts';
import { printSize } from './dialects/sizes.ts';
import { bytesAt } from './figures/growth.ts';
import { dayRows, hourRows, measuredDays, monthAverage, type Row } from './figures/load.ts';
import { printAverage, printDatabaseLoad, printSiteLoad } from './methods/stat.ts';
import { balanceOf, databasesSizeOf, daysToBlockOf, serverHealthOf } from './state/account-figures.ts';
import { dnsRecords } from './state/dns.ts';
import { findDomain } from './state/domains.ts';
import type { AccountState, DatabaseRecord, DnsRecord, DomainRecord, SiteRecord } from './state/records.ts';
import type { Moment } from './time/timeline.ts';
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
  /** Undefined in the provider's dialect, which does not tell it. */
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
  readonly phpVersion: string;
  /** Without the name servers that the provider's dialect adds. */
  readonly dnsRecords: readonly DnsRecord[];
}

/** What only the provider's dialect tells of an account; a limit that does not exist is undefined. Megabytes are read as 1000² bytes. */
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

/** As both dialects print it. */
export function trueSite(site: SiteRecord, state: AccountState, moment: Moment): TrueSite {
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

/** As the dialect prints it. */
export function trueDatabase(
  database: DatabaseRecord,
  state: AccountState,
  dialect: Dialect,
  moment: Moment,
): TrueDatabase {
  return {
    name: database.name,
    user: dialect === 'specification' ? database.user : undefined,
    sizeBytes: printSize(bytesAt(database.size, moment.lived), dialect).bytes,
    load: trueLoad(database, state, moment, printDatabaseLoad),
    sizes: measuredDays(database.load, moment, state.zone).map((row) =>
      trueRow({ wall: row.wall, value: bytesAt(database.size, row.lived) }, day, state, moment),
    ),
  };
}

/** As both dialects print it. */
export function trueDomain(
  { fqdn, autoRenew, expiresDay, registrar, status, phpVersion }: DomainRecord,
  state: AccountState,
): TrueDomain {
  const expiresAt = expiresDay === undefined ? undefined : state.zone.toInstant(expiresDay * day);
  return { fqdn, autoRenew, expiresAt, registrar, status, phpVersion, dnsRecords: dnsRecords(state, fqdn) };
}

/** As the provider's dialect prints it. */
export function trueDetails(state: AccountState, moment: Moment): TrueDetails {
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
