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

/** The part of a method's name before the slash; permissions are given for it as a whole. */
export function sectionOf(method: Method): string {
  return method.slice(0, method.indexOf('/'));
}

const boxes: Readonly<Record<string, string>> = {
  user: 'account management',
  mysql: 'MySQL',
  stat: 'statistics',
  site: 'sites',
  domain: 'domains',
  mail: 'mail',
  ftp: 'FTP',
  cron: 'Cron',
  backup: 'backups',
};

/** What the provider's control panel calls a section, where one ticks what the API password may do. */
export function boxOfSection(section: string): string {
  return boxes[section] ?? section;
}
