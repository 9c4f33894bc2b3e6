import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** The payload of cron/getList: only states, because commands may contain secrets. Drops a task with an invalid state. */
export const cronTaskList = payloadSchema('cronTaskList', ({ list, flag }) =>
  list(
    z
      .object({ is_hidden: flag.nullable().exactOptional() })
      .transform((task) => ({ enabled: task.is_hidden === undefined ? undefined : task.is_hidden !== true })),
  ),
);
