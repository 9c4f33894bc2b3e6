import { account } from './account.ts';
import { backups } from './backups.ts';
import type { Collector } from './collector.ts';
import { cronTasks } from './cron-tasks.ts';
import { databaseLoad } from './database-load.ts';
import { databaseLoadDetail } from './database-load-detail.ts';
import { databases } from './databases.ts';
import { dns } from './dns.ts';
import { domains } from './domains.ts';
import { frozenSites } from './frozen-sites.ts';
import { ftpAccounts } from './ftp-accounts.ts';
import { mailboxes } from './mailboxes.ts';
import { phpVersions } from './php-versions.ts';
import { siteLoad } from './site-load.ts';
import { siteLoadDetail } from './site-load-detail.ts';
import { sites } from './sites.ts';

/** All collectors, in the order of the documentation. A collector comes after the collector whose list it uses. */
export const collectors: readonly Collector[] = [
  account,
  databases,
  siteLoad,
  databaseLoad,
  siteLoadDetail,
  databaseLoadDetail,
  sites,
  domains,
  mailboxes,
  ftpAccounts,
  cronTasks,
  backups,
  dns,
  phpVersions,
  frozenSites,
];
