import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** The answer of mysql/getList. Sizes in bytes. */
export const databaseList = payloadSchema(({ list, name, megabytes, optionalName }) =>
  list(z.object({ name, size: megabytes.nullish(), user: optionalName })),
);
