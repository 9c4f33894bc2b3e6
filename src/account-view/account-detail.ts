import type { MetricName } from '../collectors/collector.ts';
import { databaseLoadDetail } from '../collectors/database-load-detail.ts';
import { siteLoadDetail } from '../collectors/site-load-detail.ts';
import type { AccountStore } from '../exposition/account-store.ts';
import type { Sample } from '../exposition/family.ts';
import type { Steps } from '../in-turns.ts';
import {
  type AccountSummary,
  type Backups,
  type Deadline,
  domainDeadline,
  readBackups,
  summarize,
} from './account-summary.ts';
import { Figures } from './figures.ts';
import { firstInOrder } from './first-in-order.ts';
import { type Histories, readHistories } from './histories.ts';
import { parameterOf, reaches } from './severity.ts';
import type { ViewedAccount, ViewedPoller } from './viewed-account.ts';

/** A value of an hour, and the start of that period in Unix milliseconds. */
export interface PeriodValue {
  readonly value: number;
  readonly start: number;
}

/** Load in the provider's unit. */
interface Load {
  /** Mean of the last month. */
  readonly mean: number | undefined;
  /** The newest complete hour. */
  readonly hour: PeriodValue | undefined;
  readonly histories: Histories | undefined;
}

export interface SiteDetail extends Load {
  readonly id: string;
  readonly name: string;
  /** Mean load as a share of the load that the plan allows. */
  readonly shareOfLimit: number | undefined;
  readonly isFrozen: boolean;
}

export interface DatabaseDetail extends Load {
  readonly name: string;
  /** Bytes. */
  readonly size: number | undefined;
  /** Hosts other than localhost that may connect. */
  readonly remoteAccesses: number | undefined;
}

/** A database that is much larger than on an earlier day. */
export interface GrownDatabase {
  readonly name: string;
  /** Its size as a multiple of that of the earlier day. */
  readonly times: number;
  /** Start of that day in Unix milliseconds. */
  readonly since: number;
}

/** Texts are empty if unknown. */
export interface DomainDetail {
  readonly name: string;
  readonly expiry: Deadline | undefined;
  readonly renewsAutomatically: boolean | undefined;
  readonly registrar: string;
  readonly status: string;
  readonly phpVersion: string;
  readonly certificate: string;
  /** Empty if unknown. */
  readonly dnsRecords: readonly DnsRecords[];
  readonly mailboxes: number | undefined;
  readonly forwarding: number | undefined;
  readonly withoutSpamFilter: number | undefined;
}

/** Records of one type, such as MX, of a domain. */
export interface DnsRecords {
  readonly type: string;
  readonly count: number;
}

/** Something that the plan may limit. */
export interface PlanItem {
  readonly kind: 'sites' | 'domains' | 'databases' | 'mailboxes' | 'ftp_accounts' | 'cron_tasks';
  readonly used: number | undefined;
  readonly limit: number | undefined;
}

export interface ServerDetail {
  readonly name: string;
  readonly loadAverage: number | undefined;
  readonly memory: number | undefined;
  readonly memoryUsed: number | undefined;
  readonly uptimeSeconds: number | undefined;
}

/** The first rows of a table. */
export interface Rows<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

/** Tables that can be long. */
export type LongTable = 'sites' | 'databases' | 'domains';

/** Milliseconds since the start of a day with which a size is compared. The newest complete day began two days ago at most. */
const maxDayAge = 3 * 86_400_000;

/** Rows of a long table, and of one that the reader has opened. The metrics have the others. */
export const shortTable = 15;
export const openedTable = 300;

export interface AccountDetail {
  readonly summary: AccountSummary;
  readonly plan: string;
  readonly balance: number | undefined;
  readonly dailyCharge: number | undefined;
  /** The most loaded first. */
  readonly sites: Rows<SiteDetail>;
  /** The most loaded first, then the largest. */
  readonly databases: Rows<DatabaseDetail>;
  /** Those that grow as fast as HostingDatabaseGrewFast reports, the fastest first. */
  readonly grownDatabases: readonly GrownDatabase[];
  /** The one that expires next first. */
  readonly domains: Rows<DomainDetail>;
  readonly planItems: readonly PlanItem[];
  readonly cronTasksDisabled: number | undefined;
  readonly backups: readonly Backups[];
  readonly server: ServerDetail;
  readonly pollers: readonly ViewedPoller[];
  /** By collector: when the API answered with the oldest of its figures, in Unix milliseconds. */
  readonly answered: ReadonlyMap<string, number>;
}

