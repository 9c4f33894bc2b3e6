import { type Scope, selector } from './figures.ts';
import { records } from './records.ts';
import type { Query } from './template.ts';

function recorded(record: string): Query {
  return (scope) => selector(scope, record);
}

/** The queries in the descriptions of alerts. Each query returns at most one result, or a list of labels. */
export const facts = {
  /** Free gigabytes. No result if the quota is used up. */
  diskFree: (scope: Scope) => `${recorded(records.diskFree)(scope)}/1e9>0`,
  /** The reasons why the newest polls of a collector fail. */
  collectorFailures: recorded('hosting_exporter_collector_failing'),
  /** The reasons why the newest polls fail. */
  failureReasons: (scope: Scope) => `group by (reason) (${selector(scope, 'hosting_exporter_collector_failing')})`,
} as const;
