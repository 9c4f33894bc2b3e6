import { accountInfo, startOfDayAfter } from '../payloads/account-info.ts';
import { defineCollector } from './collector.ts';

const secondsPerDay = 86_400;

export const account = defineCollector({
  name: 'account',
  help: 'The plan of the account with its usage, limits and balance, and the load of its server.',
  methods: ['user/getAccountInfo'],
  schedule: '5m',
  payloadVersion: 2,
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
      read: ({ diskUsage }) => diskUsage,
    },
    {
      name: 'hosting_account_disk_limit_bytes',
      help: 'Disk space allowed by the plan, in bytes; missing if the plan has no limit',
      field: 'disk_limit|plan_quota',
      dialect: 'both',
      read: ({ diskLimit }) => diskLimit,
    },
    {
      name: 'hosting_account_sites_used',
      help: 'Number of sites counted against the plan; hosting_sites counts the entries in the list of sites',
      field: 'user_sites',
      read: ({ sites }) => sites,
    },
    {
      name: 'hosting_account_sites_limit',
      help: 'Number of sites allowed by the plan; missing if the plan has no limit',
      field: 'plan_site',
      read: ({ sitesLimit }) => sitesLimit,
    },
    {
      name: 'hosting_account_domains_used',
      help: 'Number of domains counted against the plan; hosting_domains counts the entries in the list of domains',
      field: 'user_domains',
      read: ({ domains }) => domains,
    },
    {
      name: 'hosting_account_domains_limit',
      help: 'Number of domains allowed by the plan; missing if the plan has no limit',
      field: 'plan_domain',
      read: ({ domainsLimit }) => domainsLimit,
    },
    {
      name: 'hosting_account_databases_limit',
      help: 'Number of databases allowed by the plan; missing if the plan has no limit',
      field: 'plan_mysql',
      read: ({ databasesLimit }) => databasesLimit,
    },
    {
      name: 'hosting_account_databases_size_bytes',
      help: 'Total size of all databases, in bytes',
      field: 'user_mysqlsize',
      read: ({ databasesSize }) => databasesSize,
    },
    {
      name: 'hosting_account_mailboxes_used',
      help: 'Number of mailboxes counted against the plan; hosting_mailboxes counts the entries in the list of mailboxes of each domain',
      field: 'user_mail',
      read: ({ mailboxes }) => mailboxes,
    },
    {
      name: 'hosting_account_mailboxes_limit',
      help: 'Number of mailboxes allowed by the plan; missing if the plan has no limit',
      field: 'plan_mail',
      read: ({ mailboxesLimit }) => mailboxesLimit,
    },
    {
      name: 'hosting_account_ftp_accounts_used',
      help: 'Number of FTP accounts counted against the plan; hosting_ftp_accounts counts the entries in the list of FTP accounts',
      field: 'user_ftp',
      read: ({ ftpAccounts }) => ftpAccounts,
    },
    {
      name: 'hosting_account_ftp_accounts_limit',
      help: 'Number of FTP accounts allowed by the plan; missing if the plan has no limit',
      field: 'plan_ftp',
      read: ({ ftpAccountsLimit }) => ftpAccountsLimit,
    },
    {
      name: 'hosting_account_load_limit',
      help: "Load allowed by the plan, in the provider's undocumented points for sites; missing if the plan has no limit",
      field: 'plan_cp',
      read: ({ loadLimit }) => loadLimit,
    },
    {
      name: 'hosting_account_balance',
      help: "Balance of the account, in the provider's currency; negative if the account is in debt",
      field: 'user_balance',
      read: ({ balance }) => balance,
    },
    {
      name: 'hosting_account_daily_charge',
      help: "Cost of the account per day, in the provider's currency",
      field: 'user_rate_current',
      read: ({ dailyCharge }) => dailyCharge,
    },
    {
      name: 'hosting_account_block_timestamp_seconds',
      help: 'Estimated time at which the account is suspended for insufficient funds, in Unix seconds. The provider estimates whole days, so the time is the start of a day in the time_zone of the account',
      field: 'user_days_to_block',
      read: ({ daysToBlock, timeZone }, { now }) =>
        typeof daysToBlock === 'number' ? startOfDayAfter(now, daysToBlock, timeZone) / 1000 : undefined,
    },
    {
      name: 'hosting_server_load_average',
      help: 'Load average of the server, which is shared with other accounts',
      field: 'server_loadaverage',
      labels: ['server'],
      read: ({ server, serverLoadAverage }) => [[{ server }, serverLoadAverage]],
    },
    {
      name: 'hosting_server_memory_bytes',
      help: 'Total memory of the server, in bytes; the provider reports mebibytes',
      field: 'server_memory',
      labels: ['server'],
      read: ({ server, serverMemory }) => [[{ server }, serverMemory]],
    },
    {
      name: 'hosting_server_memory_used_bytes',
      help: 'Used memory of the server, in bytes; the provider reports mebibytes',
      field: 'server_memorycurrent',
      labels: ['server'],
      read: ({ server, serverMemoryUsed }) => [[{ server }, serverMemoryUsed]],
    },
    {
      name: 'hosting_server_software_info',
      help: 'Version of a program on the server as a label, unchanged from the answer; the value is always 1',
      field: 'server_*_version',
      labels: ['server', 'software', 'version'],
      read: ({ server, software }) => software.map(({ name, version }) => [{ server, software: name, version }, 1]),
    },
    {
      name: 'hosting_server_uptime_seconds',
      help: 'Time since the server started, in seconds. Unverified: the provider documents no unit; the exporter assumes whole days',
      field: 'server_uptime',
      labels: ['server'],
      read: ({ server, serverUptimeDays }) => [
        [{ server }, typeof serverUptimeDays === 'number' ? serverUptimeDays * secondsPerDay : undefined],
      ],
    },
  ],
});
