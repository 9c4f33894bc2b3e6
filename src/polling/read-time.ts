import type { ApiSession } from '../api/session.ts';
import type { ReadTime } from '../collectors/collector.ts';
import type { ApiConfig } from '../config/config.ts';

/** The times for a payload that just arrived. */
export function readTimeOf({ clock }: ApiSession, { settlingTime }: ApiConfig): ReadTime {
  const { now } = clock;
  return { now, settled: now - settlingTime };
}
