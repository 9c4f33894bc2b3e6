/**
 * Every method that may ever be called, as `section/method`. All of them only read: there is no way to name one that
 * changes the account.
 */
export const readMethods = [
  'user/getAccountInfo',
  'mysql/getList',
  'stat/getSitesListLoad',
  'stat/getDbListLoad',
  'stat/getSiteLoad',
  'stat/getDbLoad',
  'site/getList',
  'domain/getList',
  'domain/getPhpVersion',
  'mail/getMailboxList',
  'ftp/getList',
  'cron/getList',
  'backup/getFileBackupList',
  'backup/getMysqlBackupList',
  'backup/getFileList',
  'backup/getMysqlList',
] as const;

export type Method = (typeof readMethods)[number];
