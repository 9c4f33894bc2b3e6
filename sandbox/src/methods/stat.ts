import { bytesAt } from '../figures/growth.ts';
import { dayRows, hourRows, type LoadProfile, measuredDays, monthAverage } from '../figures/load.ts';
import type { JsonObject } from '../json.ts';
import { findDatabase } from '../state/databases.ts';
import type { DatabaseRecord, SiteRecord } from '../state/records.ts';
import { findSite } from '../state/sites.ts';
import { printDate, printDateTime } from '../time/zone.ts';
import { type Call, printId, read, type SandboxSection } from './method.ts';

const getSitesListLoad = read('average load of sites over the last month', [], (call) =>
  byLoad(call.account.sites, call).map(({ item: { name, id }, cp }) => ({ name, id: printId(id, call.account), cp })),
);

// The specification defines neither payloads nor parameters, so both dialects have the provider's payloads and parameters.
const shared: SandboxSection = {
  getSitesListLoad,
  getDbListLoad: read('average load of databases over the last month', [], (call) =>
    byLoad(call.account.databases, call).map(({ item, cp }) => ({ name: item.name, cp })),
  ),
  getSiteLoad: read('load of one site by days and hours', ['site_id'], (call, id) =>
    siteLoad(findSite(call.account, id), call),
  ),
  getDbLoad: read('load and size of one database by days and hours', ['db_name'], (call, name) =>
    databaseLoad(findDatabase(call.account, name), call),
  ),
};

// The provider's documentation uses two names for one method: getSitesListLoad and getSiteListLoad.
export const stat = { specification: shared, provider: { ...shared, getSiteListLoad: getSitesListLoad } };

/** The items with their averages, highest first. */
function byLoad<Item extends SiteRecord | DatabaseRecord>(items: readonly Item[], { account, moment }: Call) {
  return items
    .map((item) => ({ item, average: monthAverage(item.load, moment, account.zone) }))
    .sort((a, b) => b.average - a.average)
    .map(({ item, average }) => ({ item, cp: printAverage(average) }));
}

/** Prints a monthly average with six decimals. */
export function printAverage(average: number): string {
  return average.toFixed(6);
}

/** Prints a site's load with two decimals. */
export function printSiteLoad(load: number): string {
  return load.toFixed(2);
}

/** Prints a database's load as a whole number. */
export function printDatabaseLoad(load: number): string {
  return load.toFixed(0);
}

function siteLoad({ load }: SiteRecord, call: Call): JsonObject {
  return loadRows(load, call, (value) => ({ value: printSiteLoad(value) }));
}

function databaseLoad({ load, size }: DatabaseRecord, call: Call): JsonObject {
  const { hours, days } = loadRows(load, call, (value) => ({ cpu_time: printDatabaseLoad(value) }));
  return {
    hours,
    days,
    size_days: measuredDays(load, call.moment, call.account.zone).map(({ wall, simulated }) => ({
      date: printDate(wall),
      size: String(bytesAt(size, simulated)),
    })),
  };
}

function loadRows(load: LoadProfile, { account, moment, lag }: Call, print: (value: number) => JsonObject) {
  return {
    days: dayRows(load, moment, account.zone, lag).map((row) => ({ ...print(row.value), date: printDate(row.wall) })),
    hours: hourRows(load, moment, account.zone, lag).map((row) => ({
      ...print(row.value),
      date: printDateTime(row.wall),
    })),
  };
}
