/** How the control panel names the sections of the API. In the control panel, each permission is for one section. */
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

/** A method that reads data, as `section/name`. TypeScript rejects a name that does not start with `get` or `is`. */
export type Method = `${Section}/${'get' | 'is'}${string}`;

export function sectionOf(method: Method): Section {
  return method.slice(0, method.indexOf('/')) as Section;
}

/** How an API server answers: as the specification describes, or as the live provider does. */
export const dialects = ['specification', 'provider'] as const;

export type Dialect = (typeof dialects)[number];
