import { type AccountSeed, unsecuredToken } from './account-seed.ts';

/** The disk is at first 67 % full, after a day over 90 %, and after a day and a half 100 %. The balance lasts 19 days. */
export const shop: AccountSeed = {
  login: 'shop',
  password: 'sh&p+5 #?/=%41',
  mainPassword: 'main&sh&p+5 #?/=%41',
  token: unsecuredToken('shop'),
  plan: { name: 'Business', sites: 10, domains: 25, databases: 20, mailboxes: 100, ftpAccounts: 10, load: 80 },
  server: { name: 'burut.sandbox.example', memory: 772_905 },
  disk: { usage: 13_400_000_000, growthPerDay: 5_200_000_000, limit: 20_000_000_000 },
  balance: 633.27,
  dailyCharge: 32.82,
  domains: [
    { fqdn: 'teapots.example', expiresInDays: 41, autoRenew: false },
    { fqdn: 'teapots-wholesale.example', expiresInDays: 160, renewal: 'success' },
    { fqdn: 'images.teapots.example', ssl: false },
  ],
  subdomains: ['club.teapots.example', 'press.teapots-wholesale.example'],
  sites: [
    { name: 'teapots.example', load: 41.5, peakHour: 19 },
    { name: 'teapots-wholesale.example', load: 12.2, peakHour: 11 },
    { name: 'images.teapots.example', load: 8.1, peakHour: 19 },
  ],
  databases: [
    { name: 'shop_main', size: 1_840_000_000, growthPerDay: 21_000_000, load: 3900, peakHour: 19 },
    { name: 'shop_wholesale', size: 312_000_000, growthPerDay: 2_000_000, load: 940, peakHour: 11 },
    { name: 'shop_stats', user: 'shop_reader', size: 790_000_000, growthPerDay: 35_000_000, load: 610, peakHour: 3 },
  ],
  mailboxes: [
    { mailbox: 'orders', domain: 'teapots.example' },
    { mailbox: 'support', domain: 'teapots.example', forwardTo: ['orders@teapots.example'] },
    { mailbox: 'office', domain: 'teapots-wholesale.example', spamFilter: false },
    { mailbox: 'moderator', domain: 'club.teapots.example' },
  ],
  ftpAccounts: [
    { login: 'shop_images', homedir: '/images.teapots.example/public_html' },
    { login: 'shop_price', homedir: '/teapots.example/public_html/price' },
  ],
  cronTasks: [
    { schedule: '*/5 * * * *', command: '/usr/local/bin/php8.2 ~/teapots.example/public_html/cron.php' },
    { schedule: '15 3 * * *', command: '/usr/local/bin/php8.2 ~/teapots.example/public_html/report.php' },
    { schedule: '0 4 * * 1', command: 'wget -q -O /dev/null https://teapots.example/feed?key=demo', disabled: true },
  ],
  backupJobs: [{ operation: 'restore', kind: 'mysql', targets: ['shop_stats'], hoursAgo: 12 }],
};
