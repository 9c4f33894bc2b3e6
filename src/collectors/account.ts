import { accountInfo } from '../payloads/account-info.ts';
import { defineCollector } from './collector.ts';

const secondsPerDay = 86_400;

export const account = defineCollector({
  name: 'account',
  help: 'The plan of the account: disk space, limits and money; and the load of its server.',
  methods: ['user/getAccountInfo'],
  schedule: '5m',
  first: true,
  fetch: (api, scalars) => api.call('user/getAccountInfo', accountInfo(scalars)),
  metrics: [
    {
      name: 'hosting_account_info',
      help: 'Always 1; the labels name the plan and the server of the account',
      field: 'tariff|plan_name, server|server_name',
      labels: ['tariff', 'server'],
      read: ({ plan, server }) => [[{ tariff: plan, server }, 1]],
    },
    {
      name: 'hosting_account_disk_usage_bytes',
      help: 'Disk space that the account uses, in bytes',
      field: 'disk_usage|user_quota',
      read: ({ diskUsage }) => diskUsage,
    },
    {
      name: 'hosting_account_disk_limit_bytes',
      help: 'Disk space that the plan allows, in bytes; missing where the plan sets no limit',
      field: 'disk_limit|plan_quota',
      read: ({ diskLimit }) => diskLimit,
    },
    {
      name: 'hosting_account_sites',
      help: 'Number of sites that count against the plan',
      field: 'user_sites',
      read: ({ sites }) => sites,
    },
    {
      name: 'hosting_account_sites_limit',
      help: 'Number of sites that the plan allows; missing where it sets no limit',
      field: 'plan_site',
      read: ({ sitesLimit }) => sitesLimit,
    },
    {
      name: 'hosting_account_domains',
      help: 'Number of domains that count against the plan',
      field: 'user_domains',
      read: ({ domains }) => domains,
    },
    {
      name: 'hosting_account_domains_limit',
      help: 'Number of domains that the plan allows; missing where it sets no limit',
      field: 'plan_domain',
      read: ({ domainsLimit }) => domainsLimit,
    },
    {
      name: 'hosting_account_databases_limit',
      help: 'Number of databases that the plan allows; missing where it sets no limit',
      field: 'plan_mysql',
      read: ({ databasesLimit }) => databasesLimit,
    },
    {
      name: 'hosting_account_databases_size_bytes',
      help: 'Size of all databases together, in bytes',
      field: 'user_mysqlsize',
      read: ({ databasesSize }) => databasesSize,
    },
    {
      name: 'hosting_account_mailboxes',
      help: 'Number of mailboxes that count against the plan',
      field: 'user_mail',
      read: ({ mailboxes }) => mailboxes,
    },
    {
      name: 'hosting_account_mailboxes_limit',
      help: 'Number of mailboxes that the plan allows; missing where it sets no limit',
      field: 'plan_mail',
      read: ({ mailboxesLimit }) => mailboxesLimit,
    },
    {
      name: 'hosting_account_ftp_accounts',
      help: 'Number of FTP accounts that count against the plan',
      field: 'user_ftp',
      read: ({ ftpAccounts }) => ftpAccounts,
    },
    {
      name: 'hosting_account_ftp_accounts_limit',
      help: 'Number of FTP accounts that the plan allows; missing where it sets no limit',
      field: 'plan_ftp',
      read: ({ ftpAccountsLimit }) => ftpAccountsLimit,
    },
    {
      name: 'hosting_account_load_limit',
      help: "Load that the plan allows, in the provider's points for sites; missing where it sets no limit",
      field: 'plan_cp',
      read: ({ loadLimit }) => loadLimit,
    },
    {
      name: 'hosting_account_balance',
      help: "Money on the account, in the provider's currency; negative is debt",
      field: 'user_balance',
      read: ({ balance }) => balance,
    },
    {
      name: 'hosting_account_daily_charge',
      help: "What the account costs a day, in the provider's currency",
      field: 'user_rate_current',
      read: ({ dailyCharge }) => dailyCharge,
    },
    {
      name: 'hosting_account_block_timestamp_seconds',
      help: 'When the account will be blocked for want of money, in unix seconds; the time of the poll plus the days that the provider reckons with',
      field: 'user_days_to_block',
      read: ({ daysToBlock }, time) =>
        typeof daysToBlock === 'number' ? time / 1000 + daysToBlock * secondsPerDay : undefined,
    },
    {
      name: 'hosting_server_load_average',
      help: 'Load average of the server, which the account shares with others',
      field: 'server_loadaverage',
      labels: ['server'],
      read: ({ server, serverLoadAverage }) => [[{ server }, serverLoadAverage]],
    },
    {
      name: 'hosting_server_memory_bytes',
      help: 'Memory of the server, in bytes',
      field: 'server_memory',
      labels: ['server'],
      read: ({ server, serverMemory }) => [[{ server }, serverMemory]],
    },
    {
      name: 'hosting_server_memory_used_bytes',
      help: 'Memory of the server that is in use, in bytes',
      field: 'server_memorycurrent',
      labels: ['server'],
      read: ({ server, serverMemoryUsed }) => [[{ server }, serverMemoryUsed]],
    },
    {
      name: 'hosting_server_uptime_seconds',
      help: 'Time since the server was started, in seconds; the provider gives whole days',
      field: 'server_uptime',
      labels: ['server'],
      read: ({ server, serverUptimeDays }) => [
        [{ server }, typeof serverUptimeDays === 'number' ? serverUptimeDays * secondsPerDay : undefined],
      ],
    },
  ],
});
