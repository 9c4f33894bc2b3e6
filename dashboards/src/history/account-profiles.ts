import { pseudoRandom } from './pseudo-random.ts';

/** One hour and one day, in seconds. */
export const hour = 3600;
export const day = 24 * hour;

const gigabyte = 1e9;

/** Properties and events of a generated account. Times are in seconds before the end of the history. */
export interface AccountProfile {
  readonly name: string;
  readonly plan: string;
  readonly server: string;
  /** The disk quota; absent if the plan has no quota. */
  readonly quotaBytes?: number;
  readonly loadLimit?: number;
  /** The disk usage in bytes, `ago` seconds before the end of the history. */
  readonly usage: (ago: number) => number;
  /** Days until suspension at the end of the history; absent if the provider reports no billing data. */
  readonly paidDays?: number;
  readonly sites: readonly Site[];
  readonly databases: readonly Database[];
  readonly domains: readonly Domain[];
  readonly mailboxes: number;
  /** Age of the newest backup in days; absent if there is no backup. */
  readonly backupDaysAgo?: number;
  /** The time at which the API starts to reject the credentials. */
  readonly rejectedSince?: number;
  /** Collectors that fail on the last day of the history, and the reason of each failure. */
  readonly failing?: Readonly<Record<string, string>>;
  /** The number of series that each collector drops because of max_series. */
  readonly dropped?: Readonly<Record<string, number>>;
  /** Number of items that the API refuses, by collector. */
  readonly refused?: Readonly<Record<string, number>>;
  /** The value of the configured label `customer`. */
  readonly customer?: string;
  /** Thresholds configured for this account. */
  readonly thresholds?: readonly { readonly alert: string; readonly severity: string; readonly value: number }[];
}

interface Site {
  readonly name: string;
  readonly load: number;
  /** The load is multiplied by `times` from `since` on. */
  readonly loadJump?: { readonly since: number; readonly times: number };
  readonly php: string;
  readonly certificate: string;
}

interface Database {
  readonly name: string;
  readonly bytes: number;
  readonly growthPerDay: number;
  readonly load: number;
}

interface Domain {
  readonly name: string;
  readonly daysLeft: number;
  readonly autoRenew: boolean;
  /** The status of the newest order to renew the domain. */
  readonly renewal?: string;
}

/** The provider is unreachable in this period, in seconds before the end of the history. */
export const outage = { from: 13 * hour, to: 11 * hour } as const;

function site(name: string, load: number, more: Partial<Site> = {}): Site {
  return { name, load, php: '8.3', certificate: 'active', ...more };
}

function database(name: string, gigabytes: number, growthPerDay: number, load: number): Database {
  return { name, bytes: gigabytes * gigabyte, growthPerDay: growthPerDay * gigabyte, load };
}

function domain(name: string, daysLeft: number, autoRenew = true): Domain {
  return { name, daysLeft, autoRenew };
}

function steady(gigabytesNow: number, perDay: number): (ago: number) => number {
  return (ago) =>
    Math.max(0.2, gigabytesNow - (perDay * ago) / day) *
    (1 - 0.0006 * (2 - Math.cos(ago / (7 * hour)) - Math.cos(ago / (31 * hour)))) *
    gigabyte;
}

