import { figures, latest, type Scope, selector } from './figures.ts';
import { records } from './records.ts';
import type { Query } from './template.ts';
import { thresholds } from './thresholds.ts';

/** While polls fail, descriptions state the age of their figures if it exceeds this many seconds. */
const noteworthyAge = 1800;

function recorded(record: string): Query {
  return (scope) => selector(scope, record);
}

/** The newest value of a figure within the last day, so that a description keeps its numbers while an account cannot be polled. */
function lastKnown(figure: { readonly expression: (scope: Scope) => string }): Query {
  return (scope) => figure.expression({ ...scope, window: '1d' });
}

function where(query: Query, condition: string): Query {
  return (scope) => `${query(scope)} ${condition}`;
}

function difference(minuend: Query, subtrahend: Query): Query {
  return (scope) => `(${minuend(scope)} - ${subtrahend(scope)})`;
}

const usage = recorded(records.diskUsage);
const limit = recorded(records.diskLimit);
const daysToFull = recorded(records.diskDaysToFull);

/** The age of the figures of a collector in seconds. No result unless its polls fail and the age exceeds `noteworthyAge`. */
function age(collector: string): Query {
  return (scope) => {
    const matcher = `collector="${collector}"`;
    const held = selector(scope, records.held, matcher);
    return `(time() - ${selector(scope, records.freshSince, matcher)}) > ${noteworthyAge} and ${held}`;
  };
}

/** The queries of the descriptions, the same in all languages. Each query returns at most one result, or a list of reasons. */
export const facts = {
  /** Free bytes. No result if the quota is used up. */
  diskFree: where(difference(limit, usage), '> 0'),
  /** Bytes beyond the quota. No result if the quota is not exceeded. */
  diskExcess: where(difference(usage, limit), '> 0'),
  /** The largest quota of the last week in bytes. No result unless it is larger than the current quota. */
  formerDiskLimit: (scope: Scope) => `max_over_time(${limit(scope)}[7d]) > ${limit(scope)}`,
  diskUsed: recorded(records.diskUsed),
  /** Days until the disk is full. No result below one day and from 60 days on. */
  diskDaysToFull: (scope: Scope) => `${daysToFull(scope)} >= 1 < 60`,
  /** Seconds until the disk is full, in steps of ten minutes. No result from one day on. */
  diskSecondsToFull: (scope: Scope) => `clamp_min(round((${daysToFull(scope)} < 1) * 86400, 600), 600)`,
  /** 1 if the account has less than three days of history. */
  diskGrowthUnknown: (scope: Scope) =>
    `group without () (${usage(scope)}) unless ${selector(scope, records.diskGrowth)}`,
  databasesSize: lastKnown(figures.databasesSize),
  databaseSize: recorded(records.databaseSize),
  balance: lastKnown(figures.balance),
  dailyCharge: lastKnown(figures.dailyCharge),
  planLoad: recorded(records.planLoad),
  planLoadLimit: recorded(records.planLimit),
  inventory: recorded(records.inventory),
  formerInventory: (scope: Scope) =>
    `max_over_time(${selector(scope, records.inventory)}[${thresholds.HostingInventoryCollapsed.parameters.memory.value}])`,
  requestBudget: lastKnown(figures.requestBudget),
  collectorInterval: lastKnown(figures.collectorInterval),
  rejectedAccounts: (scope: Scope) => `count(${selector(scope, records.rejected)})`,
  allAccounts: (scope: Scope) => `count(${selector(scope, records.accountUp)})`,
  /** The reasons why polls of the accounts in scope fail. */
  failureReasons: (scope: Scope) => `group by (reason) (${latest(scope, 'hosting_exporter_collector_failing')})`,
  accountAge: age('account'),
  siteLoadAge: age('site_load'),
  domainsAge: age('domains'),
  backupsAge: age('backups'),
} as const;
