import type { Api } from '../api/api.ts';
import type { Dialect } from '../api/dialect.ts';
import type { Method } from '../api/method.ts';
import type { Family, Sample } from '../exposition/family.ts';
import type { Scalars } from '../payloads/scalars.ts';

export type MetricName = `hosting_${string}`;

/** `30s`, `5m`, `6h` or `1d`. */
export type Duration = `${number}${'s' | 'm' | 'h' | 'd'}`;

/** The static description of a metric. Tests compare documentation, dashboards and alerts with it. */
export interface MetricDescription {
  readonly name: MetricName;
  /** The HELP text: meaning and unit of the value, its API method and field, and the default interval. */
  readonly help: string;
  /** All label names, `account` first. */
  readonly labelNames: readonly string[];
  readonly methods: readonly Method[];
  /** The field of the response; `|` separates its names in the two dialects. */
  readonly field: string;
  /** The dialects whose responses contain it. */
  readonly dialects: readonly Dialect[];
}

interface CollectorDescription {
  readonly name: string;
  readonly help: string;
  /** The methods that a poll may call. */
  readonly methods: readonly [Method, ...Method[]];
  /** Default time between two runs. */
  readonly schedule: Duration;
  /** Version of the payload; 1 if left out. To be raised when its shape changes, because older ones cannot be read then. */
  readonly payloadVersion?: number;
  /** Set if the collector must be enabled in the configuration. */
  readonly offByDefault?: true;
  /** Decides which calls go first when several wait for the budget. */
  readonly priority: 'account' | 'list' | 'fan-out';
  readonly metrics: readonly MetricDescription[];
}

/** A collector that makes one call per poll. */
export interface ListCollector<Payload = unknown> extends CollectorDescription {
  readonly kind: 'list';
  fetch(api: Api, scalars: Scalars): Promise<Payload>;
  /**
   * The families of a payload received at `time`. If elements of a list were dropped, the payload is
   * not `complete` and metrics that require a complete list are left out.
   */
  read(payload: Payload, account: string, time: ReadTime, complete: boolean): readonly Family[];
}

/** A collector that makes one call per item. */
export interface FanOutCollector<List = unknown, Payload = unknown> extends CollectorDescription {
  readonly kind: 'fan-out';
  /** The collector whose newest payload lists the items; undefined if the items are fixed. */
  readonly itemsFrom: ListCollector<List> | undefined;
  items(list: List): readonly Item[];
  fetch(api: Api, scalars: Scalars, item: Item): Promise<Payload>;
  /** The families of one item, like `read` of a list collector. */
  read(payload: Payload, account: string, item: Item, time: ReadTime, complete: boolean): readonly Family[];
}

export type Collector = ListCollector | FanOutCollector;

/** When a payload arrived, by the clock of the API, which may deviate from ours. Unix milliseconds. */
export interface ReadTime {
  readonly now: number;
  /** Hours and days that ended until then are complete: the API may still add to later ones. */
  readonly settled: number;
}

/** One site, database or domain, as the labels of its series. Items with equal labels are the same item. */
export type Item = Readonly<Record<string, string>>;

/** Labels and value of one series. No series is exported if the value is missing. */
type Reading<Label extends string> = readonly [Readonly<Record<Label, string>>, number | null | undefined];

interface Metric<Payload, Label extends string> {
  readonly name: MetricName;
  /** Meaning and unit of the value: a sentence without a full stop. */
  readonly help: string;
  readonly field: string;
  /** The methods that provide it, if not all of the collector do. */
  readonly methods?: readonly Method[];
  /** The dialect that provides it, if only one does. */
  readonly dialect?: Dialect;
  readonly labels?: readonly Label[];
  /** Set if the value depends on all elements of a list, such as a count. It is left out if elements were dropped. */
  readonly requiresCompleteList?: true;
  /** Set if the smallest values matter most and must survive `max_series`. */
  readonly smallestFirst?: true;
  readonly read: (payload: Payload, time: ReadTime) => number | null | undefined | readonly Reading<Label>[];
}

/** A list of metrics, each with its own labels. */
type Metrics<Payload, Labels extends readonly string[]> = {
  readonly [Index in keyof Labels]: Metric<Payload, Labels[Index]>;
};

