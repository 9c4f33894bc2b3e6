import { alertThresholds, severities } from '../../src/rules/thresholds.ts';

/** A value by hour of a life; undefined while the provider does not report it. A number is a constant value. */
export type Course = number | ((hour: number) => number | undefined);

/** A domain of an account. */
export interface DomainLife {
  /** The hour at which the registration ends. */
  readonly expires: Course;
  readonly renews?: Course;
  /** 0 if the domain is registered elsewhere. */
  readonly managed?: Course;
  /** The status of the newest renewal. */
  readonly renewal?: (hour: number) => string | undefined;
  /** Whether the list of domains contains the domain. */
  readonly listed?: (hour: number) => boolean;
}

/**
 * The figures that the provider reports for an account. A missing figure is healthy and constant. A collector without
 * any given figure is disabled, except in a `complete` account.
 */
export interface AccountLife {
  readonly complete?: true;
  /** Gigabytes. */
  readonly disk?: Course;
  readonly quota?: Course;
  /** The hour at which the provider suspends the account. */
  readonly suspended?: Course;
  readonly domains?: Readonly<Record<string, DomainLife>>;
  /** Gigabytes by database. */
  readonly databases?: Readonly<Record<string, Course>>;
  readonly planLoad?: Course;
  readonly sites?: Course;
  readonly cronTasks?: Course;
  readonly backups?: Course;
  /** The hour of the newest backup. */
  readonly newestBackup?: Course;
  readonly forwarding?: Course;
  /** The reason why a poll at this hour fails; undefined if it succeeds. */
  readonly failing?: (hour: number, collector: string) => Reason | undefined;
  /** Thresholds of the account's own; `off` disables the alert. */
  readonly thresholds?: readonly (readonly [alert: string, severity: string, value: number | 'off'])[];
  /** The number of dropped series of the collector account; undefined while none is dropped. */
  readonly dropped?: Course;
  /** The exporter that polls the account at an hour; undefined if no configuration contains the account. */
  readonly exporter?: (hour: number) => string | undefined;
  /** Hours by which the clock of the exporter is ahead. */
  readonly clock?: number;
}

export type Reason = 'timeout' | 'network' | 'http' | 'auth' | 'permission' | 'payload' | 'limit';

/** A series with its changes. `Values[i]` is the value from minute `At[i]` on. An empty value ends the series. */
export interface Series {
  readonly Labels: Readonly<Record<string, string>>;
  readonly At: readonly number[];
  readonly Values: readonly string[];
}

type Value = number | undefined;

interface Shown {
  readonly id: string;
  readonly value: Value;
}

/** The Unix time of hour 0: eight in the morning in Moscow, the time zone of the example of Alertmanager. */
export const start = Date.UTC(2026, 5, 1, 5) / 1000;

const gigabyte = 1e9;
const day = 24;

function at(course: Course | undefined, hour: number): Value {
  return typeof course === 'function' ? course(hour) : course;
}

function scaled(value: Value, factor: number, offset = 0): Value {
  return value === undefined ? undefined : value * factor + offset;
}

function timestamp(hour: Value): Value {
  return scaled(hour, 3600, start);
}

function key(metric: string, labels: Readonly<Record<string, string>> = {}): string {
  return JSON.stringify({ __name__: metric, ...labels });
}

interface Collector {
  readonly name: string;
  /** The figures of `AccountLife` that this collector reads. */
  readonly reads: readonly (keyof AccountLife)[];
  readonly hours: number;
  readonly report: (life: AccountLife, hour: number) => readonly (readonly [string, Value])[];
}

function domainsOf({ domains }: AccountLife): Readonly<Record<string, DomainLife>> {
  return domains ?? { 'fine.example': { expires: 300 * day, renews: 1 } };
}

function domainReport(name: string, domain: DomainLife, hour: number): readonly (readonly [string, Value])[] {
  if (domain.listed?.(hour) === false) return [];
  const status = domain.renewal?.(hour);
  return [
    [key('hosting_domain_expiry_timestamp_seconds', { domain: name }), timestamp(at(domain.expires, hour))],
    [key('hosting_domain_auto_renew', { domain: name }), at(domain.renews ?? 0, hour)],
    [key('hosting_domain_under_control', { domain: name }), at(domain.managed ?? 1, hour)],
    ...(status === undefined ? [] : [[key('hosting_domain_renewal_info', { domain: name, status }), 1] as const]),
  ];
}

const site = { site_id: '1', site: 'fine.example' };

