import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** The payload of domain/getList. The expiry date is in Unix milliseconds. */
export const domainList = payloadSchema(({ list, name, flag, date, optionalName }) =>
  list(
    z
      .object({
        fqdn: name,
        date_expire: date,
        auto_renew: flag.nullish(),
        registrar: optionalName,
        registrar_status: optionalName,
      })
      .transform((domain) => ({
        name: domain.fqdn,
        expiry: domain.date_expire,
        autoRenew: domain.auto_renew,
        registrar: domain.registrar ?? '',
        status: domain.registrar_status ?? '',
      })),
    (domain) => domain.name,
  ),
);
