import { bytesAt } from '../figures/growth.ts';
import { dayRows, hourRows, measuredDays, monthAverage } from '../figures/load.ts';
import type { JsonObject } from '../json.ts';
import { findDatabase } from '../state/databases.ts';
import type { DatabaseRecord, SiteRecord } from '../state/records.ts';
import { findSite } from '../state/sites.ts';
import { printDate, printDateTime } from '../time/zone.ts';
import type { Call, SpecificationSection } from './method.ts';
import { printId } from './scalars.ts';

// The specification defines neither payloads nor parameters, so they are the provider's in both dialects.
const shared: SpecificationSection = {
  getSitesListLoad: {
    purpose: 'average load of sites over the last month',
    answer: ({ account, moment }) =>
      account.sites
        .map((site) => ({ site, average: monthAverage(site.load, moment, account.zone) }))
        .sort((a, b) => b.average - a.average)
        .map(({ site, average }) => ({
          name: site.name,
          id: printId(site.id, account),
          cp: printAverage(average),
        })),
  },
  getDbListLoad: {
    purpose: 'average load of databases over the last month',
    answer: ({ account, moment }) =>
      account.databases
        .map(({ name, load }) => ({ name, average: monthAverage(load, moment, account.zone) }))
        .sort((a, b) => b.average - a.average)
        .map(({ name, average }) => ({ name, cp: printAverage(average) })),
  },
  getSiteLoad: {
    purpose: 'load of one site by days and hours',
    parameters: ['site_id'],
    answer: (call) => siteLoad(findSite(call.account, call.args.text('site_id')), call),
  },
  getDbLoad: {
    purpose: 'load and size of one database by days and hours',
    parameters: ['db_name'],
    answer: (call) => databaseLoad(findDatabase(call.account, call.args.text('db_name')), call),
  },
};

export const stat = { specification: shared, provider: shared };

/** A monthly average has six decimals. */
export function printAverage(average: number): string {
  return average.toFixed(6);
}

/** A site's load has two decimals. */
export function printSiteLoad(load: number): string {
  return load.toFixed(2);
}

/** A database's load is a whole number. */
export function printDatabaseLoad(load: number): string {
  return load.toFixed(0);
}

function siteLoad(site: SiteRecord, { account, moment, lag }: Call): JsonObject {
  return {
    days: dayRows(site.load, moment, account.zone, lag).map((row) => ({
      value: printSiteLoad(row.value),
      date: printDate(row.wall),
    })),
    hours: hourRows(site.load, moment, account.zone, lag).map((row) => ({
      value: printSiteLoad(row.value),
      date: printDateTime(row.wall),
    })),
  };
}

function databaseLoad(database: DatabaseRecord, { account, moment, lag }: Call): JsonObject {
  return {
    hours: hourRows(database.load, moment, account.zone, lag).map((row) => ({
      cpu_time: printDatabaseLoad(row.value),
      date: printDateTime(row.wall),
    })),
    days: dayRows(database.load, moment, account.zone, lag).map((row) => ({
      cpu_time: printDatabaseLoad(row.value),
      date: printDate(row.wall),
    })),
    size_days: measuredDays(database.load, moment, account.zone).map((row) => ({
      date: printDate(row.wall),
      size: String(bytesAt(database.size, row.simulated)),
    })),
  };
}
