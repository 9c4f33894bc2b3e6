/** Names of the API's sections in the control panel. Each permission in the control panel is for one section. */
export const sectionLabels = {
  user: 'account management',
  backup: 'backups',
  cron: 'Cron',
  dns: 'DNS',
  ftp: 'FTP',
  mysql: 'MySQL',
  site: 'sites',
  domain: 'domains',
  mail: 'mail',
  stat: 'statistics',
} as const;

export type Section = keyof typeof sectionLabels;

/** A method as `section/name`. The names of all methods that read data start with `get` or `is`. Other methods do not compile. */
export type Method = `${Section}/${'get' | 'is'}${string}`;

export function sectionOf(method: Method): Section {
  return method.slice(0, method.indexOf('/')) as Section;
}
