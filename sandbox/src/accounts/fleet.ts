import { hashText, noise } from '../figures/noise.ts';
import { type AccountSeed, unsecuredToken } from './account-seed.ts';

const plans = [
  { name: 'Start', sites: 3, domains: 10, databases: 5, mailboxes: 20, ftpAccounts: 3, load: 40 },
  { name: 'Business', sites: 10, domains: 25, databases: 20, mailboxes: 100, ftpAccounts: 10, load: 80 },
  { name: 'Great', sites: 25, databases: 100, mailboxes: 500, ftpAccounts: 40, load: 400 },
] as const;

/**
 * Creates `count` accounts, starting with `fleet-0001`. The same seed creates the same accounts. Each account has one to six sites and
 * up to four databases. Some accounts have Cyrillic names, are near a limit, or are in debt. One account in twenty has no disk limit.
 */
export function fleetAccounts(count: number, seed = 1): readonly AccountSeed[] {
  return Array.from({ length: count }, (_, index) => fleetAccount(index + 1, seed));
}

function fleetAccount(number: number, fleetSeed: number): AccountSeed {
  const login = `fleet-${String(number).padStart(4, '0')}`;
  const seed = hashText(`${fleetSeed}/${login}`);
  const random = (index: number) => noise(seed, index);
  const names = Array.from({ length: 1 + Math.floor(6 * random(0) ** 2) }, (_, index) =>
    random(10 + index) < 0.15 ? `сайт-${index + 1}.${login}.испытание` : `site-${index + 1}.${login}.example`,
  );
  const plan = plans[names.length <= 3 ? Math.floor(2 * random(1)) : 1 + Math.floor(2 * random(1))] ?? plans[0];
  const limit = 10e9 * (1 + Math.floor(9 * random(2)));
  const usage = Math.round(limit * (0.05 + 0.93 * random(3) ** 2));
  const growthPerDay = Math.round((limit * random(4) ** 4) / 10);
  const dailyCharge = Math.round(100 * (5 + 40 * random(5))) / 100;
  return {
    login,
    password: `${seed.toString(36)}&${login}=%+`,
    mainPassword: `main&${seed.toString(36)}%`,
    token: unsecuredToken(login),
    plan,
    server: {
      name: `server-${1 + Math.floor(8 * random(6))}.sandbox.example`,
      memory: 386_000,
      legacy: random(7) < 0.3,
    },
    disk: random(8) < 0.05 ? { usage, growthPerDay } : { usage, growthPerDay, limit },
    balance: Math.round(100 * dailyCharge * (400 * random(9) ** 3 - 3)) / 100,
    dailyCharge,
    domains: names.map((fqdn, index) => ({ fqdn, expiresInDays: Math.floor(365 * random(20 + index)) })),
    sites: names.map((name, index) => ({ name, load: Math.round(100 * (0.2 + 20 * random(30 + index) ** 3)) / 100 })),
    databases: Array.from({ length: Math.floor(5 * random(40)) }, (_, index) => ({
      name: `${login}_db${index + 1}`,
      size: Math.round(5e5 + 2e9 * random(50 + index) ** 3),
      growthPerDay: Math.round(5e6 * random(60 + index) ** 2),
      load: Math.round(3 + 1500 * random(70 + index) ** 3),
    })),
    mailboxes: names.flatMap((domain, index) => (random(80 + index) < 0.6 ? [{ mailbox: 'info', domain }] : [])),
    cronTasks: [{ schedule: `${number % 60} 3 * * *`, command: '/usr/local/bin/php8.2 ~/cron.php' }],
  };
}

const customers = [
  'acme',
  'bakery',
  'cinema',
  'dentist',
  'florist',
  'garage',
  'library',
  'museum',
  'orchestra',
  'theatre',
];

/** Returns the label `customer` for the configuration of a fleet account. The first customers have the most accounts. */
export function labelsOf(login: string): { readonly labels?: { readonly customer: string } } {
  if (!login.startsWith('fleet-')) return {};
  return { labels: { customer: customers[Math.floor(noise(hashText(login), 99) ** 2 * customers.length)] ?? '' } };
}
