import type { Dialect } from './dialect.ts';
import { printSize } from './dialect.ts';
import { bytesAt } from './figures/growth.ts';
import { dayRows, hourRows, measuredDays, monthAverage, type Row } from './figures/load.ts';
import { printAverage, printDatabaseLoad, printSiteLoad } from './methods/stat.ts';
import { softwareOf } from './methods/user.ts';
import { balanceOf, databasesSizeOf, daysToBlockOf, serverHealthOf } from './state/account-figures.ts';
import { findZone } from './state/dns.ts';
import { findDomain } from './state/domains.ts';
import type { AccountRecord, DatabaseRecord, DomainRecord, SiteRecord } from './state/records.ts';
import type { SandboxMoment } from './time/timeline.ts';
import { day, hour, printDate, printDateTime } from './time/zone.ts';

/** The expected figures of a site, which are the same in both dialects. */
export function expectedSite(site: SiteRecord, state: AccountRecord, moment: SandboxMoment) {
  return {
    id: String(site.id),
    name: site.name,
    frozen: site.frozen,
    domains: site.domainIds.map((id) => {
      const { fqdn, phpVersion, ssl } = findDomain(state, String(id));
      return { fqdn, phpVersion, https: ssl, sslStatus: ssl ? 'wle_set' : 'none' };
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
) {
  return {
    name: database.name,
    // The provider does not report the user.
    user: dialect === 'specification' ? database.user : undefined,
    sizeBytes: printSize(bytesAt(database.size, moment.simulated), dialect).bytes,
    // The number of hosts other than localhost that may connect. The specification does not report these hosts.
    remoteAccesses:
      dialect === 'provider' ? [...database.accesses.keys()].filter((host) => host !== 'localhost').length : undefined,
    load: expectedLoad(database, state, moment, printDatabaseLoad),
    get sizes() {
      return measuredDays(database.load, moment, state.zone).map((row) =>
        expectedRow({ wall: row.wall, value: bytesAt(database.size, row.simulated) }, day, state, moment),
      );
    },
  };
}

/** The expected figures of a domain, which are the same in both dialects. */
export function expectedDomain(
  { fqdn, autoRenew, renewal, expiresDay, registrar, status, underControl, phpVersion }: DomainRecord,
  state: AccountRecord,
) {
  const expiresAt = expiresDay === undefined ? undefined : state.zone.toInstant(expiresDay * day);
  const dnsRecords = findZone(state, fqdn).records;
  return { fqdn, autoRenew, renewal, expiresAt, registrar, status, underControl, phpVersion, dnsRecords };
}

/** The figures of an account that only the provider's dialect reports. A missing limit is undefined. */
export function expectedDetails(state: AccountRecord, moment: SandboxMoment) {
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

/** The expected load, computed when it is read: the daily mean of the last month, and the listed hours and days, oldest first. */
function expectedLoad(
  { load }: SiteRecord | DatabaseRecord,
  state: AccountRecord,
  moment: SandboxMoment,
  print: (value: number) => string,
) {
  const rows = (list: readonly Row[], length: number) =>
    list.map(({ wall, value }) => expectedRow({ wall, value: Number(print(value)) }, length, state, moment));
  return {
    get average() {
      return Number(printAverage(monthAverage(load, moment, state.zone)));
    },
    get hours() {
      return rows(hourRows(load, moment, state.zone), hour);
    },
    get days() {
      return rows(dayRows(load, moment, state.zone), day);
    },
  };
}

/** One hour or day of a list. Times are in Unix milliseconds. `complete`: whether the hour or day has ended. */
function expectedRow({ wall, value }: Row, length: number, { zone }: AccountRecord, { instant }: SandboxMoment) {
  const endsAt = zone.toInstant(wall + length);
  return {
    date: length === day ? printDate(wall) : printDateTime(wall),
    startsAt: zone.toInstant(wall),
    endsAt,
    complete: endsAt <= instant,
    value,
  };
}
