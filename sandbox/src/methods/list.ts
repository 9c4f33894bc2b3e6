import type { Dialect } from '../dialect.ts';
import { backup } from './backup.ts';
import { cron } from './cron.ts';
import { dns } from './dns.ts';
import { domain } from './domain.ts';
import { ftp } from './ftp.ts';
import { mail } from './mail.ts';
import type { SandboxMethod, SandboxSection } from './method.ts';
import { mysql } from './mysql.ts';
import { site } from './site.ts';
import { stat } from './stat.ts';
import { user } from './user.ts';

const sections: Readonly<Record<string, Readonly<Record<Dialect, SandboxSection>>>> = {
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

/** Every method of a dialect by its path (section/method). */
export function methodsOf(dialect: Dialect): ReadonlyMap<string, SandboxMethod> {
  return new Map(
    Object.entries(sections).flatMap(([section, byDialect]) =>
      Object.entries(byDialect[dialect]).map(([name, method]) => [`${section}/${name}`, method] as const),
    ),
  );
}
