import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** The payload of dns/getData: the number of records of each type. A record with an empty `value` is a placeholder. */
export const dnsZone = payloadSchema('dnsZone', ({ list, object, name }) => {
  const record = z.looseObject({}).transform(({ value = true }) => ({ isEmpty: value === null || value === '' }));
  return object(
    z
      .looseObject({ records: object(z.record(name, list(record))).nullish() })
      .refine((zone) => Object.keys(zone).length === 0 || 'records' in zone || 'fqdn' in zone, {
        message: 'has neither records nor fqdn',
      }),
  ).transform(({ records }) =>
    Object.entries(records ?? {}).flatMap(([type, recordsOfType]) => {
      const count = recordsOfType.filter(({ isEmpty }) => !isEmpty).length;
      return count === 0 ? [] : [{ type, count }];
    }),
  );
});
