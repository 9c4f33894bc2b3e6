import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** The answer of site/getList: the sites with the domains that are linked to them. */
export const siteList = payloadSchema(({ list, id, name }) =>
  list(
    z
      .object({
        id,
        name: name.nullish(),
        path: name.nullish(),
        domains: list(z.object({ fqdn: name, php_version: name.nullish(), ssl_status: name.nullish() })).optional(),
      })
      .transform((site) => ({
        id: site.id,
        name: site.name ?? site.path?.replace(/\/public_html\/?$/, '') ?? '',
        domains: (site.domains ?? []).map((domain) => ({
          name: domain.fqdn,
          phpVersion: domain.php_version ?? '',
          sslStatus: domain.ssl_status ?? '',
        })),
      })),
  ),
);
