import { Temporal } from 'temporal-polyfill';
import * as z from 'zod';
import { missing, noLimit, payloadSchema } from './scalars.ts';

/** The payload of user/getAccountInfo. Sizes are in bytes. An undefined limit means "no limit". */
export const accountInfo = payloadSchema(
  ({ number, count, limit, mebibytes, megabytes, megabytesLimit, optionalName, timeZone }) =>
    z
      .object({
        tariff: optionalName,
        plan_name: optionalName,
        server: optionalName,
        server_name: optionalName,
        disk_usage: megabytes.nullish(),
        user_quota: megabytes.nullish(),
        disk_limit: megabytesLimit,
        plan_quota: megabytesLimit,
        user_sites: count.nullish(),
        plan_site: limit,
        user_domains: count.nullish(),
        plan_domain: limit,
        user_mysqlsize: megabytes.nullish(),
        plan_mysql: limit,
        user_ftp: count.nullish(),
        plan_ftp: limit,
        user_mail: count.nullish(),
        plan_mail: limit,
        plan_cp: limit,
        user_rate_current: number.nullish(),
        user_balance: number.nullish(),
        user_days_to_block: number.nullish().transform((days) => (days === noLimit ? undefined : days)),
        server_apache_version: optionalName,
        server_mysql_version: optionalName,
        server_nginx_version: optionalName,
        server_perl_version: optionalName,
        server_php_version: optionalName,
        server_python_version: optionalName,
        server_memory: mebibytes.nullish(),
        server_memorycurrent: mebibytes.nullish(),
        server_loadaverage: count.nullish(),
        server_uptime: count.nullish(),
      })
      .superRefine((info, context) => {
        const fields = ['disk_usage', 'user_quota'] as const;
        if (Object.values(info).every((value) => value === undefined || value === null)) {
          context.addIssue({ code: 'custom', message: 'has no field of account info' });
          // `readPayload` reports an invalid field and sets it to undefined, so only null and absent fields are reported here.
        } else if (fields.every((name) => info[name] === null || !(name in info))) {
          context.addIssue(missing(fields.find((name) => name in info) ?? fields[0]));
        }
      })
      .transform(
        ({ tariff, plan_name, server, server_name, disk_usage, user_quota, disk_limit, plan_quota, ...info }) => ({
          ...info,
          plan: tariff ?? plan_name ?? '',
          server: server ?? server_name ?? '',
          disk_usage: disk_usage ?? user_quota,
          disk_limit: disk_limit ?? plan_quota,
          timeZone,
        }),
      ),
);

/** Maximum number of days, about 8000 years. Temporal throws for dates that are much farther away. */
const maxDays = 3_000_000;
const day = 86_400_000;

/** The start of the day that is `days` days after `time`, in Unix milliseconds; approximate for more than `maxDays` days. */
export function startOfDayAfter(time: number, days: number, timeZone: string): number {
  const today = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone).startOfDay();
  if (Math.abs(days) > maxDays) return today.epochMilliseconds + days * day;
  return today.add({ days: Math.floor(days) }).epochMilliseconds;
}
