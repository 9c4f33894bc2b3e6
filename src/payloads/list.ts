import { accountInfo } from './account-info.ts';
import { backupContents, backupList } from './backup-list.ts';
import { cronTaskList } from './cron-task-list.ts';
import { databaseList } from './database-list.ts';
import { dnsZone } from './dns-zone.ts';
import { domainList, subdomainList } from './domain-list.ts';
import { ftpAccountList } from './ftp-account-list.ts';
import { databaseLoadHistory, siteLoadHistory } from './load-history.ts';
import { databaseLoadList, siteLoadList } from './load-list.ts';
import { mailboxList } from './mailbox-list.ts';
import { phpVersion } from './php-version.ts';
import type { PayloadSchema } from './scalars.ts';
import { siteList } from './site-list.ts';

/** All payloads, for the thread that reads large responses. */
export const payloads: readonly PayloadSchema[] = [
  accountInfo,
  databaseList,
  siteLoadList,
  databaseLoadList,
  siteLoadHistory,
  databaseLoadHistory,
  siteList,
  domainList,
  subdomainList,
  mailboxList,
  ftpAccountList,
  cronTaskList,
  backupList,
  backupContents,
  dnsZone,
  phpVersion,
];
