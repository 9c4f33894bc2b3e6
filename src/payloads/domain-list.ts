import * as z from 'zod';
import { domainKey, payloadSchema } from './scalars.ts';

/** The payload of domain/getList. `is_subdomain` is undefined in the dialect with a separate list of subdomains. */
export const domainList = payloadSchema(({ list, domain, flag, date, optionalName }) =>
  list(
    z.object({
      fqdn: domain,
      date_expire: date,
      auto_renew: flag.nullish(),
      // 0 means that no renewal was ordered.
      renew_order_status: z.preprocess((status) => (status === 0 || status === '0' ? null : status), optionalName),
      registrar: optionalName,
      registrar_status: optionalName,
      is_under_control: flag.nullish(),
      is_subdomain: flag.nullish(),
    }),
    domainKey,
  ),
);

export const subdomainList = payloadSchema(({ list, domain }) => list(z.object({ fqdn: domain }), domainKey));
