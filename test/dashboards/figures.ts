import { expect, test } from 'vitest';
import { type AccountProfile, accountProfiles } from '../fixtures/dashboard-history/account-profiles.ts';
import { type HistoryOptions, history } from '../fixtures/dashboard-history/series.ts';
import { englishDashboards, filledIn, queriesOf, whereIs } from './dashboard-reading.ts';
import { type FilledPrometheus, now } from './filled-prometheus.ts';

// Compares the figures of the panels with figures that this file computes from the samples of the same history.

const day = 86_400;
const step = 1800;

function fullAccount(name: string, usedBytes: number): AccountProfile {
  return {
    name,
    plan: 'Start',
    server: 'm1.example',
    customer: 'umbrella',
    quotaBytes: 20e9,
    loadLimit: 65,
    usage: () => usedBytes,
    paidDays: 40,
    sites: [],
    databases: [],
    domains: [],
    mailboxes: 0,
    backupDaysAgo: 0.6,
  };
}

/** Twelve accounts, one that uses exactly its quota, and one that uses more. */
export const options: HistoryOptions = {
  accounts: [...accountProfiles, fullAccount('full', 20e9), fullAccount('over', 21e9)],
  now,
  days: 15,
  step,
};

type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** Figures by the values of some labels. */
type Figures = ReadonlyMap<string, number>;

const allSeries = history(options).filter(({ labels }) => labels['job'] === 'hosting');

function matches(labels: Labels, where: Labels): boolean {
  return Object.entries(where).every(([name, value]) => labels[name] === value);
}

/** The newest sample of each series of a metric at a time, which may be one step old, or as old as given. */
function newest(metric: string, where: Labels = {}, { at = now, age = step } = {}): readonly Sample[] {
  return allSeries
    .filter(({ name, labels }) => name === metric && matches(labels, where))
    .flatMap(({ labels, value }) => {
      for (let time = at; time >= at - age; time -= step) {
        const found = value(time);
        if (found !== undefined) return [{ labels, value: found }];
      }
      return [];
    });
}