type CommonDefinition = Omit<CollectorDescription, 'priority' | 'metrics'>;

interface ListDefinition<Payload, Labels extends readonly string[]> extends CommonDefinition {
  /** Set for the collector `account`, whose calls go before all others. */
  readonly first?: true;
  readonly fetch: (api: Api, scalars: Scalars) => Promise<Payload>;
  readonly metrics: Metrics<Payload, Labels>;
}

interface FanOutDefinition<List, Payload, Label extends string, Labels extends readonly string[]>
  extends CommonDefinition {
  /** The collector whose newest payload lists the items; left out if the items are fixed. */
  readonly itemsFrom?: ListCollector<List>;
  /** The labels that identify an item. All metrics have them. */
  readonly labels: readonly Label[];
  readonly items: (list: List) => readonly Readonly<Record<Label, string>>[];
  readonly fetch: (api: Api, scalars: Scalars, item: Readonly<Record<Label, string>>) => Promise<Payload>;
  readonly metrics: Metrics<Payload, Labels>;
}

/** Defines a collector that makes one call per poll. A metric without the prefix `hosting_` does not compile. */
export function defineCollector<Payload, const Labels extends readonly string[]>(
  definition: ListDefinition<Payload, Labels>,
): ListCollector<Payload> {
  const metrics = describeMetrics<Payload>(definition, []);
  return {
    ...definition,
    kind: 'list',
    priority: definition.first === true ? 'account' : 'list',
    metrics,
    read: (payload, account, time, complete) => readFamilies(metrics, payload, { account }, time, complete),
  };
}

/** Defines a collector that makes one call per item: for each site, database or domain in the list of another collector. */
export function defineFanOutCollector<
  List,
  Payload,
  const Label extends string,
  const Labels extends readonly string[],
>(definition: FanOutDefinition<List, Payload, Label, Labels>): FanOutCollector<List, Payload> {
  const metrics = describeMetrics<Payload>(definition, definition.labels);
  return {
    ...definition,
    itemsFrom: definition.itemsFrom,
    kind: 'fan-out',
    priority: 'fan-out',
    metrics,
    fetch: (api, scalars, item) => definition.fetch(api, scalars, item as Readonly<Record<Label, string>>),
    read: (payload, account, item, time, complete) =>
      readFamilies(metrics, payload, { account, ...item }, time, complete),
  };
}

type ReadableMetric<Payload> = MetricDescription &
  Pick<Metric<Payload, string>, 'read' | 'requiresCompleteList' | 'smallestFirst'>;

function describeMetrics<Payload>(
  definition: CommonDefinition & { readonly metrics: readonly Metric<Payload, string>[] },
  itemLabels: readonly string[],
): readonly ReadableMetric<Payload>[] {
  const { schedule } = definition;
  return definition.metrics.map((metric) => {
    const { help, field, methods = definition.methods, dialect, labels = [] } = metric;
    return {
      ...metric,
      help: `${help}. From ${methods.join(' or ')} (${field.replaceAll('|', ' or ')}), polled every ${schedule} by default.`,
      labelNames: ['account', ...itemLabels, ...labels],
      methods,
      dialects: dialect === undefined ? ['specification', 'provider'] : [dialect],
    };
  });
}

function readFamilies<Payload>(
  metrics: readonly ReadableMetric<Payload>[],
  payload: Payload,
  labels: Item,
  time: ReadTime,
  complete: boolean,
): readonly Family[] {
  const families: Family[] = [];
  for (const { name, labelNames, requiresCompleteList, smallestFirst, read } of metrics) {
    if (requiresCompleteList === true && !complete) continue;
    const value = read(payload, time);
    const readings: readonly Reading<string>[] = typeof value === 'object' && value !== null ? value : [[{}, value]];
    const samples: Sample[] = [];
    for (const [ownLabels, number] of readings) {
      if (number !== undefined && number !== null) samples.push({ labels: { ...labels, ...ownLabels }, value: number });
    }
    families.push({ name, labelNames, samples, smallestFirst });
  }
  return families;
}
