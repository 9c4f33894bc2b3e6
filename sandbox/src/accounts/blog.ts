import { type AccountSeed, unsecuredToken } from './account-seed.ts';

/** A small account with one busy and one nearly idle site. The account uses half of its plan. */
export const blog: AccountSeed = {
  login: 'blog',
  password: 'c0ffee&cake=100%',
  mainPassword: 'main&c0ffee=100%',
  token: unsecuredToken('blog'),
  plan: { name: 'Blog', sites: 2, databases: 5, mailboxes: 10, ftpAccounts: 2, load: 30 },
  server: { name: 'germes', memory: 96_747, legacy: true },
  disk: { usage: 612_400_000, growthPerDay: 2_500_000, limit: 3_000_000_000 },
  balance: 4310.4,
  dailyCharge: 6.5,
  domains: [
    { fqdn: 'blog.sandbox.example', phpVersion: '8.1' },
    { fqdn: 'quiet-garden.example', expiresInDays: 212 },
  ],
  sites: [
    { name: 'quiet-garden.example', load: 2.6, peakHour: 20 },
    { name: 'blog.sandbox.example', load: 0.4 },
  ],
  databases: [
    { name: 'blog_wp', size: 44_500_000, growthPerDay: 90_000, load: 160, peakHour: 20 },
    { name: 'blog_test', size: 1_200_000, load: 3, idleDays: 0.4 },
  ],
  mailboxes: [{ mailbox: 'hello', domain: 'quiet-garden.example' }],
  ftpAccounts: [{ login: 'blog_photos', homedir: '/quiet-garden.example/public_html/photos' }],
  cronTasks: [
    { schedule: '*/10 * * * *', command: '/usr/local/bin/php8.1 ~/quiet-garden.example/public_html/wp-cron.php' },
  ],
  cronEmail: 'hello@quiet-garden.example',
  backupJobs: [{ operation: 'download', kind: 'file', targets: ['/quiet-garden.example/public_html'], hoursAgo: 50 }],
};