/** The mean of each series of a metric over the days until a time. */
function mean(metric: string, days: number, where: Labels = {}, at = now): readonly Sample[] {
  return allSeries
    .filter(({ name, labels }) => name === metric && matches(labels, where))
    .flatMap(({ labels, value }) => {
      const values: number[] = [];
      for (let time = at - days * day; time <= at; time += step) values.push(value(time) ?? Number.NaN);
      const known = values.filter((one) => !Number.isNaN(one));
      return known.length === 0 ? [] : [{ labels, value: sum(known) / known.length }];
    });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function count(values: readonly number[]): number {
  return values.length;
}

function largest(values: readonly number[]): number {
  return Math.max(...values);
}

function smallest(values: readonly number[]): number {
  return Math.min(...values);
}

/** One figure per combination of labels. */
function by(
  names: readonly string[],
  samples: readonly Sample[],
  reduce: (values: readonly number[]) => number = largest,
): Figures {
  const groups = Map.groupBy(samples, ({ labels }) => keyOf(labels, names));
  return new Map([...groups].map(([key, group]) => [key, reduce(group.map(({ value }) => value))]));
}

function keyOf(labels: Labels, names: readonly string[]): string {
  return names.map((name) => labels[name] ?? '').join(' ');
}

/** Where both have a figure. */
function combine(one: Figures, other: Figures, operation: (one: number, other: number) => number): Figures {
  return new Map(
    [...one].flatMap(([key, value]) => {
      const second = other.get(key);
      return second === undefined ? [] : [[key, operation(value, second)] as const];
    }),
  );
}

function mapped(figures: Figures, operation: (value: number) => number): Figures {
  return new Map([...figures].map(([key, value]) => [key, operation(value)]));
}

/** The largest figures. */
function top(most: number, figures: Figures): Figures {
  return new Map([...figures].toSorted(([, one], [, other]) => other - one).slice(0, most));
}

function only(reduce: (values: readonly number[]) => number, figures: Figures): Figures {
  return figures.size === 0 ? figures : new Map([['', reduce([...figures.values()])]]);
}

function ratio(one: number, other: number): number {
  return one / other;
}

function difference(one: number, other: number): number {
  return one - other;
}

function secondsAgo(time: number): number {
  return now - time;
}

function daysLeft(time: number): number {
  return (time - now) / day;
}

const account = ['account'];
const weekAgo = { at: now - 7 * day };
const lastDay = { age: day };

const usage = by(account, newest('hosting_account_disk_usage_bytes'));
const usageWeekAgo = by(account, newest('hosting_account_disk_usage_bytes', {}, weekAgo));
// The rules keep these figures for a day.
const lastUsage = by(account, newest('hosting_account_disk_usage_bytes', {}, lastDay));
const lastQuota = by(account, newest('hosting_account_disk_limit_bytes', {}, lastDay));
const used = combine(lastUsage, lastQuota, ratio);
const free = combine(lastQuota, lastUsage, difference);
const balance = by(account, newest('hosting_account_balance'));
const charge = by(account, newest('hosting_account_daily_charge'));
const blockedIn = mapped(by(account, newest('hosting_account_block_timestamp_seconds', {}, lastDay)), (time) =>
  Math.ceil(Math.max(0, daysLeft(time))),
);
const planLoad = combine(
  by(account, newest('hosting_site_load_average', {}, lastDay), sum),
  by(account, newest('hosting_account_load_limit', {}, lastDay)),
  ratio,
);
const dataAge = mapped(
  by(account, newest('hosting_exporter_collector_last_success_timestamp_seconds', { collector: 'account' })),
  secondsAgo,
);
const plan = new Map(newest('hosting_account_info').map(({ labels }) => [labels['account'] ?? '', labels['tariff']]));
const customer = new Map(
  newest('hosting_account_labels').map(({ labels }) => [labels['account'] ?? '', labels['label_customer']]),
);

/** Figures of accounts by another property of them. */
function regrouped(
  groups: ReadonlyMap<string, string | undefined>,
  figures: Figures,
  reduce: (values: readonly number[]) => number,
): Figures {
  const known = [...figures].filter(([name]) => groups.get(name) !== undefined);
  return by(
    ['group'],
    known.map(([name, value]) => ({ labels: { group: groups.get(name) ?? '' }, value })),
    reduce,
  );
}

/** Number of firing alerts by account. A warning does not count next to its critical alert. */
function alerts(severity: 'critical' | 'warning'): Figures {
  const firing = (level: string) => newest('ALERTS', { alertstate: 'firing', severity: level });
  const identity = ['alertname', 'account', 'collector', 'kind', 'domain', 'site'];
  const critical = new Set(firing('critical').map(({ labels }) => keyOf(labels, identity)));
  const counted = firing(severity).filter(
    ({ labels }) => severity === 'critical' || !critical.has(keyOf(labels, identity)),
  );
  return by(account, counted, count);
}

/** Days; an account without databases needs no backup of them, and a missing backup is older than any other. */
const backupAges: Figures = new Map([
  ...by(
    ['account', 'kind'],
    newest('hosting_backup_last_timestamp_seconds', {}, lastDay)
      .filter(({ labels }) => labels['kind'] === 'files' || hasDatabases(labels))
      .map(({ labels, value }) => ({ labels, value: secondsAgo(value) / day })),
  ),
]);

/** A panel's query (`dashboard / title / refId`), the labels that its figures have, and those figures. */
type Panel = readonly [place: string, labels: readonly string[], truth: Figures];

const monthly = (figures: Figures): Figures => mapped(figures, (perDay) => 30 * perDay);
const growthOfDisks = combine(usage, usageWeekAgo, difference);
const memoryUsed = by(['server'], newest('hosting_server_memory_used_bytes'));
const memory = by(['server'], newest('hosting_server_memory_bytes'));
const money = new Map([
  ['balance', sum([...balance.values()])],
  ['per month', 30 * sum([...charge.values()])],
]);

const ofFleet: readonly Panel[] = [
  ['hosting-fleet / Accounts / B', account, used],
  ['hosting-fleet / Accounts / D', account, blockedIn],
  ['hosting-fleet / Accounts / F', account, planLoad],
  ['hosting-fleet / Accounts / H', account, dataAge],
  ['hosting-fleet / Disk growth in 7 days / A', account, top(15, positive(growthOfDisks))],
  ['hosting-fleet / Next suspension / A', account, bottom(1, blockedIn)],
  ['hosting-fleet / Balance and monthly cost / A', ['figure'], money],
  ['hosting-fleet / Money / A', account, blockedIn],
  ['hosting-fleet / Money / B', account, balance],
  ['hosting-fleet / Money / C', account, monthly(charge)],
  ['hosting-fleet / Sites / A', [], by([], newest('hosting_sites'), sum)],
  ['hosting-fleet / Domains / A', [], by([], newest('hosting_domains'), sum)],
  ['hosting-fleet / Databases / A', [], by([], newest('hosting_databases'), sum)],
  ['hosting-fleet / Mailboxes / A', [], by([], newest('hosting_mailboxes'), sum)],
  ['hosting-fleet / Disk used / A', [], only(sum, usage)],
  ['hosting-fleet / Plans / A', ['tariff'], by(['tariff'], newest('hosting_account_info'), count)],
  ['hosting-fleet / Plans / B', ['tariff'], regrouped(plan, usage, sum)],
  ['hosting-fleet / Plans / C', ['tariff'], regrouped(plan, used, largest)],
  ['hosting-fleet / Plans / D', ['tariff'], regrouped(plan, planLoad, largest)],
  ['hosting-fleet / Servers / A', ['server'], by(['server'], newest('hosting_account_info'), count)],
  ['hosting-fleet / Servers / B', ['server'], by(['server'], newest('hosting_server_load_average'))],
  ['hosting-fleet / Servers / C', ['server'], combine(memoryUsed, memory, ratio)],
  ['hosting-fleet / Servers / D', ['server'], by(['server'], newest('hosting_server_uptime_seconds'))],
  ['hosting-fleet / Groups / A', ['group'], by(['label_customer'], newest('hosting_account_labels'), count)],
  ['hosting-fleet / Groups / D', ['group'], regrouped(customer, usage, sum)],
  ['hosting-fleet / Groups / E', ['group'], regrouped(customer, used, largest)],
  ['hosting-fleet / Groups / F', ['group'], regrouped(customer, planLoad, largest)],
  ['hosting-fleet / Groups / G', ['group'], regrouped(customer, blockedIn, smallest)],
];

const site = ['account', 'site_id', 'site'];
const database = ['account', 'database'];
const weekOfSites = by(site, mean('hosting_site_load_daily', 7));
const weekOfDatabases = by(database, mean('hosting_database_load_daily', 7));
const certificates = by(['ssl_status'], newest('hosting_site_domain_info'), count);
const loadOfSites = by(['site'], newest('hosting_site_load_average'));
const loadOfDatabases = by(['database'], newest('hosting_database_load_average'));
const growthOfDatabases = combine(
  by(database, newest('hosting_database_size_bytes')),
  by(database, newest('hosting_database_size_bytes', {}, weekAgo)),
  difference,
);

const ofWorkload: readonly Panel[] = [
  ['hosting-workload / Busiest site / A', ['site'], top(1, loadOfSites)],
  ['hosting-workload / Busiest database / A', ['database'], top(1, loadOfDatabases)],
  ['hosting-workload / Sites, week over week / A', site, top(20, weekOfSites)],
  ['hosting-workload / Databases, week over week / A', database, top(20, weekOfDatabases)],
  ['hosting-workload / Database growth in 7 days / A', database, top(15, positive(growthOfDatabases))],
  ['hosting-workload / Certificates / A', ['ssl_status'], certificates],
];

const collector = ['collector'];
const poll = ['account', 'collector'];
const succeeded = newest('hosting_exporter_collector_success');
const failures = by(collector, succeeded, (values) => values.filter((value) => value === 0).length);
const intervals = newest('hosting_exporter_collector_interval_seconds');
const successes = newest('hosting_exporter_collector_last_success_timestamp_seconds');
const ageInIntervals = combine(mapped(by(poll, successes), secondsAgo), by(poll, intervals), ratio);

const ofExporter: readonly Panel[] = [
  ['hosting-exporter / Oldest data / A', poll, top(1, ageInIntervals)],
  ['hosting-exporter / Queued API calls / A', [], by([], newest('hosting_exporter_api_queue_length'), sum)],
  ['hosting-exporter / Collectors / A', collector, by(collector, succeeded, count)],
  ['hosting-exporter / Collectors / B', collector, failures],
  ['hosting-exporter / Collectors / E', collector, by(collector, intervals)],
];

/** Panels of one account: the figures have no label `account`. */
function ofAccount(name: string): readonly Panel[] {
  const its = (figures: Figures): Figures => {
    const value = figures.get(name);
    return value === undefined ? new Map() : new Map([['', value]]);
  };
  const of = (label: string, metric: string, times = {}): Figures =>
    by([label], newest(metric, { account: name }, times));
  const daily = [...its(charge).values()];
  const charges = new Map(daily.flatMap((perDay) => [['day', perDay] as const, ['month', 30 * perDay] as const]));
  const sizes = of('database', 'hosting_database_size_bytes');
  const growth = combine(sizes, of('database', 'hosting_database_size_bytes', weekAgo), difference);
  const siteLoad = of('site', 'hosting_site_load_average');
  const limit = newest('hosting_account_load_limit', { account: name })[0]?.value;
  const shares: Figures = limit === undefined ? new Map() : mapped(siteLoad, (load) => load / limit);
  const expiries = mapped(of('domain', 'hosting_domain_expiry_timestamp_seconds'), (time) =>
    // On the last day, and on the day before, 0 days are left.
    daysLeft(time) < -1 ? Math.floor(daysLeft(time)) + 1 : Math.max(0, Math.floor(daysLeft(time))),
  );
  const count = (metric: string, where: Labels = {}) => newest(metric, { account: name, ...where }, lastDay)[0]?.value;
  const ofPlan = (kind: 'used' | 'limit', ...things: readonly string[]) =>
    things.map((thing) => [thing, count(`hosting_account_${thing}_${kind}`)] as const);
  const counts = [
    ...ofPlan('used', 'sites', 'domains', 'mailboxes', 'ftp_accounts'),
    ['databases', (count('hosting_databases') ?? 0) + (count('hosting_exporter_items_excluded') ?? 0)],
    ['cron_tasks', count('hosting_cron_tasks', { state: 'enabled' })],
  ] as const;
  const limits = ofPlan('limit', 'sites', 'domains', 'databases', 'mailboxes', 'ftp_accounts');
  const lastPolls = of('collector', 'hosting_exporter_collector_last_success_timestamp_seconds');
  return [
    ['hosting-account / Disk used / A', [], its(used)],
    ['hosting-account / Disk free / A', [], its(free)],
    ['hosting-account / Suspended in / A', [], its(blockedIn)],
    ['hosting-account / Plan load / A', [], its(planLoad)],
    ['hosting-account / Data age / A', [], its(dataAge)],
    ['hosting-account / Balance / A', [], its(balance)],
    ['hosting-account / Charge / A', ['per'], charges],
    ['hosting-account / Balance lasts / A', [], mapped(its(combine(balance, charge, ratio)), Math.floor)],
    ['hosting-account / Databases / A', ['database'], sizes],
    ['hosting-account / Databases / B', ['database'], growth],
    ['hosting-account / Databases / C', ['database'], of('database', 'hosting_database_load_average')],
    ['hosting-account / Databases / E', ['database'], of('database', 'hosting_database_remote_accesses')],
    ['hosting-account / Sites / A', ['site'], siteLoad],
    ['hosting-account / Sites / B', ['site'], shares],
    ['hosting-account / Sites / C', ['site'], of('site', 'hosting_site_load_hourly')],
    ['hosting-account / Domains / A', ['domain'], expiries],
    ['hosting-account / Domains / C', ['domain'], of('domain', 'hosting_domain_auto_renew')],
    ['hosting-account / Plan limits / A', ['thing'], known(counts)],
    ['hosting-account / Plan limits / B', ['thing'], known(limits)],
    ['hosting-account / Backups / B', ['kind'], of('kind', 'hosting_backups')],
    ['hosting-account / Mailboxes by domain / A', ['domain'], of('domain', 'hosting_mailboxes')],
    ['hosting-account / Mailboxes by domain / B', ['domain'], of('domain', 'hosting_mailboxes_forwarding')],
    ['hosting-account / Mailboxes by domain / C', ['domain'], of('domain', 'hosting_mailboxes_spam_filter_disabled')],
    ['hosting-account / Polls / A', collector, of('collector', 'hosting_exporter_collector_success')],
    ['hosting-account / Polls / B', collector, mapped(lastPolls, secondsAgo)],
  ];
}

function known(figures: readonly (readonly [string, number | undefined])[]): Figures {
  return new Map(figures.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])));
}

