/** The sections of the API, as the provider's control panel names them. Permissions are granted per section. */
const sectionLabels = {
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

/**
 * A method of the API as `section/name`. Only reading methods compile: their names begin with `get` or `is`, and no method
 * that changes something has such a name.
 */
export type Method = `${Section}/${'get' | 'is'}${string}`;

/** The part of a method's name before the slash. */
export function sectionOf(method: Method): Section {
  return method.slice(0, method.indexOf('/')) as Section;
}

/** What the control panel calls a section, for advice on permissions. */
export function sectionLabel(section: Section): string {
  return sectionLabels[section];
}
