import { databaseLoadDetail } from '../collectors/database-load-detail.ts';
import { siteLoadDetail } from '../collectors/site-load-detail.ts';
import type { HistoryRow } from '../payloads/load-history.ts';
import type { AccountStore } from './account-store.ts';

const hour = 3_600_000;

/** If the newest load is at least this many hours old, the time zone is in doubt. A lower age may mean that the account had no load. */
const minHoursBehind = 3;

/** Maximum number of load histories to read per collector. */
const maxHistories = 5;

/**
 * Compares the newest hour of the load histories with the provider's clock. Undefined if they agree, or if there are no histories. `hours`:
 * hours by which the newest load is ahead of the clock, negative if behind. `likely`: a time zone that would explain the difference.
 */
export function timeZoneDoubt(store: AccountStore, timeZone: string) {
  const ages = [siteLoadDetail, databaseLoadDetail].flatMap(({ name }) =>
    [...store.results(name).values()].slice(0, maxHistories).map(({ payload, providerTime }) => {
      const { hours } = JSON.parse(payload) as { readonly hours: readonly HistoryRow[] };
      return providerTime - hours.reduce((newest, { period }) => Math.max(newest, period.start), -Infinity);
    }),
  );
  const hours = -Math.floor(Math.min(...ages) / hour);
  if (!Number.isFinite(hours) || (hours <= 0 && hours > -minHoursBehind)) return undefined;
  const zones = ['UTC', 'Europe/Moscow', ...Intl.supportedValuesOf('timeZone').toReversed()];
  const wanted = offsetOf(timeZone) + hours * hour;
  return { hours, likely: zones.find((zone) => offsetOf(zone) === wanted) };
}

/** Milliseconds by which a time zone is ahead of UTC now. */
function offsetOf(timeZone: string): number {
  const now = new Date(Math.floor(Date.now() / 1000) * 1000);
  return Date.parse(`${now.toLocaleString('sv-SE', { timeZone })}Z`) - now.getTime();
}
