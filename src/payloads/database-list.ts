import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/** The payload of mysql/getList. Sizes are in bytes. */
export const databaseList = payloadSchema(({ list, name, megabytes, optionalName }) =>
  list(
    z
      .object({
        name,
        size: megabytes.nullish(),
        user: optionalName,
        accesses: list(z.object({ name })).nullish(),
      })
      .transform(({ accesses, ...database }) => ({
        ...database,
        remoteAccesses: accesses?.filter((host) => !localHosts.has(host.name.toLowerCase())).length,
      })),
    (database) => database.name,
  ),
);
