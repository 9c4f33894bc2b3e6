import type { ServerSeed } from '../accounts/account-seed.ts';
import { printSize } from '../dialect.ts';
import type { JsonObject } from '../json.ts';
import { requireFound } from '../refusal.ts';
import { balanceOf, databasesSizeOf, daysToBlockOf, diskUsageOf, serverHealthOf } from '../state/account-figures.ts';
import { type Call, read, type SandboxSection } from './method.ts';

/** In the provider's documentation, this number means no limit. */
const unlimited = 2_147_483_647;

const specification: SandboxSection = {
  getAccountInfo: read(
    'plan and server information',
    [],
    ({ account: { plan, server, diskLimit }, account, moment }) => ({
      tariff: plan.name,
      server: server.name,
      disk_usage: printSize(diskUsageOf(account, moment), 'specification').text,
      disk_limit: diskLimit === undefined ? `${unlimited} MB` : printSize(diskLimit, 'specification').text,
    }),
  ),
};

const provider: SandboxSection = {
  getAccountInfo: read('plan, charges and server', [], providerAccountInfo),
  toggleSsh: read(
    'permit or forbid SSH for the account, or for the FTP account with this login',
    ['status[]', 'ftplogin?'],
    ({ account, args }) => {
      const login = args.optionalText('ftplogin') ?? account.login;
      requireFound(
        [account, ...account.ftpAccounts].find((known) => known.login === login),
        `There is no FTP account ${login}`,
      );
      if (args.flag('status')) account.sshLogins.add(login);
      else account.sshLogins.delete(login);
      return [];
    },
  ),
};

export const user = { specification, provider };

/** The programs on a server with their versions, as the API writes them. */
export function softwareOf({ legacy = false }: ServerSeed): readonly (readonly [name: string, version: string])[] {
  return [
    ['apache', legacy ? ' Apache/2.2.23 (Unix)' : '2.4.63'],
    ['mysql', legacy ? '5.1.68' : '8.0.41'],
    ['nginx', legacy ? 'nginx/1.1.0' : '1.27.4'],
    ['perl', legacy ? 'v5.10.1' : 'v5.34.0'],
    ['php', legacy ? '5.2.17' : '8.2.28'],
    ['python', legacy ? 'Python 2.6.6' : '3.10.12'],
  ];
}

/** Account information in the provider's dialect. As in the live API, a limit that does not exist is 2147483647, 0, null or absent. */
function providerAccountInfo({ account, moment }: Call): JsonObject {
  const { plan, server } = account;
  const health = serverHealthOf(account, moment);
  const megabytes = (bytes: number) => Number(printSize(bytes, 'provider').text);
  const printNumber = (value: number) => (server.legacy ? String(value) : value);
  return {
    plan_name: plan.name,
    user_sites: account.sites.length,
    plan_site: plan.sites ?? 0,
    user_domains: account.domains.length,
    plan_domain: plan.domains ?? unlimited,
    user_mysqlsize: megabytes(databasesSizeOf(account, moment)),
    plan_mysql: plan.databases ?? 0,
    user_quota: megabytes(diskUsageOf(account, moment)),
    plan_quota: account.diskLimit === undefined ? 0 : megabytes(account.diskLimit),
    user_ftp: account.ftpAccounts.length,
    plan_ftp: plan.ftpAccounts ?? null,
    user_mail: account.mailboxes.length,
    plan_mail: plan.mailboxes ?? unlimited,
    user_bash: '/bin/bash',
    ...(plan.load === undefined ? {} : { plan_cp: plan.load }),
    user_rate_current: printNumber(account.dailyCharge),
    user_is_year_plan: '0',
    user_rate_year: Math.round(account.dailyCharge * 365),
    user_rate_month: Math.round((account.dailyCharge * 365) / 12),
    user_balance: balanceOf(account, moment),
    user_days_to_block: daysToBlockOf(account, moment),
    ...Object.fromEntries(softwareOf(server).map(([name, version]) => [`server_${name}_version`, version])),
    server_name: server.name,
    server_cpu_name: '32 *  x86-64 Processor',
    server_memory: printNumber(server.memory),
    server_memorycurrent: health.memoryUsed,
    server_loadaverage: printNumber(health.loadAverage),
    server_uptime: printNumber(health.uptimeDays),
  };
}
