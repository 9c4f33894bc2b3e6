import { setImmediate } from 'node:timers/promises';
import { databaseLoadDetail } from '../collectors/database-load-detail.ts';
import { siteLoadDetail } from '../collectors/site-load-detail.ts';
import type { AccountStore } from '../exposition/account-store.ts';
import { type AccountSummary, backupAges, type Deadline, domainDeadline, summarize } from './account-summary.ts';
import { Figures } from './figures.ts';
import { type Histories, readHistories } from './histories.ts';
import type { Level } from './severity.ts';
import type { ViewedAccount, ViewedPoller } from './viewed-account.ts';

const byName = new Intl.Collator('en', { numeric: true });

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

/** Texts are empty if unknown. */
export interface DomainDetail {
  readonly name: string;
  readonly expiry: Deadline | undefined;
  readonly renewsAutomatically: boolean | undefined;
  readonly registrar: string;
  readonly status: string;
  readonly phpVersion: string;
  readonly certificate: string;
  readonly mailboxes: number | undefined;
  readonly forwarding: number | undefined;
  readonly withoutSpamFilter: number | undefined;
}

/** Something that the plan may limit. */
export interface PlanItem {
  readonly kind: 'sites' | 'domains' | 'databases' | 'mailboxes' | 'ftp_accounts' | 'cron_tasks';
  readonly used: number | undefined;
  readonly limit: number | undefined;
}

/** Backups of files or of databases. */
export interface BackupDetail {
  readonly kind: string;
  readonly count: number | undefined;
  /** Time of the newest. */
  readonly time: number | undefined;
  readonly level: Level;
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
  /** The one that expires next first. */
  readonly domains: Rows<DomainDetail>;
  readonly planItems: readonly PlanItem[];
  readonly cronTasksDisabled: number | undefined;
  readonly backups: readonly BackupDetail[];
  readonly server: ServerDetail;
  readonly pollers: readonly ViewedPoller[];
  /** By collector: when the API answered with the oldest of its figures, in Unix milliseconds. */
  readonly answered: ReadonlyMap<string, number>;
}

/** Reads everything about one account, in steps, so that other work continues in between. */
export async function readAccount(
  account: ViewedAccount,
  now: number,
  opened: ReadonlySet<string> = new Set(),
): Promise<AccountDetail> {
  const figures = new Figures(account.store);
  const info = figures.samples('hosting_account_info')[0]?.labels;
  const limitOf = (table: LongTable) => (opened.has(table) ? openedTable : shortTable);
  const sites = await readSites(figures, account.store, limitOf('sites'));
  const databases = await readDatabases(figures, account.store, limitOf('databases'));
  const domains = await readDomains(figures, account, now, limitOf('domains'));
  await setImmediate();
  const summary = summarize(account, now);
  await setImmediate();
  return {
    summary,
    plan: info?.['tariff'] ?? '',
    balance: figures.value('hosting_account_balance'),
    dailyCharge: figures.value('hosting_account_daily_charge'),
    sites,
    databases,
    domains,
    planItems: readPlanItems(figures),
    cronTasksDisabled: figures.by('state', 'hosting_cron_tasks').get('disabled'),
    backups: readBackups(figures, account, now),
    server: {
      name: info?.['server'] ?? '',
      loadAverage: figures.value('hosting_server_load_average'),
      memory: figures.value('hosting_server_memory_bytes'),
      memoryUsed: figures.value('hosting_server_memory_used_bytes'),
      uptimeSeconds: figures.value('hosting_server_uptime_seconds'),
    },
    pollers: account.pollers,
    answered: new Map(
      account.pollers.flatMap(({ collector: { name } }) => {
        const times = [...account.store.payloads(name).values()].map(({ answered }) => answered);
        return times.length === 0 ? [] : [[name, times.reduce((a, b) => Math.min(a, b))] as const];
      }),
    ),
  };
}

async function readSites(figures: Figures, store: AccountStore, limit: number): Promise<Rows<SiteDetail>> {
  const names = new Map<string, string>([
    ...figures.pairs('site_id', 'site', 'hosting_site_info'),
    // These names win, because those of the histories come from the same list.
    ...figures.pairs('site_id', 'site', 'hosting_site_load_average'),
  ]);
  await setImmediate();
  const mean = figures.by('site_id', 'hosting_site_load_average');
  await setImmediate();
  const hour = periodValues(figures, 'site_id', 'hosting_site_load_hourly');
  await setImmediate();
  const frozen = figures.by('site_id', 'hosting_site_frozen');
  const planLimit = figures.value('hosting_account_load_limit');
  const shown = [...names].sort(([a], [b]) => descending(mean.get(a), mean.get(b))).slice(0, limit);
  await setImmediate();
  const items = shown.map(([id, name]) => ({ site_id: id, site: name }));
  const histories = await readHistories(store, siteLoadDetail, items);
  const rows = shown.map(([id, name], index) => ({
    id,
    name,
    mean: mean.get(id),
    hour: hour.get(id),
    histories: histories[index],
    shareOfLimit: planLimit === undefined ? undefined : shareOf(mean.get(id), planLimit),
    isFrozen: frozen.get(id) === 1,
  }));
  return { total: names.size, rows };
}