const fixedProfiles: readonly AccountProfile[] = [
  {
    // Disk fills up: about six days left.
    name: 'shop',
    customer: 'acme',
    plan: 'Great',
    server: 'm1.example',
    quotaBytes: 100 * gigabyte,
    loadLimit: 400,
    usage: steady(81, 2.9),
    paidDays: 64,
    sites: [
      site('shop.example', 88),
      site('api.shop.example', 41, { php: '8.2' }),
      site('old.shop.example', 12, { php: '7.4', certificate: 'expired' }),
    ],
    databases: [
      database('shop_main', 11, 0.35, 1900),
      database('shop_logs', 6.2, 2.4, 310),
      database('shop_test', 0.4, 0, 4),
    ],
    domains: [{ ...domain('shop.example', 220), renewal: 'success' }, domain('shop-sale.example', 19, false)],
    mailboxes: 24,
    backupDaysAgo: 0.6,
  },
  {
    // Disk full; Cyrillic names.
    name: 'кофейня',
    customer: 'acme',
    plan: 'Start',
    server: 'm2.example',
    quotaBytes: 20 * gigabyte,
    loadLimit: 65,
    usage: (ago) =>
      (ago > 4 * day ? 18.4 - (0.15 * (ago - 4 * day)) / day : Math.min(19.93, 18.4 + (0.55 * (4 * day - ago)) / day)) *
      gigabyte,
    paidDays: 12,
    sites: [site('кофейня.рф', 17), site('меню.кофейня.рф', 5, { certificate: 'none' })],
    databases: [database('kofe_main', 2.1, 0.02, 210)],
    domains: [domain('кофейня.рф', 140), domain('кофе-на-дом.рф', -4, false)],
    mailboxes: 9,
    backupDaysAgo: 1.6,
  },
  {
    // No disk quota and no load limit.
    name: 'studio',
    customer: 'globex',
    plan: 'Unlimited',
    server: 'm1.example',
    usage: steady(340, 1.2),
    paidDays: 410,
    sites: [site('studio.example', 55), site('portfolio.example', 21)],
    databases: [database('studio_cms', 8.5, 0.05, 800)],
    domains: [domain('studio.example', 512), domain('portfolio.example', 71), domain('old.example', -400)],
    mailboxes: 40,
    backupDaysAgo: 2.6,
  },
  {
    name: 'dental-clinic',
    customer: 'globex',
    plan: 'Blog',
    server: 'm3.example',
    quotaBytes: 40 * gigabyte,
    loadLimit: 80,
    usage: steady(11.2, 0.01),
    paidDays: 95,
    sites: [site('dental.example', 9)],
    databases: [database('dental_wp', 0.9, 0, 90)],
    domains: [domain('dental.example', 301)],
    mailboxes: 6,
    backupDaysAgo: 0.6,
    // One method is not permitted.
    failing: { mailboxes: 'permission' },
  },
  {
    // Credentials are rejected.
    name: 'museum',
    customer: 'initech',
    plan: 'Start',
    server: 'm3.example',
    quotaBytes: 20 * gigabyte,
    loadLimit: 65,
    usage: steady(8.4, 0.03),
    paidDays: 33,
    sites: [site('museum.example', 6)],
    databases: [database('museum_db', 0.6, 0, 30)],
    domains: [domain('museum.example', 88)],
    mailboxes: 11,
    backupDaysAgo: 1.6,
    rejectedSince: 20 * hour,
  },
  {
    // One large restore, then no growth.
    name: 'newspaper',
    customer: 'initech',
    plan: 'Great',
    server: 'm1.example',
    quotaBytes: 100 * gigabyte,
    loadLimit: 400,
    usage: (ago) =>
      (ago > 5 * day ? 52 : ago > 5 * day - 2 * hour ? 52 + (22 * (5 * day - ago)) / (2 * hour) : 74.2) * gigabyte,
    paidDays: 28,
    sites: [site('newspaper.example', 112), site('archive.newspaper.example', 33, { php: '5.6' })],
    databases: [database('news_main', 9.4, 0.08, 2900), database('news_comments', 3.3, 0.06, 700)],
    domains: [domain('newspaper.example', 460)],
    mailboxes: 61,
    backupDaysAgo: 0.6,
  },
  {
    // Load rises suddenly, for example from bots.
    name: 'blog',
    plan: 'Blog',
    server: 'm2.example',
    quotaBytes: 40 * gigabyte,
    loadLimit: 80,
    usage: steady(21, 0.05),
    paidDays: 150,
    sites: [site('blog.example', 52, { loadJump: { since: 30 * hour, times: 15 } }), site('recipes.example', 16)],
    databases: [database('blog_wp', 1.8, 0.01, 410)],
    domains: [domain('blog.example', 199), domain('recipes.example', 240)],
    mailboxes: 3,
    backupDaysAgo: 0.6,
  },
  {
    // A nightly backup that is removed in the morning.
    name: 'bakery',
    plan: 'Blog',
    server: 'm2.example',
    quotaBytes: 40 * gigabyte,
    loadLimit: 80,
    usage: (ago) => (15 + ((((-ago / hour) % 24) + 24) % 24 < 3 ? 9 : 0)) * gigabyte,
    paidDays: 77,
    sites: [site('bakery.example', 8), site('cake.example', 4, { php: '8.1' })],
    databases: [database('bakery_shop', 1.1, 0.01, 160)],
    domains: [domain('bakery.example', 122), domain('cake.example', 26)],
    mailboxes: 8,
    backupDaysAgo: 1.6,
  },
  {
    // Suspension and a domain expiry are close.
    name: 'law-office',
    customer: 'acme',
    plan: 'Start',
    server: 'm3.example',
    quotaBytes: 20 * gigabyte,
    loadLimit: 65,
    usage: steady(6.1, 0.02),
    paidDays: 0.9,
    sites: [site('law.example', 7)],
    databases: [database('law_wp', 0.5, 0, 44)],
    domains: [domain('law.example', 5, false)],
    mailboxes: 18,
    backupDaysAgo: 0.6,
  },
  {
    // Old backups; a lower disk threshold than the default.
    name: 'school',
    plan: 'Great',
    server: 'm1.example',
    quotaBytes: 100 * gigabyte,
    loadLimit: 400,
    usage: steady(73, 0.04),
    paidDays: 5.2,
    sites: [site('school.example', 61), site('library.school.example', 14, { php: '7.2', certificate: 'none' })],
    databases: [database('school_moodle', 14.8, 0.1, 1500)],
    domains: [domain('school.example', 2.2), domain('library.example', 333)],
    mailboxes: 212,
    backupDaysAgo: 8.4,
    thresholds: [{ alert: 'HostingDiskAlmostFull', severity: 'warning', value: 0.7 }],
  },
  {
    // Almost unused: no sites, no databases, no backup.
    name: 'garden',
    plan: 'Start',
    server: 'm2.example',
    quotaBytes: 20 * gigabyte,
    loadLimit: 65,
    usage: steady(0.3, 0),
    sites: [],
    databases: [],
    domains: [],
    mailboxes: 0,
  },
  {
    // Many sites, databases and domains.
    name: 'agency',
    plan: 'Great',
    server: 'm1.example',
    quotaBytes: 250 * gigabyte,
    loadLimit: 600,
    usage: steady(171, 0.6),
    paidDays: 240,
    sites: Array.from({ length: 14 }, (_, index) => site(`client-${index + 1}.example`, 4 + 3 * index)),
    databases: Array.from({ length: 10 }, (_, index) =>
      database(`agency_c${index + 1}`, 0.4 + 0.5 * index, 0.01 * index, 20 + 45 * index),
    ),
    domains: Array.from({ length: 12 }, (_, index) =>
      domain(`client-${index + 1}.example`, 40 + 31 * index, index % 5 !== 0),
    ),
    mailboxes: 96,
    backupDaysAgo: 0.6,
    dropped: { site_load_detail: 48 },
    refused: { mailboxes: 2 },
  },
];

