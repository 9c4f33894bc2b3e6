import type { Api } from '../api/api.ts';
import type { Dialect } from '../api/dialect.ts';
import type { Method } from '../api/method.ts';
import type { Family, Sample } from '../exposition/family.ts';
import type { Scalars } from '../payloads/scalars.ts';

export type MetricName = `hosting_${string}`;

/** `30s`, `5m`, `6h` or `1d`. */
export type Duration = `${number}${'s' | 'm' | 'h' | 'd'}`;

/** What is known of a metric without polling. Documentation, dashboards and alerts are checked against it. */
export interface MetricDescription {
  readonly name: MetricName;
  /** The HELP text: what the figure is, the method and field it comes from, how often it is polled. */
  readonly help: string;
  /** All label names, `account` first. */
  readonly labelNames: readonly string[];
  readonly methods: readonly Method[];
  /** The answer's field; its names in the two dialects of the API are parted by `|`. */
  readonly field: string;
  /** The dialects of the API whose answers hold it. */
  readonly dialects: readonly Dialect[];
}

interface CollectorDescription {
  readonly name: string;
  readonly help: string;
  /** Methods that one poll may call. */
  readonly methods: readonly [Method, ...Method[]];
  /** Time between two polls where the configuration says nothing. */
  readonly schedule: Duration;
  /** Set where it is polled only if the configuration says so. */
  readonly offByDefault?: true;
  /** Who goes first when the budget is short. */
  readonly priority: 'account' | 'list' | 'fan-out';
  readonly metrics: readonly MetricDescription[];
}

/** A collector whose poll is one result. */
export interface ListCollector<Payload = unknown> extends CollectorDescription {
  readonly kind: 'list';
  fetch(api: Api, scalars: Scalars): Promise<Payload>;
  /**
   * The families of a payload that was answered at `time` (unix milliseconds). Where the payload is not `complete`, since
   * an element of the answer could not be read, nothing is counted.
   */
  read(payload: Payload, account: string, time: number, complete: boolean): readonly Family[];
}

/** A collector whose poll calls once for each of several items. */
export interface FanOutCollector<List = unknown, Payload = unknown> extends CollectorDescription {
  readonly kind: 'fan-out';
  /** The collector whose newest payload says which items there are; undefined where they are always the same. */
  readonly itemsFrom: ListCollector<List> | undefined;
  items(list: List): readonly Item[];
  fetch(api: Api, scalars: Scalars, item: Item): Promise<Payload>;
  /** The families of one item's payload that was answered at `time` (unix milliseconds). */
  read(payload: Payload, account: string, item: Item, time: number, complete: boolean): readonly Family[];
}

export type Collector = ListCollector | FanOutCollector;

/** One site or database: the labels of its series. Items with the same labels are the same item. */
export type Item = Readonly<Record<string, string>>;

/** One series of a labelled metric; undefined where the answer gives no figure. */
type Reading<Label extends string> = readonly [Readonly<Record<Label, string>>, number | null | undefined];

interface Metric<Payload, Label extends string> {
  readonly name: MetricName;
  /** What the figure is, and its unit: a sentence without the full stop. */
  readonly help: string;
  readonly field: string;
  /** The dialect that gives it, where only one does. */
  readonly dialect?: Dialect;
  readonly labels?: readonly Label[];
  /** Set where the figure is counted or chosen from a complete list. It is left out where elements of the list could not be read. */
  readonly requiresCompleteList?: true;
  /** Set where the smallest figures matter most: those stay where `max_series` cuts. */
  readonly smallestFirst?: true;
  readonly read: (payload: Payload, time: number) => number | null | undefined | readonly Reading<Label>[];
}

/** A list of metrics, each with its own labels. */
type Metrics<Payload, Labels extends readonly string[]> = {
  readonly [Index in keyof Labels]: Metric<Payload, Labels[Index]>;
};

type CommonDefinition = Omit<CollectorDescription, 'priority' | 'metrics'>;

interface ListDefinition<Payload, Labels extends readonly string[]> extends CommonDefinition {
  /** Set for the account's own collector: it goes before all others. */
  readonly first?: true;
  readonly fetch: (api: Api, scalars: Scalars) => Promise<Payload>;
  readonly metrics: Metrics<Payload, Labels>;
}

interface FanOutDefinition<List, Payload, Label extends string, Labels extends readonly string[]>
  extends CommonDefinition {
  /** The collector whose newest payload says which items there are; left out where they are always the same. */
  readonly itemsFrom?: ListCollector<List>;
  /** The labels that tell one item from another; all metrics have them. */
  readonly labels: readonly Label[];
  readonly items: (list: List) => readonly Readonly<Record<Label, string>>[];
  readonly fetch: (api: Api, scalars: Scalars, item: Readonly<Record<Label, string>>) => Promise<Payload>;
  readonly metrics: Metrics<Payload, Labels>;
}

/**
 * A collector that calls its methods once a poll. The definition is its whole truth in one place: labels are written
 * once, and a metric without the prefix `hosting_` does not compile.
 */
export function defineCollector<Payload, const Labels extends readonly string[]>(
  definition: ListDefinition<Payload, Labels>,
): ListCollector<Payload> {
  const metrics = describeMetrics<Payload>(definition, []);
  return {
    ...definition,
    kind: 'list',
    priority: definition.first === true ? 'account' : 'list',
    metrics,
    read: (payload, account, time, complete) =>
      readable(metrics, complete).map((metric) => toFamily(metric, { account }, metric.read(payload, time))),
  };
}

/** A collector that calls its method for one item after the other: the sites or databases that another one lists. */
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
      readable(metrics, complete).map((metric) => toFamily(metric, { account, ...item }, metric.read(payload, time))),
  };
}

type ReadableMetric<Payload> = MetricDescription &
  Pick<Metric<Payload, string>, 'read' | 'requiresCompleteList' | 'smallestFirst'>;

function readable<Payload>(
  metrics: readonly ReadableMetric<Payload>[],
  complete: boolean,
): readonly ReadableMetric<Payload>[] {
  return complete ? metrics : metrics.filter(({ requiresCompleteList }) => requiresCompleteList !== true);
}

function describeMetrics<Payload>(
  definition: CommonDefinition & { readonly metrics: readonly Metric<Payload, string>[] },
  itemLabels: readonly string[],
): readonly ReadableMetric<Payload>[] {
  const { methods, schedule } = definition;
  const source = methods.join(' or ');
  return definition.metrics.map(
    ({ name, help, field, dialect, labels = [], requiresCompleteList, smallestFirst, read }) => ({
      name,
      help: `${help}. From ${source}, ${field.replaceAll('|', ' or ')}; polled every ${schedule} by default.`,
      labelNames: ['account', ...itemLabels, ...labels],
      methods,
      field,
      dialects: dialect === undefined ? ['specification', 'provider'] : [dialect],
      ...(requiresCompleteList === true ? { requiresCompleteList } : {}),
      ...(smallestFirst === true ? { smallestFirst } : {}),
      read,
    }),
  );
}

function toFamily(
  { name, labelNames, smallestFirst }: ReadableMetric<never>,
  labels: Item,
  reading: number | null | undefined | readonly Reading<string>[],
): Family {
  const readings: readonly Reading<string>[] = Array.isArray(reading)
    ? reading
    : [[{}, reading as number | null | undefined]];
  const samples: Sample[] = [];
  for (const [ownLabels, value] of readings) {
    if (value !== undefined && value !== null) samples.push({ labels: { ...labels, ...ownLabels }, value });
  }
  return { name, labelNames, samples, ...(smallestFirst === true ? { smallestFirst } : {}) };
}
