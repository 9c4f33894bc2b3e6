import type { Form } from '../forms/form.ts';
import { backup } from './backup.ts';
import { cron } from './cron.ts';
import { dns } from './dns.ts';
import { domain } from './domain.ts';
import { ftp } from './ftp.ts';
import { mail } from './mail.ts';
import type { Method, Section } from './method.ts';
import { mysql } from './mysql.ts';
import { site } from './site.ts';
import { stat } from './stat.ts';
import { user } from './user.ts';

const sections: Readonly<Record<string, Readonly<Record<Form, Section>>>> = {
  user,
  backup,
  mysql,
  domain,
  dns,
  site,
  ftp,
  mail,
  cron,
  stat,
};

/** Every method of a form by its path, section/method. */
export function methodsOf(form: Form): ReadonlyMap<string, Method> {
  return new Map(
    Object.entries(sections).flatMap(([section, byForm]) =>
      Object.entries(byForm[form]).map(([name, method]) => [`${section}/${name}`, method] as const),
    ),
  );
}
