import { account } from './account.ts';
import type { Collector } from './collector.ts';
import { databaseLoad } from './database-load.ts';
import { databaseLoadDetail } from './database-load-detail.ts';
import { databases } from './databases.ts';
import { siteLoad } from './site-load.ts';
import { siteLoadDetail } from './site-load-detail.ts';

/** All collectors, in the order in which they are documented. */
export const collectors: readonly Collector[] = [
  account,
  databases,
  siteLoad,
  databaseLoad,
  siteLoadDetail,
  databaseLoadDetail,
];
