import type { Priority } from '../api/budget.ts';
import type { ApiClient } from '../api/client.ts';
import { type Dialect, dialects, type Method } from '../api/method.ts';
import type { IsExcluded } from './exclusion.ts';
import type { Family, FamilyHead, Sample } from './family.ts';

export type MetricName = `hosting_${string}`;

export type Duration = `${number}${'s' | 'm' | 'h' | 'd'}`;

/** The static description of a metric. Tests compare documentation, dashboards and alerts with it. */
export interface MetricDescription extends FamilyHead {
  readonly name: MetricName;
  readonly labelNames: readonly string[];
  readonly methods: readonly Method[];
  /** The field of the response; `|` separates its names in the two dialects. */
  readonly field: string;
  readonly dialects: readonly Dialect[];
}

interface Description {
  readonly name: string;
  readonly help: string;
  readonly methods: readonly [Method, ...Method[]];
  readonly schedule: Duration;
  /** Version of the payload's shape, by default 1. Raise it when the shape changes, so that old saved payloads are not restored. */
  readonly payloadVersion?: number | undefined;
  readonly offByDefault?: true | undefined;
}

/** One site, database or domain, identified by the labels of its series. Items with equal labels are the same item. */
export type Item = Readonly<Record<string, string>>;

/** Times by the API's clock, in Unix milliseconds. `now`: when the payload arrived. */
export interface ReadTime {
  readonly now: number;
  /** The values of hours and days that ended before this time are final. */
  readonly settled: number;
}

/** Reads metrics from the payloads of its items. A list collector has one item without labels. A fan-out has several items. */
export interface Collector<Payload = unknown> extends Description {
  readonly priority: Priority;
  /** Whether the collector's interval is stretched if an account's budget is too small for all schedules. */
  readonly stretches: boolean;
  /** Whether a `ListGuard` checks the payloads for lists that suddenly shrink. */
  readonly isGuarded: boolean;
  readonly metrics: readonly MetricDescription[];
  /** The collector whose newest payload lists the items; undefined if the items are fixed. */
  readonly itemsFrom: Collector | undefined;
  readonly itemLabels: readonly string[];
  /** Returns the items of a list, without duplicates. */
  items(list: unknown): readonly Item[];
  /** Returns the payload without excluded elements. Undefined if the payloads contain no sites, domains or databases. */
  readonly exclude: ((payload: unknown, isExcluded: IsExcluded) => unknown) | undefined;
  fetch(api: ApiClient, item: Item): Promise<Payload>;
  /** If a list in the payload is not `complete`, omits the metrics that require a complete list. */
  read(payload: Payload, account: string, item: Item, time: ReadTime, complete: boolean): readonly Family[];
}

/** The value of one series. A boolean becomes 1 or 0; null and undefined produce no series. */
type Value = number | boolean | null | undefined;

type Reading<Label extends string> = readonly [Readonly<Record<Label, string>>, Value];

interface Metric<Payload, Label extends string> {
  readonly name: MetricName;
  /** Meaning and unit of the value: a sentence without a full stop. */
  readonly help: string;
  readonly field: string;
  /** The methods that provide the value; by default the first method of the collector. */
  readonly methods?: readonly Method[];
  /** The dialect that provides the value; by default the dialect of the collector. */
  readonly dialect?: Dialect | 'both';
  readonly labels?: readonly Label[];
  /** Set if the value depends on all elements of a list, as a count does. */
  readonly requiresCompleteList?: true;
  /** Set if the smallest values matter most and must survive `max_series`. */
  readonly smallestFirst?: true;
  readonly read: (payload: Payload, time: ReadTime) => Value | readonly Reading<Label>[];
}

type Metrics<Payload, Labels extends readonly string[]> = {
  readonly [Index in keyof Labels]: Metric<Payload, Labels[Index]>;
};

type ItemOf<Label extends string> = Readonly<Record<Label, string>>;

