import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** The payload of mysql/getList. Sizes are bytes. */
export const databaseList = payloadSchema(({ list, name, megabytes, optionalName }) =>
  list(z.object({ name, size: megabytes.nullish(), user: optionalName }), (database) => database.name),
);
