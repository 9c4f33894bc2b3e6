import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** The payload of cron/getList: only states, because a command may contain secrets. An invalid one drops the task. */
export const cronTaskList = payloadSchema('cronTaskList', ({ list, flag }) =>
  list(
    z
      .object({ is_hidden: flag.nullable().exactOptional() })
      .transform((task) => ({ enabled: task.is_hidden === undefined ? undefined : task.is_hidden !== true })),
  ),
);