interface CollectorDefinition<Payload, Labels extends readonly string[], List, ItemLabel extends string>
  extends Description {
  readonly priority?: Priority;
  /** The dialect that provides the values; by default both. */
  readonly dialect?: Dialect;
  readonly exclude?: (payload: Payload, isExcluded: IsExcluded) => Payload;
  readonly metrics: Metrics<Payload, Labels>;
  /** The labels that identify an item. All metrics of the collector have these labels. */
  readonly labels?: readonly ItemLabel[];
  readonly itemsFrom?: Collector<List>;
  readonly items?: (list: List) => readonly ItemOf<ItemLabel>[];
  readonly fetch: (api: ApiClient, item: ItemOf<ItemLabel>) => Promise<Payload>;
}

/** Defines a collector. TypeScript rejects a metric name without the prefix `hosting_`. */
export function defineCollector<
  Payload extends object,
  const Labels extends readonly string[],
  List = never,
  const ItemLabel extends string = never,
>(definition: CollectorDefinition<Payload, Labels, List, ItemLabel>): Collector<Payload> {
  const { name, help, methods, schedule, payloadVersion, offByDefault } = definition;
  const { labels: itemLabels, items = () => [{}], itemsFrom } = definition;
  const metrics = (definition.metrics as readonly Metric<Payload, string>[]).map((metric) => {
    const { field, dialect = definition.dialect ?? 'both', labels = [] } = metric;
    const from = metric.methods ?? [methods[0]];
    return {
      ...metric,
      type: 'gauge' as const,
      help: `${metric.help}. From ${from.join(' or ')} (${field.replaceAll('|', ' or ')}), polled every ${schedule} by default.`,
      labelNames: ['account', ...(itemLabels ?? []), ...labels],
      methods: from,
      dialects: dialect === 'both' ? dialects : [dialect],
    };
  });
  const isFanOut = itemLabels !== undefined;
  return {
    ...{ name, help, methods, schedule, payloadVersion, offByDefault, itemsFrom, metrics },
    priority: definition.priority ?? (isFanOut ? 'fan-out' : 'list'),
    stretches: isFanOut,
    isGuarded: !isFanOut || metrics.some(({ requiresCompleteList }) => requiresCompleteList === true),
    itemLabels: itemLabels ?? [],
    items: items as (list: unknown) => readonly Item[],
    exclude: definition.exclude as Collector['exclude'],
    fetch: definition.fetch as Collector<Payload>['fetch'],
    read(payload, account, item, time, complete) {
      const labels = { account, ...item };
      const families: Family[] = [];
      for (const { name, labelNames, smallestFirst, requiresCompleteList, read } of metrics) {
        if (requiresCompleteList === true && !complete) continue;
        const result = read(payload, time);
        const readings = typeof result === 'object' && result !== null ? result : ([[{}, result]] as const);
        const samples: Sample[] = [];
        for (const [ownLabels, value] of readings) {
          if (value === undefined || value === null) continue;
          const number = typeof value === 'boolean' ? Number(value) : value;
          samples.push({ labels: { ...labels, ...ownLabels }, value: number });
        }
        families.push({ name, labelNames, samples, smallestFirst });
      }
      return families;
    },
  };
}

/** The key of an item, unique in its collector. A collector of a list has a single item, with an empty key. */
export function keyOf(item: Item): string {
  return Object.keys(item).length === 0 ? '' : JSON.stringify(item);
}

/** The item with this key; undefined if the key fits no item of the collector. An exporter of another version may have saved the key. */
export function itemOf({ itemLabels }: Pick<Collector, 'itemLabels'>, key: string): Item | undefined {
  if (itemLabels.length === 0) return key === '' ? {} : undefined;
  try {
    const item = JSON.parse(key);
    const isItem = keyOf(item) === key && itemLabels.every((label) => typeof item[label] === 'string');
    return isItem && Object.keys(item).length === itemLabels.length ? item : undefined;
  } catch {
    return undefined;
  }
}