function positive(figures: Figures): Figures {
  return new Map([...figures].filter(([, value]) => value > 0));
}

function bottom(most: number, figures: Figures): Figures {
  return new Map([...figures].toSorted(([, one], [, other]) => one - other).slice(0, most));
}

function hasDatabases(labels: Labels): boolean {
  return newest('hosting_databases', { account: labels['account'] ?? '' }, lastDay).some(({ value }) => value > 0);
}

const queries = englishDashboards().flatMap((dashboard) => queriesOf(dashboard));

/** Tests that the panels show these figures in a Prometheus with this history. */
export function testFigures(prometheus: () => FilledPrometheus): void {
  async function shown(place: string, labels: readonly string[], accounts: string) {
    const [query, ...others] = queries.filter((one) => whereIs(one) === place && one.kind === 'instant');
    if (query === undefined || others.length > 0) throw new Error(`not one query ${place}`);
    const answers = await prometheus().instant(filledIn(query.expr, accounts));
    return answers.map((answer) => [keyOf(answer.labels, labels), answer.values[0]] as const);
  }

  async function compare([place, labels, truth]: Panel, accounts: string): Promise<void> {
    const figures = await shown(place, labels, accounts);

    expect(figures.map(([key]) => key).toSorted()).toEqual([...truth.keys()].toSorted());
    for (const [key, value] of figures) {
      const expected = truth.get(key) ?? Number.NaN;
      // Prometheus adds floating-point numbers in another order, and includes one sample more or less in a mean.
      expect(Math.abs((value ?? Number.NaN) - expected), `${key}: ${value} instead of ${expected}`).toBeLessThanOrEqual(
        1e-3 * Math.abs(expected),
      );
    }
  }

  test.each([...ofFleet, ...ofWorkload, ...ofExporter])('%s has the true figures', async (...panel) => {
    expect(panel[2].size).toBeGreaterThan(0);

    await compare(panel, '.+');
  });

  const accounts = ['shop', 'кофейня', 'law-office', 'agency', 'full', 'over'];

  test.each(accounts.flatMap((name) => ofAccount(name).map((panel) => [name, ...panel] as const)))(
    '%s: %s has the true figures',
    async (name, ...panel) => {
      await compare(panel, name);
    },
  );

  test('the panels of a full account show a full disk, and no time until it is full', async () => {
    const state = async (name: string, title: string) =>
      (await shown(`hosting-account / ${title} / A`, ['state'], name)).map(([text, value]) => [text, value]);

    // 3 is the number of the state "critical".
    expect(await state('full', 'Disk used')).toEqual([['3', 1]]);
    expect(await state('full', 'Disk free')).toEqual([['', 0]]);
    expect(await state('over', 'Disk used')).toEqual([['3', 1.05]]);
    expect(await state('over', 'Disk free')).toEqual([['', -1e9]]);
    expect(await state('full', 'Full in')).toEqual([]);
    expect(await state('over', 'Full in')).toEqual([]);
  });

  test('groups count their alerts once', async () => {
    for (const [refId, severity] of [
      ['B', 'critical'],
      ['C', 'warning'],
    ] as const) {
      const affected = alerts(severity);
      const all = mapped(by(account, newest('hosting_account_labels')), () => 0);
      const truth = regrouped(customer, new Map([...all, ...affected]), sum);
      await compare([`hosting-fleet / Groups / ${refId}`, ['group'], truth], '.+');
    }
  });

  test('the oldest backups are those of the fifteen longest ages', async () => {
    const figures = await shown('hosting-fleet / Oldest backups / A', ['account', 'kind'], '.+');

    const ages = figures.map(([, age = Number.NaN]) => Math.round(1000 * age));
    const expected = [...top(15, backupAges).values()].map((age) => Math.round(1000 * age));
    expect(ages.toSorted((a, b) => b - a)).toEqual(expected);
    // Several are equally old, and any of them may be shown.
    for (const [key, age] of figures) expect(age, key).toBeCloseTo(backupAges.get(key) ?? Number.NaN, 6);
  });
}
