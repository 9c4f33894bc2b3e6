import { basename } from 'node:path/posix';
import * as z from 'zod';
import { domainKey, payloadSchema } from './scalars.ts';

/** The payload of site/getList: the sites with their linked domains. */
export const siteList = payloadSchema(({ list, id, domain, optionalName, flag }) =>
  list(
    z
      .object({
        id,
        name: optionalName,
        path: optionalName,
        is_frozen: flag.nullish(),
        domains: list(
          z.object({ fqdn: domain, php_version: optionalName, ssl: flag.nullish(), ssl_status: optionalName }),
          domainKey,
        ).nullish(),
      })
      .transform(({ path, ...site }) => ({
        ...site,
        name: site.name ?? folderOf(path ?? ''),
        domains: site.domains ?? [],
      })),
    (site) => site.id,
  ),
);

/** Returns the name of a site's folder without its path, because labels must not contain the path of a home directory. */
function folderOf(path: string): string {
  return basename(path.replace(/\/public_html\/?$/, ''));
}
