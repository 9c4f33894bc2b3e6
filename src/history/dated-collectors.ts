import type { FanOutCollector } from '../collectors/collector.ts';
import { databaseLoadDetail } from '../collectors/database-load-detail.ts';
import { siteLoadDetail } from '../collectors/site-load-detail.ts';

/** The collectors whose payloads date their values, so that they are known for the time before the first poll. */
export const datedCollectors: readonly FanOutCollector[] = [siteLoadDetail, databaseLoadDetail];