/** Reads everything about one account in steps. */
export function* readAccount(
  account: ViewedAccount,
  now: number,
  opened: ReadonlySet<string> = new Set(),
): Steps<AccountDetail> {
  const figures = new Figures(account.store);
  const info = (yield* figures.samples('hosting_account_info'))[0]?.labels;
  const limitOf = (table: LongTable) => (opened.has(table) ? openedTable : shortTable);
  const sites = yield* readSites(figures, account.store, limitOf('sites'));
  const databases = yield* readDatabases(figures, account.store, limitOf('databases'));
  const domains = yield* readDomains(figures, account, now, limitOf('domains'));
  const summary = yield* summarize(account, now);
  const cronTasks = yield* figures.by('state', 'hosting_cron_tasks');
  return {
    summary,
    plan: info?.['tariff'] ?? '',
    balance: figures.value('hosting_account_balance'),
    dailyCharge: figures.value('hosting_account_daily_charge'),
    sites,
    databases,
    grownDatabases: yield* readGrownDatabases(figures, account, now),
    domains,
    planItems: yield* readPlanItems(figures, cronTasks.get('enabled')),
    cronTasksDisabled: cronTasks.get('disabled'),
    backups: yield* readBackups(figures, account.thresholds, now),
    server: {
      name: info?.['server'] ?? '',
      loadAverage: figures.value('hosting_server_load_average'),
      memory: figures.value('hosting_server_memory_bytes'),
      memoryUsed: figures.value('hosting_server_memory_used_bytes'),
      uptimeSeconds: figures.value('hosting_server_uptime_seconds'),
    },
    pollers: account.pollers,
    answered: yield* oldestAnswers(account),
  };
}

/** By collector: when the API answered with the oldest of its figures. */
function* oldestAnswers({ pollers, store }: ViewedAccount): Steps<ReadonlyMap<string, number>> {
  const answers = new Map<string, number>();
  for (const { collector } of pollers) {
    const payloads = store.payloads(collector.name);
    for (const { answered } of payloads.values()) {
      answers.set(collector.name, Math.min(answered, answers.get(collector.name) ?? answered));
    }
    yield payloads.size;
  }
  return answers;
}

function* readSites(figures: Figures, store: AccountStore, limit: number): Steps<Rows<SiteDetail>> {
  const names = new Map<string, string>([
    ...(yield* figures.pairs('site_id', 'site', 'hosting_site_info')),
    // These names win, because those of the histories come from the same list.
    ...(yield* figures.pairs('site_id', 'site', 'hosting_site_load_average')),
  ]);
  const mean = yield* figures.by('site_id', 'hosting_site_load_average');
  const hour = yield* periodValues(figures, 'site_id', 'hosting_site_load_hourly');
  const frozen = yield* figures.by('site_id', 'hosting_site_frozen');
  const planLimit = figures.value('hosting_account_load_limit');
  const sites = [...names].map(([id, name]) => ({ id, name, mean: mean.get(id) }));
  const shown = yield* firstInOrder(sites, limit, (a, b) => descending(a.mean, b.mean));
  const items = shown.map(({ id, name }) => ({ site_id: id, site: name }));
  const histories = yield* readHistories(store, siteLoadDetail, items);
  const rows = shown.map((site, index) => ({
    ...site,
    hour: hour.get(site.id),
    histories: histories[index],
    shareOfLimit: planLimit === undefined ? undefined : shareOf(site.mean, planLimit),
    isFrozen: frozen.get(site.id) === 1,
  }));
  return { total: names.size, rows };
}

function* readDatabases(figures: Figures, store: AccountStore, limit: number): Steps<Rows<DatabaseDetail>> {
  const size = yield* figures.by('database', 'hosting_database_size_bytes');
  const mean = yield* figures.by('database', 'hosting_database_load_average');
  const hour = yield* periodValues(figures, 'database', 'hosting_database_load_hourly');
  const remote = yield* figures.by('database', 'hosting_database_remote_accesses');
  const names = new Set([...size.keys(), ...mean.keys()]);
  const databases = [...names].map((name) => ({ name, size: size.get(name), mean: mean.get(name) }));
  const shown = yield* firstInOrder(
    databases,
    limit,
    (a, b) => descending(a.mean, b.mean) || descending(a.size, b.size),
  );
  const items = shown.map(({ name }) => ({ database: name }));
  const histories = yield* readHistories(store, databaseLoadDetail, items);
  const rows = shown.map((database, index) => ({
    ...database,
    hour: hour.get(database.name),
    histories: histories[index],
    remoteAccesses: remote.get(database.name),
  }));
  return { total: names.size, rows };
}

/** The exporter knows one earlier size of each database: that of the newest complete day. */
function* readGrownDatabases(
  figures: Figures,
  { thresholds }: ViewedAccount,
  now: number,
): Steps<readonly GrownDatabase[]> {
  const alert = 'HostingDatabaseGrewFast';
  const sizes = yield* figures.by('database', 'hosting_database_size_bytes');
  const starts = yield* figures.by('database', 'hosting_database_size_daily_timestamp_seconds');
  const grown: GrownDatabase[] = [];
  for (const [name, earlier] of yield* figures.by('database', 'hosting_database_size_daily_bytes')) {
    const size = sizes.get(name);
    const since = (starts.get(name) ?? 0) * 1000;
    if (size === undefined || size < parameterOf(alert, 'floor') || now - since > maxDayAge) continue;
    const times = size / earlier;
    if (earlier > 0 && reaches(alert, 'info', times, thresholds)) grown.push({ name, times, since });
  }
  return grown.sort((a, b) => b.times - a.times);
}

