import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** The payload of cron/getList. Contains only states of tasks, because commands may contain secrets. Drops a task with an invalid state. */
export const cronTaskList = payloadSchema(({ list, flag }) =>
  list(
    z
      .object({ is_hidden: flag.nullable().exactOptional() })
      .transform((task) => ({ enabled: task.is_hidden === undefined ? undefined : task.is_hidden !== true })),
  ),
);

/** The payload of cron/getEmail: whether an address is set; undefined if unknown. Omits the address, which is personal. */
export const cronEmail = payloadSchema(() =>
  z.unknown().transform((email) => {
    if (email === null || email === undefined) return { isSet: false };
    return { isSet: typeof email === 'string' ? email.trim() !== '' : undefined };
  }),
);
