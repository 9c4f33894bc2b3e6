import { hashText, noise } from '../figures/noise.ts';
import { type AccountSeed, unsecuredToken } from './account-seed.ts';

const plans = [
  { name: 'Start', sites: 3, domains: 10, databases: 5, mailboxes: 20, ftpAccounts: 3, load: 40 },
  { name: 'Business', sites: 10, domains: 25, databases: 20, mailboxes: 100, ftpAccounts: 10, load: 80 },
  { name: 'Great', sites: 25, databases: 100, mailboxes: 500, ftpAccounts: 40, load: 400 },
] as const;

const logins =
  'amber-jewels anchor-inn apple-garden arbor-yoga atlas-travel bay-surf bean-roastery beech-toys bell-piano birch-books blue-door-cafe bright-dental brook-vets candle-works cedar-kitchens chalk-climbing cloud-nine-hotel copper-pans coral-divers crown-theatre daisy-florist dune-optics ember-stoves falcon-bikes fern-spa flint-records fox-couriers granite-gym green-grocer harbour-boats hazel-salon hill-winery honey-bakery ivory-bridal juniper-gin kite-school lantern-lights lark-choir lemon-cleaning linen-house maple-guitars mill-brewery mint-skincare moss-nursery north-outdoor oak-carpentry olive-deli orchid-museum owl-tutors paper-planes pearl-photo pine-cabins quill-stationery raven-tattoo river-rafting rose-tailor sage-clinic stone-masons tulip-events velvet-sofas'.split(
    ' ',
  );

/** The first customers have the most accounts. */
const customers = ['Acme Studio', 'Birch & Sons', 'Café Lumen', 'Дом книги', 'Harbour Group', 'Orchard Foods'];

const extras = ['', '-shop', '-blog', '-club', '-news', '-archive'];
const cyrillic = ['дом', 'лавка', 'блог', 'клуб', 'новости', 'архив'];

/** The problems of accounts, by account number. Three of these accounts belong to one customer. All other accounts are fine. */
const troubles: Readonly<Record<number, { usage?: number; growth?: number; load?: number } & Partial<AccountSeed>>> = {
  3: { balance: -134.83, dailyCharge: 39.01, backupsStoppedDaysAgo: 12 },
  8: { usage: 0.97, growth: 0.0004, customer: 'Harbour Group' },
  14: { balance: 61.4, dailyCharge: 24.5, customer: 'Harbour Group' },
  21: { customer: 'Harbour Group' },
  33: { load: 0.93 },
  40: { usage: 0.78, growth: 0.025 },
  52: { forbidden: ['backup'] },
};

/** The number of the account with a domain that expires soon and is not renewed automatically. */
const expiring = 21;

/**
 * Creates `count` accounts with customers. The same seed creates the same accounts. Each account has one to six sites and up to four
 * databases. Some sites have Cyrillic names. Of 60 accounts, seven have a problem. One account in twenty has no disk limit.
 */
export function fleetAccounts(count: number, seed = 1): readonly AccountSeed[] {
  return Array.from({ length: count }, (_, index) => fleetAccount(index + 1, seed));
}

function fleetAccount(number: number, fleetSeed: number): AccountSeed {
  const place = ((number - 1) % logins.length) + 1;
  const round = Math.ceil(number / logins.length);
  const login = `${logins[place - 1]}${round > 1 ? `-${round}` : ''}`;
  const seed = hashText(`${fleetSeed}/${login}`);
  const random = (index: number) => noise(seed, index);
  const { usage: used, growth, load = 0.7 * random(10), ...trouble } = troubles[place] ?? {};
  const names = Array.from({ length: 1 + Math.floor(6 * random(0) ** 2) }, (_, index) =>
    random(11 + index) < 0.15 ? `${cyrillic[index]}-${number}.испытание` : `${login}${extras[index]}.example`,
  );
  const plan = plans[names.length <= 3 ? Math.floor(2 * random(1)) : 1 + Math.floor(2 * random(1))] ?? plans[0];
  const limit = 10e9 * (1 + Math.floor(9 * random(2)));
  const usage = Math.round(limit * (used ?? 0.05 + 0.65 * random(3) ** 2));
  const growthPerDay = Math.round(usage * (growth ?? 0.002 + 0.008 * random(4) ** 2));
  const dailyCharge = Math.round(100 * (5 + 40 * random(5))) / 100;
  return {
    login,
    password: `${seed.toString(36)}&${login}=%+`,
    mainPassword: `main&${seed.toString(36)}%`,
    token: unsecuredToken(login),
    customer: customers[Math.floor(random(6) ** 2 * customers.length)],
    plan,
    server: {
      name: `server-${1 + Math.floor(8 * random(7))}.sandbox.example`,
      memory: 386_000,
      legacy: random(8) < 0.3,
    },
    disk: used === undefined && random(9) < 0.05 ? { usage, growthPerDay } : { usage, growthPerDay, limit },
    balance: Math.round(100 * dailyCharge * (25 + 340 * random(17) ** 2)) / 100,
    dailyCharge,
    domains: names.map((fqdn, index) => {
      const isExpiring = place === expiring && index === 0;
      return {
        fqdn,
        expiresInDays: isExpiring ? 5 : Math.floor(45 + 320 * random(20 + index)),
        autoRenew: !isExpiring,
      };
    }),
    // The load of a site varies, so all sites together use approximately the share `load` of the plan's load.
    sites: names.map((name) => ({ name, load: Math.round((100 * load * plan.load) / names.length) / 100 })),
    databases: Array.from({ length: Math.floor(5 * random(40)) }, (_, index) => ({
      name: `${login}_db${index + 1}`,
      size: Math.round(5e5 + 2e9 * random(50 + index) ** 3),
      growthPerDay: Math.round(5e6 * random(60 + index) ** 2),
      load: Math.round(3 + 1500 * random(70 + index) ** 3),
    })),
    mailboxes: names.flatMap((domain, index) => (random(80 + index) < 0.6 ? [{ mailbox: 'info', domain }] : [])),
    cronTasks: [{ schedule: `${number % 60} 3 * * *`, command: '/usr/local/bin/php8.2 ~/cron.php' }],
    ...trouble,
  };
}
