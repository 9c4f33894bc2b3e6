import { type Collector, itemOf, type MetricName } from '../collectors/collector.ts';
import type { Family, Sample } from '../collectors/family.ts';
import type { TimeSlice } from '../runtime/time-slice.ts';
import type { KeptPayload } from './kept-payload.ts';
import { readPublishable } from './publishable.ts';

export interface FigureAccount {
  readonly name: string;
  readonly settlingTime: number;
  readonly timeZone: string;
  readonly store: { payloads(collector: string): ReadonlyMap<string, KeptPayload> };
  readonly pollers: readonly { readonly collector: Collector; readonly maxSeries: number }[];
}

/** A kept payload, and the families that the metrics page shows for the payload. */
export interface Result {
  readonly collector: string;
  /** The key of the item in the store. */
  readonly item: string;
  readonly kept: KeptPayload;
  readonly families: readonly Family[];
  /** An hour or day is complete if it ended at or before this time, in Unix milliseconds. */
  readonly settled: number;
}

/** Decodes all results of an account that have not expired. */
export async function readResults(account: FigureAccount, slice: TimeSlice): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const { collector, maxSeries } of account.pollers) {
    const target = { account: account.name, settlingTime: account.settlingTime, maxSeries };
    for (const [key, kept] of account.store.payloads(collector.name)) {
      const item = itemOf(collector, key) ?? {};
      const { families } = await readPublishable(collector, item, kept.decode(), kept, target, slice);
      const settled = kept.providerTime - account.settlingTime;
      results.push({ collector: collector.name, item: key, kept, families, settled });
      await slice.pause();
    }
  }
  return results;
}

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
