import { hashText, noise } from '../figures/noise.ts';
import { type AccountSeed, type DatabaseSeed, type DomainSeed, unsecuredToken } from './account-seed.ts';

// These names cannot be registered, because their top-level domains are reserved for tests.
const latin =
  'teahouse bicycles law-office dentist bakery choir carpenter museum sailing tailor cinema florist hotel plumber gallery vet school observatory';
const cyrillic = 'пекарня цветы ремонт-часов школа-танцев ёлки книги такси баня мастерская аптека театр рыбалка';
const punycode = 'xn--e1adhj9a xn--80ajso4b xn--80adplho xn--80ai1b';

const names = [
  ...latin.split(' ').map((name) => `${name}.example`),
  ...cyrillic.split(' ').map((name) => `${name}.испытание`),
  ...punycode.split(' ').map((name) => `${name}.xn--80akhbyknj4f`),
];

const extraDomains: readonly DomainSeed[] = [
  { fqdn: 'agency.sandbox.example', phpVersion: '8.3' },
  { fqdn: 'old-client.example', expiresInDays: -12, autoRenew: false, status: 'undelegated' },
  { fqdn: 'парковка.испытание', expiresInDays: 6, autoRenew: false },
  { fqdn: 'elsewhere.example', expiresInDays: 88, registrar: 'directi' },
  { fqdn: 'client-of-client.example' },
  { fqdn: 'reserved-for-later.example', expiresInDays: 300, renewal: 'canceled' },
];

/** Dozens of sites and databases. Some sites have Cyrillic or punycode names, and some domains expire soon. */
export const agency: AccountSeed = {
  login: 'agency',
  password: 'пароль&агентство+1=%',
  mainPassword: 'главный&пароль+1=%',
  token: unsecuredToken('agency'),
  plan: { name: 'Great', sites: 50, databases: 100, mailboxes: 500, ftpAccounts: 40, load: 400 },
  server: { name: 'kometa.sandbox.example', memory: 515_700 },
  disk: { usage: 61_300_000_000, growthPerDay: 310_000_000, limit: 100_000_000_000 },
  balance: 5460.15,
  dailyCharge: 120.4,
  domains: [
    ...names.map((fqdn) => ({
      fqdn,
      expiresInDays: 20 + Math.floor(340 * random(fqdn, 0)),
      autoRenew: random(fqdn, 1) > 0.15,
      phpVersion: random(fqdn, 2) > 0.2 ? '8.2' : '5.6',
      ssl: random(fqdn, 3) > 0.1,
    })),
    ...extraDomains,
  ],
  subdomains: ['shop.teahouse.example', 'заказ.пекарня.испытание'],
  sites: names.map((name, index) => ({
    name,
    load: round(0.5 + 9 * random(name, 4) ** 2),
    domains: index === 0 ? [name, 'agency.sandbox.example'] : [name],
    frozen: name === 'choir.example',
  })),
  databases: names.flatMap((fqdn): DatabaseSeed[] => {
    const stem = `agency_${(fqdn.split('.')[0] ?? fqdn).replaceAll('-', '')}`;
    const database: DatabaseSeed = {
      name: stem,
      size: Math.round(2e6 + 9e8 * random(fqdn, 5) ** 3),
      growthPerDay: Math.round(3e6 * random(fqdn, 6) ** 2),
      load: round(4 + 900 * random(fqdn, 7) ** 3),
      idleDays: random(fqdn, 8) > 0.7 ? 0.5 : 0.03,
    };
    return random(fqdn, 9) > 0.75
      ? [database, { ...database, name: `${stem}_dev`, load: 2, idleDays: 0.6 }]
      : [database];
  }),
  mailboxes: names.flatMap((domain) =>
    ['info', 'office', 'director', 'заказы']
      .slice(0, Math.floor(5 * random(domain, 10)))
      .map((mailbox) => ({ mailbox, domain })),
  ),
  ftpAccounts: names.slice(0, 9).map((name) => ({
    login: `agency_${(name.split('.')[0] ?? name).replaceAll('-', '')}`,
    homedir: `/${name}/public_html`,
  })),
  cronTasks: names.slice(0, 26).map((name, index) => ({
    schedule: `${(index * 7) % 60} ${index % 3 === 0 ? '*' : index % 24} * * *`,
    command: `/usr/local/bin/php8.2 ~/${name}/public_html/cron.php`,
    disabled: index % 6 === 5,
  })),
  cronEmail: 'cron@agency.sandbox.example',
  backupJobs: [
    { operation: 'download', kind: 'mysql', targets: ['agency_teahouse'], hoursAgo: 700 },
    { operation: 'restore', kind: 'file', targets: ['/bakery.example/public_html'], hoursAgo: 15 },
    { operation: 'restore', kind: 'mysql', targets: ['agency_bakery'], hoursAgo: 15, status: 'error' },
    { operation: 'restore', kind: 'file', targets: ['/choir.example/public_html'], hoursAgo: 9 },
  ],
};

function random(name: string, index: number): number {
  return noise(hashText(name), index);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