/** The first `count` accounts: twelve fixed profiles, then generated customers. */
export function accountProfiles(count: number, seed: number): readonly AccountProfile[] {
  const more = Array.from({ length: Math.max(0, count - fixedProfiles.length) }, (_, index) =>
    customer(index + 1, seed),
  );
  return [...fixedProfiles.slice(0, count), ...more];
}

function customer(number: number, seed: number): AccountProfile {
  const name = `customer-${String(number).padStart(3, '0')}`;
  const quota = [20, 40, 100][Math.floor(pseudoRandom(seed, name, 'plan') * 3)] ?? 20;
  const used = quota * (0.05 + 0.72 * pseudoRandom(seed, name, 'usage'));
  return {
    name,
    plan: quota === 20 ? 'Start' : quota === 40 ? 'Blog' : 'Great',
    server: `m${1 + Math.floor(pseudoRandom(seed, name, 'server') * 9)}.example`,
    quotaBytes: quota * gigabyte,
    loadLimit: quota === 20 ? 65 : quota === 40 ? 80 : 400,
    usage: steady(used, 0.001 * quota * pseudoRandom(seed, name, 'growth')),
    paidDays: 9 + 300 * pseudoRandom(seed, name, 'paid'),
    sites: [site(`${name}.example`, 2 + 30 * pseudoRandom(seed, name, 'load'))],
    databases: [
      database(
        `c${number}_wp`,
        0.1 + 2 * pseudoRandom(seed, name, 'database'),
        0,
        10 + 300 * pseudoRandom(seed, name, 'queries'),
      ),
    ],
    domains: [domain(`${name}.example`, 31 + 400 * pseudoRandom(seed, name, 'domain'))],
    mailboxes: Math.floor(30 * pseudoRandom(seed, name, 'mail')),
    backupDaysAgo: 0.6,
  };
}
