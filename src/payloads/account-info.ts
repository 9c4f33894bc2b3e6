import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** The answer of user/getAccountInfo. Sizes in bytes; a limit that is undefined is none. */
export const accountInfo = payloadSchema(({ name, megabytes, megabytesLimit }) =>
  z
    .object({
      tariff: name.nullish(),
      plan_name: name.nullish(),
      server: name.nullish(),
      server_name: name.nullish(),
      disk_usage: megabytes.nullish(),
      user_quota: megabytes.nullish(),
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