function* readDomains(
  figures: Figures,
  { thresholds }: ViewedAccount,
  now: number,
  limit: number,
): Steps<Rows<DomainDetail>> {
  const expiry = yield* figures.by('domain', 'hosting_domain_expiry_timestamp_seconds');
  const renews = yield* figures.by('domain', 'hosting_domain_auto_renew');
  const registration = yield* labelsByDomain(figures, 'hosting_domain_info');
  const site = yield* labelsByDomain(figures, 'hosting_site_domain_info');
  const php = yield* labelsByDomain(figures, 'hosting_domain_php_info');
  const dnsRecords = yield* dnsRecordsByDomain(figures);
  const mailboxes = yield* figures.by('domain', 'hosting_mailboxes');
  const forwarding = yield* figures.by('domain', 'hosting_mailboxes_forwarding');
  const unfiltered = yield* figures.by('domain', 'hosting_mailboxes_spam_filter_disabled');
  const sources = [expiry, renews, registration, site, php, dnsRecords, mailboxes];
  const names = new Set(sources.flatMap((byDomain) => [...byDomain.keys()]));
  const domains = [...names].map((name) => ({ name, seconds: expiry.get(name) ?? Number.POSITIVE_INFINITY }));
  // Two domains without a date are equal, although the difference of their times is not a number.
  const shown = yield* firstInOrder(domains, limit, (a, b) => a.seconds - b.seconds || (a.name < b.name ? -1 : 1));
  const rows = shown.map(({ name }) => {
    const seconds = expiry.get(name);
    const renewsAutomatically = renews.has(name) ? renews.get(name) === 1 : undefined;
    return {
      name,
      expiry:
        seconds === undefined
          ? undefined
          : domainDeadline(seconds * 1000, renewsAutomatically === true, thresholds, now),
      renewsAutomatically,
      registrar: registration.get(name)?.['registrar'] ?? '',
      status: registration.get(name)?.['status'] ?? '',
      phpVersion: php.get(name)?.['version'] ?? site.get(name)?.['php_version'] ?? '',
      certificate: site.get(name)?.['ssl_status'] ?? '',
      dnsRecords: dnsRecords.get(name) ?? [],
      mailboxes: mailboxes.get(name),
      forwarding: forwarding.get(name),
      withoutSpamFilter: unfiltered.get(name),
    };
  });
  return { total: names.size, rows };
}

type Labels = Sample['labels'];

function* labelsByDomain(figures: Figures, metric: MetricName): Steps<ReadonlyMap<string, Labels>> {
  const samples = yield* figures.samples(metric);
  return new Map(samples.map(({ labels }) => [labels['domain'] ?? '', labels]));
}

function* dnsRecordsByDomain(figures: Figures): Steps<ReadonlyMap<string, readonly DnsRecords[]>> {
  const records = new Map<string, DnsRecords[]>();
  for (const { labels, value } of yield* figures.samples('hosting_domain_dns_records')) {
    const { domain = '', type = '' } = labels;
    const list = records.get(domain) ?? [];
    records.set(domain, list);
    list.push({ type, count: value });
  }
  return records;
}

/** Usage as counted against the plan, else the number of entries in the list. */
function* readPlanItems(figures: Figures, cronTasks: number | undefined): Steps<readonly PlanItem[]> {
  const value = (metric: MetricName) => figures.value(metric);
  return [
    {
      kind: 'sites',
      used: value('hosting_account_sites_used') ?? value('hosting_sites'),
      limit: value('hosting_account_sites_limit'),
    },
    {
      kind: 'domains',
      used: value('hosting_account_domains_used') ?? value('hosting_domains'),
      limit: value('hosting_account_domains_limit'),
    },
    { kind: 'databases', used: value('hosting_databases'), limit: value('hosting_account_databases_limit') },
    {
      kind: 'mailboxes',
      used: value('hosting_account_mailboxes_used') ?? (yield* figures.sum('hosting_mailboxes')),
      limit: value('hosting_account_mailboxes_limit'),
    },
    {
      kind: 'ftp_accounts',
      used: value('hosting_account_ftp_accounts_used') ?? value('hosting_ftp_accounts'),
      limit: value('hosting_account_ftp_accounts_limit'),
    },
    { kind: 'cron_tasks', used: cronTasks, limit: undefined },
  ];
}

function* periodValues(
  figures: Figures,
  label: string,
  metric: `hosting_${string}_hourly`,
): Steps<ReadonlyMap<string, PeriodValue>> {
  const starts = yield* figures.by(label, `${metric}_timestamp_seconds`);
  const values = yield* figures.by(label, metric);
  return new Map(
    [...values].flatMap(([item, value]) => {
      const seconds = starts.get(item);
      return seconds === undefined ? [] : [[item, { value, start: seconds * 1000 }] as const];
    }),
  );
}

function shareOf(value: number | undefined, limit: number): number | undefined {
  return value === undefined || limit <= 0 ? undefined : value / limit;
}

/** Unknown values last. */
function descending(a: number | undefined, b: number | undefined): number {
  return (b ?? -1) - (a ?? -1);
}
