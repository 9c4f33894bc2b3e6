import type { MetricName } from '../collectors/collector.ts';
import type { Family, Sample } from '../collectors/family.ts';

/** Looks up the values of metrics in families. */
export class Figures {
  readonly #families: ReadonlyMap<string, readonly Family[]>;

  constructor(families: readonly Family[]) {
    this.#families = Map.groupBy(families, ({ name }) => name);
  }

  samples(metric: MetricName): readonly Sample[] {
    return this.#families.get(metric)?.flatMap(({ samples }) => samples) ?? [];
  }

  /** The value of a metric with at most one series. */
  value(metric: MetricName): number | undefined {
    return this.samples(metric)[0]?.value;
  }

  by(label: string, metric: MetricName): ReadonlyMap<string, number> {
    return new Map(this.samples(metric).map(({ labels, value }) => [labels[label] ?? '', value]));
  }

  labelsBy(label: string, metric: MetricName): ReadonlyMap<string, Sample['labels']> {
    return new Map(this.samples(metric).map(({ labels }) => [labels[label] ?? '', labels]));
  }

  /** The sum of a metric over all values of a label; undefined without series. */
  sum(label: string, metric: MetricName): number | undefined {
    const values = [...this.by(label, metric).values()];
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
  }
}