async function readDatabases(figures: Figures, store: AccountStore, limit: number): Promise<Rows<DatabaseDetail>> {
  const size = figures.by('database', 'hosting_database_size_bytes');
  const mean = figures.by('database', 'hosting_database_load_average');
  await setImmediate();
  const hour = periodValues(figures, 'database', 'hosting_database_load_hourly');
  const remote = figures.by('database', 'hosting_database_remote_accesses');
  const names = [...new Set([...size.keys(), ...mean.keys()])];
  const shown = names
    .sort((a, b) => descending(mean.get(a), mean.get(b)) || descending(size.get(a), size.get(b)))
    .slice(0, limit);
  await setImmediate();
  const items = shown.map((database) => ({ database }));
  const histories = await readHistories(store, databaseLoadDetail, items);
  const rows = shown.map((name, index) => ({
    name,
    size: size.get(name),
    mean: mean.get(name),
    hour: hour.get(name),
    histories: histories[index],
    remoteAccesses: remote.get(name),
  }));
  return { total: names.length, rows };
}

async function readDomains(
  figures: Figures,
  { thresholds }: ViewedAccount,
  now: number,
  limit: number,
): Promise<Rows<DomainDetail>> {
  const expiry = figures.by('domain', 'hosting_domain_expiry_timestamp_seconds');
  const renews = figures.by('domain', 'hosting_domain_auto_renew');
  await setImmediate();
  const labelsOf = (metric: Parameters<Figures['samples']>[0]) =>
    new Map(figures.samples(metric).map(({ labels }) => [labels['domain'] ?? '', labels]));
  const registration = labelsOf('hosting_domain_info');
  await setImmediate();
  const site = labelsOf('hosting_site_domain_info');
  await setImmediate();
  const php = labelsOf('hosting_domain_php_info');
  const mailboxes = figures.by('domain', 'hosting_mailboxes');
  await setImmediate();
  const forwarding = figures.by('domain', 'hosting_mailboxes_forwarding');
  const unfiltered = figures.by('domain', 'hosting_mailboxes_spam_filter_disabled');
  await setImmediate();
  const known = [expiry, renews, registration, site, php, mailboxes].flatMap((byDomain) => [...byDomain.keys()]);
  const names = [...new Set(known)];
  const time = (name: string) => expiry.get(name) ?? Number.POSITIVE_INFINITY;
  // Two domains without a date are equal, although the difference of their times is not a number.
  names.sort((a, b) => time(a) - time(b) || byName.compare(a, b));
  const rows = names.slice(0, limit).map((name) => {
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
      mailboxes: mailboxes.get(name),
      forwarding: forwarding.get(name),
      withoutSpamFilter: unfiltered.get(name),
    };
  });
  return { total: names.length, rows };
}

/** Usage as counted against the plan, else the number of entries in the list. */
function readPlanItems(figures: Figures): readonly PlanItem[] {
  const value = (metric: Parameters<Figures['value']>[0]) => figures.value(metric);
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
      used: value('hosting_account_mailboxes_used') ?? figures.sum('hosting_mailboxes'),
      limit: value('hosting_account_mailboxes_limit'),
    },
    {
      kind: 'ftp_accounts',
      used: value('hosting_account_ftp_accounts_used') ?? value('hosting_ftp_accounts'),
      limit: value('hosting_account_ftp_accounts_limit'),
    },
    { kind: 'cron_tasks', used: figures.by('state', 'hosting_cron_tasks').get('enabled'), limit: undefined },
  ];
}

function readBackups(figures: Figures, { thresholds }: ViewedAccount, now: number): readonly BackupDetail[] {
  const counts = figures.by('kind', 'hosting_backups');
  const ages = new Map(backupAges(figures, thresholds, now).map((age) => [age.kind, age]));
  return [...new Set([...counts.keys(), ...ages.keys()])].map((kind) => ({
    kind,
    count: counts.get(kind),
    time: ages.get(kind)?.time,
    level: ages.get(kind)?.level ?? 'ok',
  }));
}

function periodValues(
  figures: Figures,
  label: string,
  metric: `hosting_${string}_hourly`,
): ReadonlyMap<string, PeriodValue> {
  const starts = figures.by(label, `${metric}_timestamp_seconds`);
  return new Map(
    [...figures.by(label, metric)].flatMap(([item, value]) => {
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
