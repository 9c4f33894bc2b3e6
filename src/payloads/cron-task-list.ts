import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/**
 * The answer of cron/getList. Of a task only whether it is switched on: its command may hold secrets. Undefined where
 * the answer has no field for it; a task that says it in a way that makes no sense counts as neither.
 */
export const cronTaskList = payloadSchema(({ list, flag }) =>
  list(
    z
      .object({ is_hidden: flag.nullable().exactOptional() })
      .transform((task) => ({ enabled: task.is_hidden === undefined ? undefined : task.is_hidden !== true })),
  ),
);
