import { accountInfo, startOfDayAfter } from '../payloads/account-info.ts';
import { defineCollector } from './collector.ts';

const secondsPerDay = 86_400;
const software = ['apache', 'mysql', 'nginx', 'perl', 'php', 'python'] as const;

export const account = defineCollector({
  name: 'account',
  help: 'The plan of the account with its usage, limits and balance, and the load of its server.',
  methods: ['user/getAccountInfo'],
  schedule: '5m',
  payloadVersion: 3,
  priority: 'account',
  fetch: (api) => api.call('user/getAccountInfo', accountInfo),
  dialect: 'provider',
  metrics: [
    {
      name: 'hosting_account_info',
      help: 'Plan and server of the account, as labels; the value is always 1',
      field: 'tariff|plan_name, server|server_name',
      dialect: 'both',
      labels: ['tariff', 'server'],
      read: ({ plan, server }) => [[{ tariff: plan, server }, 1]],
    },
    {
      name: 'hosting_account_disk_usage_bytes',
      help: 'Disk space used by the account, in bytes',
      field: 'disk_usage|user_quota',
      dialect: 'both',
      read: ({ disk_usage }) => disk_usage,
    },
    {
      name: 'hosting_account_disk_limit_bytes',
      help: 'Disk space allowed by the plan, in bytes; missing if the plan has no limit',
      field: 'disk_limit|plan_quota',
      dialect: 'both',
      read: ({ disk_limit }) => disk_limit,
    },
    {
      name: 'hosting_account_sites_used',
      help: 'Number of sites counted against the plan; hosting_sites counts the entries in the list of sites',
      field: 'user_sites',
      read: ({ user_sites }) => user_sites,
    },
    {
      name: 'hosting_account_sites_limit',
      help: 'Number of sites allowed by the plan; missing if the plan has no limit',
      field: 'plan_site',
      read: ({ plan_site }) => plan_site,
    },
    {
      name: 'hosting_account_domains_used',
      help: 'Number of domains counted against the plan; hosting_domains counts the entries in the list of domains',
      field: 'user_domains',
      read: ({ user_domains }) => user_domains,
    },
    {
      name: 'hosting_account_domains_limit',
      help: 'Number of domains allowed by the plan; missing if the plan has no limit',
      field: 'plan_domain',
      read: ({ plan_domain }) => plan_domain,
    },
    {
      name: 'hosting_account_databases_limit',
      help: 'Number of databases allowed by the plan; missing if the plan has no limit',
      field: 'plan_mysql',
      read: ({ plan_mysql }) => plan_mysql,
    },
    {
      name: 'hosting_account_databases_size_bytes',
      help: 'Total size of all databases, in bytes',
      field: 'user_mysqlsize',
      read: ({ user_mysqlsize }) => user_mysqlsize,
    },
    {
      name: 'hosting_account_mailboxes_used',
      help: 'Number of mailboxes counted against the plan; hosting_mailboxes counts the entries in the list of mailboxes of each domain',
      field: 'user_mail',
      read: ({ user_mail }) => user_mail,
    },
    {
      name: 'hosting_account_mailboxes_limit',
      help: 'Number of mailboxes allowed by the plan; missing if the plan has no limit',
      field: 'plan_mail',
      read: ({ plan_mail }) => plan_mail,
    },
    {
      name: 'hosting_account_ftp_accounts_used',
      help: 'Number of FTP accounts counted against the plan; hosting_ftp_accounts counts the entries in the list of FTP accounts',
      field: 'user_ftp',
      read: ({ user_ftp }) => user_ftp,
    },
    {
      name: 'hosting_account_ftp_accounts_limit',
      help: 'Number of FTP accounts allowed by the plan; missing if the plan has no limit',
      field: 'plan_ftp',
      read: ({ plan_ftp }) => plan_ftp,
    },
    {
      name: 'hosting_account_load_limit',
      help: "Load allowed by the plan, in the provider's undocumented points for sites; missing if the plan has no limit",
      field: 'plan_cp',
      read: ({ plan_cp }) => plan_cp,
    },
    {
      name: 'hosting_account_balance',
      help: "Balance of the account, in the provider's currency; negative if the account is in debt",
      field: 'user_balance',
      read: ({ user_balance }) => user_balance,
    },
    {
      name: 'hosting_account_daily_charge',
      help: "Cost of the account per day, in the provider's currency",
      field: 'user_rate_current',
      read: ({ user_rate_current }) => user_rate_current,
    },
    {
      name: 'hosting_account_block_timestamp_seconds',
      help: 'Estimated time at which the account is suspended for insufficient funds, in Unix seconds. The provider estimates whole days, so the time is the start of a day in the time_zone of the account',
      field: 'user_days_to_block',
      read: ({ user_days_to_block, timeZone }, { now }) =>
        typeof user_days_to_block === 'number' ? startOfDayAfter(now, user_days_to_block, timeZone) / 1000 : undefined,
    },
    {
      name: 'hosting_server_load_average',
      help: 'Load average of the server, which is shared with other accounts',
      field: 'server_loadaverage',
      labels: ['server'],
      read: ({ server, server_loadaverage }) => [[{ server }, server_loadaverage]],
    },
    {
      name: 'hosting_server_memory_bytes',
      help: 'Total memory of the server, in bytes; the provider reports mebibytes',
      field: 'server_memory',
      labels: ['server'],
      read: ({ server, server_memory }) => [[{ server }, server_memory]],
    },
    {
      name: 'hosting_server_memory_used_bytes',
      help: 'Used memory of the server, in bytes; the provider reports mebibytes',
      field: 'server_memorycurrent',
      labels: ['server'],
      read: ({ server, server_memorycurrent }) => [[{ server }, server_memorycurrent]],
    },
    {
      name: 'hosting_server_software_info',
      help: 'Version of a program on the server as a label, unchanged from the answer; the value is always 1',
      field: 'server_*_version',
      labels: ['server', 'software', 'version'],
      read: (info) =>
        software.flatMap((name) => {
          const version = info[`server_${name}_version`]?.trim() ?? '';
          return version === '' ? [] : [[{ server: info.server, software: name, version }, 1] as const];
        }),
    },
    {
      name: 'hosting_server_uptime_seconds',
      help: 'Time since the server started, in seconds. Unverified: the provider documents no unit; the exporter assumes whole days',
      field: 'server_uptime',
      labels: ['server'],
      read: ({ server, server_uptime: days }) => [[{ server }, days && days * secondsPerDay]],
    },
  ],
});
