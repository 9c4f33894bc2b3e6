import type { Dialect } from '../api/dialect.ts';
import { printSize } from './dialects/sizes.ts';
import { bytesAt } from './figures/growth.ts';
import { dayRows, hourRows, measuredDays, monthAverage, type Row } from './figures/load.ts';
import { printAverage, printDatabaseLoad, printSiteLoad } from './methods/stat.ts';
import { softwareOf } from './methods/user.ts';
import { balanceOf, databasesSizeOf, daysToBlockOf, serverHealthOf } from './state/account-figures.ts';
import { findZone } from './state/dns.ts';
import { findDomain } from './state/domains.ts';
import type { AccountRecord, DatabaseRecord, DnsRecord, DomainRecord, SiteRecord } from './state/records.ts';
import type { SandboxMoment } from './time/timeline.ts';
import { day, hour, printDate, printDateTime } from './time/zone.ts';

/** One hour or day of a list. `startsAt` and `endsAt` are in Unix milliseconds. `complete`: whether the hour or day has ended. */
interface ExpectedRow {
  /** The hour or day as the API prints it, in the account's time zone. */
  readonly date: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly complete: boolean;
  /** The load in the provider's unit, or the size in bytes. */
  readonly value: number;
}

/** Load of a site or database: the daily mean of the last month, and the listed hours and days, oldest first. */
interface ExpectedLoad {
  readonly average: number;
  readonly hours: readonly ExpectedRow[];
  readonly days: readonly ExpectedRow[];
}

export interface ExpectedSite {
  readonly id: string;
  readonly name: string;
  readonly frozen: boolean;
  readonly domains: readonly {
    readonly fqdn: string;
    readonly phpVersion: string;
    readonly sslStatus: string | null;
  }[];
  readonly load: ExpectedLoad;
}

export interface ExpectedDatabase {
  readonly name: string;
  /** The user of the database; undefined in the provider's dialect, which does not report the user. */
  readonly user: string | undefined;
  readonly sizeBytes: number;
  /** Number of hosts other than localhost that may connect; undefined in the specification's dialect. */
  readonly remoteAccesses: number | undefined;
  readonly load: ExpectedLoad;
  /** The size on each day, in bytes. */
  readonly sizes: readonly ExpectedRow[];
}

export interface ExpectedDomain {
  readonly fqdn: string;
  readonly autoRenew: boolean;
  /** The status of the newest order to renew the domain, if there is one. */
  readonly renewal: string | null;
  /** The start of the printed expiry day, in Unix milliseconds. */
  readonly expiresAt: number | undefined;
  readonly registrar: string | null;
  readonly status: string | null;
  readonly underControl: boolean;
  readonly phpVersion: string;
  /** The DNS records, without the name servers that the provider's dialect adds. */
  readonly dnsRecords: readonly DnsRecord[];
}

/** Account figures that only the provider's dialect reports. A missing limit is undefined. A megabyte is 1000² bytes. */
export interface ExpectedDetails {
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
  /** The version of each program on the server, without spaces around it. */
  readonly serverSoftware: Readonly<Record<string, string>>;
}

/** The expected figures of a site, which are the same in both dialects. */
export function expectedSite(site: SiteRecord, state: AccountRecord, moment: SandboxMoment): ExpectedSite {
  return {
    id: String(site.id),
    name: site.name,
    frozen: site.frozen,
    domains: site.domainIds.map((id) => {
      const { fqdn, phpVersion, ssl } = findDomain(state, String(id));
      return { fqdn, phpVersion, sslStatus: ssl ? 'wle_set' : null };
    }),
    load: expectedLoad(site, state, moment, printSiteLoad),
  };
}

/** The expected figures of a database, with the precision of the dialect. */
export function expectedDatabase(
  database: DatabaseRecord,
  state: AccountRecord,
  dialect: Dialect,
  moment: SandboxMoment,
): ExpectedDatabase {
  return {
    name: database.name,
    user: dialect === 'specification' ? database.user : undefined,
    sizeBytes: printSize(bytesAt(database.size, moment.simulated), dialect).bytes,
    remoteAccesses:
      dialect === 'provider' ? [...database.accesses.keys()].filter((host) => host !== 'localhost').length : undefined,
    load: expectedLoad(database, state, moment, printDatabaseLoad),
    sizes: measuredDays(database.load, moment, state.zone).map((row) =>
      expectedRow({ wall: row.wall, value: bytesAt(database.size, row.simulated) }, day, state, moment),
    ),
  };
}

/** The expected figures of a domain, which are the same in both dialects. */
export function expectedDomain(
  { fqdn, autoRenew, renewal, expiresDay, registrar, status, underControl, phpVersion }: DomainRecord,
  state: AccountRecord,
): ExpectedDomain {
  const expiresAt = expiresDay === undefined ? undefined : state.zone.toInstant(expiresDay * day);
  return {
    fqdn,
    autoRenew,
    renewal,
    expiresAt,
    registrar,
    status,
    underControl,
    phpVersion,
    dnsRecords: findZone(state, fqdn).records,
  };
}

/** The expected figures of an account, with the precision of the provider's dialect. */
export function expectedDetails(state: AccountRecord, moment: SandboxMoment): ExpectedDetails {
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
    serverMemoryBytes: server.memory * 1024 ** 2,
    serverMemoryUsedBytes: health.memoryUsed * 1024 ** 2,
    serverUptimeSeconds: health.uptimeDays * 86_400,
    serverSoftware: Object.fromEntries(softwareOf(server).map(([name, version]) => [name, version.trim()])),
  };
}

function expectedLoad(
  { load }: SiteRecord | DatabaseRecord,
  state: AccountRecord,
  moment: SandboxMoment,
  print: (value: number) => string,
): ExpectedLoad {
  const rows = (list: readonly Row[], length: number) =>
    list.map(({ wall, value }) => expectedRow({ wall, value: Number(print(value)) }, length, state, moment));
  return {
    average: Number(printAverage(monthAverage(load, moment, state.zone))),
    hours: rows(hourRows(load, moment, state.zone), hour),
    days: rows(dayRows(load, moment, state.zone), day),
  };
}

function expectedRow(
  { wall, value }: Row,
  length: number,
  { zone }: AccountRecord,
  { instant }: SandboxMoment,
): ExpectedRow {
  const endsAt = zone.toInstant(wall + length);
  return {
    date: length === day ? printDate(wall) : printDateTime(wall),
    startsAt: zone.toInstant(wall),
    endsAt,
    complete: endsAt <= instant,
    value,
  };
}