const collectors: readonly Collector[] = [
  {
    name: 'account',
    reads: ['disk', 'quota', 'suspended'],
    hours: 1 / 12,
    report: (life, hour) => [
      [key('hosting_account_disk_usage_bytes'), scaled(at(life.disk ?? 40, hour), gigabyte)],
      [key('hosting_account_disk_limit_bytes'), scaled(at(life.quota ?? 100, hour), gigabyte)],
      [
        key('hosting_account_block_timestamp_seconds'),
        timestamp(at(life.suspended ?? ((now) => now + 60 * day), hour)),
      ],
      [key('hosting_account_load_limit'), 100],
      [key('hosting_account_balance'), 500],
    ],
  },
  {
    name: 'databases',
    reads: ['databases'],
    hours: 1 / 4,
    report: ({ databases = { main: 1 } }, hour) => [
      [key('hosting_databases'), Object.values(databases).filter((size) => at(size, hour) !== undefined).length],
      ...Object.entries(databases).map(
        ([database, size]) =>
          [key('hosting_database_size_bytes', { database }), scaled(at(size, hour), gigabyte)] as const,
      ),
    ],
  },
  {
    name: 'site_load',
    reads: ['planLoad'],
    hours: 1,
    report: (life, hour) => [[key('hosting_site_load_average', site), at(life.planLoad ?? 20, hour)]],
  },
  {
    name: 'site_load_detail',
    reads: [],
    hours: 1,
    report: (_, hour) => [
      [key('hosting_site_load_hourly', site), 2],
      [key('hosting_site_load_hourly_timestamp_seconds', site), timestamp(Math.floor(hour) - 1)],
    ],
  },
  {
    name: 'sites',
    reads: ['sites'],
    hours: 1 / 2,
    report: (life, hour) => [[key('hosting_sites'), at(life.sites ?? 6, hour)]],
  },
  {
    name: 'domains',
    reads: ['domains'],
    hours: 6,
    report: (life, hour) => {
      const domains = Object.entries(domainsOf(life)).map(([name, domain]) => domainReport(name, domain, hour));
      const listed = domains.filter((reported) => reported.length > 0);
      return [[key('hosting_domains'), listed.length], ...listed.flat()];
    },
  },
  {
    name: 'mailboxes',
    reads: ['forwarding'],
    hours: 6,
    report: (life, hour) => [
      [key('hosting_mailboxes_forwarding', { domain: 'fine.example' }), at(life.forwarding ?? 1, hour)],
    ],
  },
  {
    name: 'cron_tasks',
    reads: ['cronTasks'],
    hours: 1,
    report: (life, hour) => [[key('hosting_cron_tasks', { state: 'enabled' }), at(life.cronTasks ?? 4, hour)]],
  },
  {
    name: 'backups',
    reads: ['backups', 'newestBackup'],
    hours: 1,
    report: (life, hour) => {
      const count = at(life.backups ?? 7, hour);
      const newest = at(life.newestBackup ?? ((now) => Math.floor((now - 20) / day) * day + 20), hour);
      return ['files', 'databases'].flatMap((kind): readonly (readonly [string, Value])[] => [
        [key('hosting_backups', { kind }), count],
        [key('hosting_backup_last_timestamp_seconds', { kind }), count === 0 ? undefined : timestamp(newest)],
      ]);
    },
  },
];

/** The changes of series, by exporter and series. */
export class Recorder {
  readonly #series = new Map<string, { at: number[]; values: string[] }>();

  /** `id` is the JSON of the labels. */
  set(id: string, hour: number, value: Value): void {
    const changes = this.#series.get(id) ?? { at: [], values: [] };
    const text = value === undefined ? '' : `${value}`;
    if ((changes.values.at(-1) ?? '') === text) return;
    this.#series.set(id, changes);
    changes.at.push(Math.round(hour * 60 * 100) / 100);
    changes.values.push(text);
  }

  /** All series. `hiddenOf` returns the hours in which Prometheus cannot scrape an exporter. */
  series(hiddenOf: (instance: string) => readonly (readonly [from: number, to: number])[]): readonly Series[] {
    return [...this.#series].map(([id, changes]) => {
      const labels = JSON.parse(id) as Record<string, string>;
      const parts = labels['__name__'] === 'up' ? [] : hiddenOf(labels['instance'] ?? '');
      return { Labels: labels, ...hidden(changes, parts) };
    });
  }
}

/** The changes of a series without its values in these ranges of hours. */
function hidden(
  changes: { readonly at: readonly number[]; readonly values: readonly string[] },
  parts: readonly (readonly [from: number, to: number])[],
): Pick<Series, 'At' | 'Values'> {
  const moments = changes.at.map((minute, index) => ({ minute, value: changes.values[index] ?? '' }));
  const isHidden = (minute: number) => parts.some(([from, to]) => minute >= from * 60 && minute < to * 60);
  const valueAt = (minute: number) => moments.findLast((change) => change.minute <= minute)?.value ?? '';
  const all = [
    ...moments.filter(({ minute }) => !isHidden(minute)),
    ...parts.map(([from]) => ({ minute: from * 60, value: '' })),
    ...parts.map(([, to]) => ({ minute: to * 60, value: valueAt(to * 60) })),
  ].toSorted((one, other) => one.minute - other.minute);
  return { At: all.map(({ minute }) => minute), Values: all.map(({ value }) => value) };
}

