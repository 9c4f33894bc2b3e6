import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** The answer of user/getAccountInfo. Sizes in bytes; a limit that is undefined is none. */
export const accountInfo = payloadSchema(({ name, megabytes, megabytesLimit }) =>
  z
    .object({
      tariff: name.optional(),
      plan_name: name.optional(),
      server: name.optional(),
      server_name: name.optional(),
      disk_usage: megabytes.optional(),
      user_quota: megabytes.optional(),
      disk_limit: megabytesLimit,
      plan_quota: megabytesLimit,
    })
    .refine((info) => 'disk_usage' in info || 'user_quota' in info, {
      message: 'has neither disk_usage nor user_quota',
    })
    .transform((info) => ({
      plan: info.tariff ?? info.plan_name,
      server: info.server ?? info.server_name,
      diskUsage: info.disk_usage ?? info.user_quota,
      diskLimit: info.disk_limit ?? info.plan_quota,
    })),
);
