import { Temporal } from 'temporal-polyfill';
import * as z from 'zod';
import { missing, noLimit, payloadSchema } from './scalars.ts';

const software = ['apache', 'mysql', 'nginx', 'perl', 'php', 'python'] as const;

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
          // Here, undefined marks an invalid field that `readPayload` has removed. The issue of this field is already reported.
        } else if (fields.every((name) => info[name] === null || !(name in info))) {
          context.addIssue(missing(fields.find((name) => name in info) ?? fields[0]));
        }
      })
      .transform((info) => ({
        plan: info.tariff ?? info.plan_name ?? '',
        server: info.server ?? info.server_name ?? '',
        diskUsage: info.disk_usage ?? info.user_quota,
        diskLimit: info.disk_limit ?? info.plan_quota,
        sites: info.user_sites,
        sitesLimit: info.plan_site,
        domains: info.user_domains,
        domainsLimit: info.plan_domain,
        databasesSize: info.user_mysqlsize,
        databasesLimit: info.plan_mysql,
        ftpAccounts: info.user_ftp,
        ftpAccountsLimit: info.plan_ftp,
        mailboxes: info.user_mail,
        mailboxesLimit: info.plan_mail,
        loadLimit: info.plan_cp,
        dailyCharge: info.user_rate_current,
        balance: info.user_balance,
        daysToBlock: info.user_days_to_block,
        serverMemory: info.server_memory,
        serverMemoryUsed: info.server_memorycurrent,
        serverLoadAverage: info.server_loadaverage,
        serverUptimeDays: info.server_uptime,
        software: software.flatMap((name) => {
          const version = info[`server_${name}_version`]?.trim() ?? '';
          return version === '' ? [] : [{ name, version }];
        }),
        timeZone,
      })),
);

/** Number of days in about 8000 years. Temporal throws for dates that are much farther away. */
const maxDays = 3_000_000;
const day = 86_400_000;

/** The start of the day that is `days` days after `time`, in Unix milliseconds; approximate for more than `maxDays` days. */
export function startOfDayAfter(time: number, days: number, timeZone: string): number {
  const today = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone).startOfDay();
  if (Math.abs(days) > maxDays) return today.epochMilliseconds + days * day;
  return today.add({ days: Math.floor(days) }).epochMilliseconds;
}
