/** Which API methods each collector calls, and how often by default. A test compares them with the collectors. */
export const collectorMethods = {
  account: { methods: ['user/getAccountInfo'], interval: '5m' },
  databases: { methods: ['mysql/getList'], interval: '15m' },
  site_load: { methods: ['stat/getSitesListLoad'], interval: '1h' },
  database_load: { methods: ['stat/getDbListLoad'], interval: '1h' },
  site_load_detail: { methods: ['stat/getSiteLoad'], interval: '1h' },
  database_load_detail: { methods: ['stat/getDbLoad'], interval: '1h' },
  sites: { methods: ['site/getList'], interval: '30m' },
  domains: { methods: ['domain/getList'], interval: '6h' },
  mailboxes: { methods: ['mail/getMailboxList'], interval: '6h' },
  ftp_accounts: { methods: ['ftp/getList'], interval: '6h' },
  cron_tasks: { methods: ['cron/getList'], interval: '1h' },
  backups: {
    methods: ['backup/getFileBackupList', 'backup/getMysqlBackupList', 'backup/getFileList', 'backup/getMysqlList'],
    interval: '1h',
  },
  php_versions: { methods: ['domain/getPhpVersion'], interval: '1d' },
} as const;
