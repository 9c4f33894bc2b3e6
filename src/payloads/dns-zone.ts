import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** Types of records that the API documents. */
const types: ReadonlySet<string> = new Set(['A', 'AAAA', 'CAA', 'CNAME', 'DNS', 'DNS_IP', 'MX', 'NS', 'SRV', 'TXT']);

/** The payload of dns/getData: the number of records of each type. Omits placeholders, whose `value` is empty. */
export const dnsZone = payloadSchema(({ list, object, name }) => {
  const record = z.looseObject({}).transform(({ value = true }) => ({ isEmpty: value === null || value === '' }));
  const records = z.preprocess(
    (value) =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).filter(([type, one]) => types.has(type) || typeof one === 'object'))
        : value,
    object(z.record(name, list(record).nullish())).nullish(),
  );
  return object(
    z.looseObject({ records }).refine((zone) => Object.keys(zone).length === 0 || 'records' in zone || 'fqdn' in zone, {
      message: 'has neither records nor fqdn',
    }),
  ).transform(({ records }) =>
    Object.entries(records ?? {}).flatMap(([type, recordsOfType]) => {
      const count = recordsOfType?.filter(({ isEmpty }) => !isEmpty).length ?? 0;
      return count === 0 ? [] : [{ type, count }];
    }),
  );
});
