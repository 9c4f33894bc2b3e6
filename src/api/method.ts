/** The names of the API's sections in the provider's control panel, which grants permissions per section. */
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

/** A method as `section/name`. Only methods that read data compile, because only their names begin with `get` or `is`. */
export type Method = `${Section}/${'get' | 'is'}${string}`;

export function sectionOf(method: Method): Section {
  return method.slice(0, method.indexOf('/')) as Section;
}
