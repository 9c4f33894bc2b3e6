import type { MetricName } from '../collectors/collector.ts';
import { collectors } from '../collectors/list.ts';
import type { AccountStore } from '../exposition/account-store.ts';
import type { Sample } from '../exposition/family.ts';
import { parseLabel, parseSamples, parseValues } from '../exposition/parse-samples.ts';

const collectorOfMetric: ReadonlyMap<string, string> = new Map(
  collectors.flatMap(({ name, metrics }) => metrics.map((metric) => [metric.name, name] as const)),
);

/** The figures of one account as the metrics page shows them now: limited, plausible and not expired. */
export class Figures {
  readonly #store: AccountStore;

  constructor(store: AccountStore) {
    store.expire();
    this.#store = store;
  }

  /** The value of a metric with at most one series; undefined if it is unknown. */
  value(metric: MetricName): number | undefined {
    return parseValues(this.#lines(metric))[0];
  }

  /** The sum of all series; undefined without any. */
  sum(metric: MetricName): number | undefined {
    const values = parseValues(this.#lines(metric));
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
  }

  samples(metric: MetricName): readonly Sample[] {
    return parseSamples(this.#lines(metric));
  }

  /** The values of one label of a metric by another. */
  pairs(key: string, label: string, metric: MetricName): readonly (readonly [string, string])[] {
    const lines = this.#lines(metric);
    const texts = parseLabel(label, lines);
    return parseLabel(key, lines).map(([text], index) => [text, texts[index]?.[0] ?? '']);
  }

  /** The values of a metric by one of its labels. */
  by(label: string, metric: MetricName): ReadonlyMap<string, number> {
    return new Map(parseLabel(label, this.#lines(metric)));
  }

  #lines(metric: MetricName): string {
    const collector = collectorOfMetric.get(metric);
    if (collector === undefined) throw new RangeError(`no collector has the metric ${metric}`);
    return this.#store.lines(collector, metric);
  }
}
