import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/**
 * The payload of cron/getList. Only the state is read, because a command may contain secrets. The state is undefined if
 * the response has no field for it; a task with an invalid state is dropped.
 */
export const cronTaskList = payloadSchema('cronTaskList', ({ list, flag }) =>
  list(
    z
      .object({ is_hidden: flag.nullable().exactOptional() })
      .transform((task) => ({ enabled: task.is_hidden === undefined ? undefined : task.is_hidden !== true })),
  ),
);