/** The clock of an exporter. The engine adds the time of the scrape to a value that begins with `now`. */
export function clockSeries(
  labels: Readonly<Record<string, string>>,
  from: number,
  hoursAhead: number,
  hiddenParts: readonly (readonly [from: number, to: number])[],
): Series {
  return { Labels: labels, ...hidden({ at: [from * 60], values: [`now${hoursAhead * 3600}`] }, hiddenParts) };
}

/** If a poll fails for one of these reasons, no call of the account succeeds. */
const unreachable: ReadonlySet<Reason | undefined> = new Set<Reason>(['timeout', 'network', 'http', 'auth']);

/** Polls an account as the exporter does, and records the series on its page. */
export function live(recorder: Recorder, account: string, life: AccountLife, from: number, until: number): void {
  const exporterAt = life.exporter ?? (() => 'a');
  const polls = collectors
    .filter(
      ({ name, reads }) => life.complete || name === 'account' || reads.some((figure) => life[figure] !== undefined),
    )
    .map((collector, index) => ({ collector, next: from + index / 120, poller: new Poller(collector, life) }));
  let shown: readonly Shown[] = [];
  const show = (hour: number, page: ReadonlyMap<string, Value>) => {
    const instance = exporterAt(hour);
    const target = { job: 'hosting', instance, account };
    const next =
      instance === undefined ? [] : [...page].map(([series, value]) => ({ id: named(series, target), value }));
    const ids = new Set(next.map(({ id }) => id));
    for (const { id } of shown) if (!ids.has(id)) recorder.set(id, hour, undefined);
    for (const { id, value } of next) recorder.set(id, hour, value);
    shown = next;
  };
  // The page changes only when a poll ends or a result expires. Expired results are removed at the next poll of the
  // account.
  for (let next = polls[0]; next !== undefined && next.next <= until; ) {
    const hour = next.next;
    const reason = next.poller.poll(hour);
    next.next = hour + (reason === undefined ? next.collector.hours : Math.min(next.collector.hours, 1 / 4));
    const page = new Map([
      [key('hosting_up'), unreachable.has(reason) ? 0 : 1],
      ...thresholdsOf(life),
      ...polls.flatMap(({ poller }) => poller.page(hour)),
    ]);
    show(hour, page);
    next = polls.reduce((one, other) => (other.next < one.next ? other : one));
  }
}

/** The effective thresholds, as the exporter reports them. */
function thresholdsOf({ thresholds: own = [] }: AccountLife): readonly (readonly [string, Value])[] {
  return alertThresholds.flatMap(({ alert, levels }) =>
    severities.flatMap((severity) => {
      const written = own.find(([name, level]) => name === alert && level === severity)?.[2];
      const value = written ?? levels[severity]?.value;
      if (value === undefined || value === 'off') return [];
      return [[key('hosting_account_alert_threshold', { alert, severity }), value] as const];
    }),
  );
}

function named(series: string, target: object): string {
  return JSON.stringify({ ...(JSON.parse(series) as object), ...target });
}

/** One collector of one account. */
class Poller {
  readonly #collector: Collector;
  readonly #life: AccountLife;
  #success: number | undefined;
  #values: readonly (readonly [string, Value])[] = [];
  #reason: Reason | undefined;

  constructor(collector: Collector, life: AccountLife) {
    this.#collector = collector;
    this.#life = life;
  }

  poll(hour: number): Reason | undefined {
    this.#reason = this.#life.failing?.(hour, this.#collector.name);
    if (this.#reason === undefined) {
      this.#success = hour;
      this.#values = this.#collector.report(this.#life, hour);
    }
    return this.#reason;
  }

  page(hour: number): readonly (readonly [string, Value])[] {
    const { name: collector, hours } = this.#collector;
    const isExpired = this.#success === undefined || hour > this.#success + 3 * hours + 1 / 6;
    const reason = this.#reason;
    const dropped = collector === 'account' ? at(this.#life.dropped, hour) : undefined;
    return [
      [key('hosting_exporter_collector_series_dropped', { collector }), dropped],
      [key('hosting_exporter_collector_interval_seconds', { collector }), hours * 3600],
      [key('hosting_exporter_collector_success', { collector }), reason === undefined ? 1 : 0],
      [
        key('hosting_exporter_collector_last_success_timestamp_seconds', { collector }),
        timestamp(scaled(this.#success, 1, this.#life.clock)),
      ],
      ...(reason === undefined ? [] : [[key('hosting_exporter_collector_failing', { collector, reason }), 1] as const]),
      ...(isExpired ? [] : this.#values.filter(([, value]) => value !== undefined)),
    ];
  }
}
