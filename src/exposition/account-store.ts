import { AccountMetrics } from './account-metrics.ts';
import type { Block } from './block.ts';
import type { Family } from './family.ts';
import { Snapshot } from './snapshot.ts';

/** All that the page shows of one account: what its collectors' polls left, and what the exporter says about them. */
export class AccountStore {
  readonly account: string;
  readonly metrics: AccountMetrics;
  readonly #snapshots = new Map<string, Snapshot>();

  constructor(account: string, requestsPerMinute: number) {
    this.account = account;
    this.metrics = new AccountMetrics(account, requestsPerMinute);
  }

  /**
   * Shows one result until `expires` (unix milliseconds), and gives the number of its series. `item` tells the results
   * of one collector apart.
   */
  publish(collector: string, item: string, families: readonly Family[], expires: number): number {
    const snapshot = this.#snapshot(collector);
    const series = snapshot.publish(item, families, expires);
    this.metrics.setSeries(collector, snapshot.series);
    return series;
  }

  /** Ends the series of the items that are not among these. */
  retain(collector: string, items: ReadonlySet<string>): void {
    const snapshot = this.#snapshot(collector);
    snapshot.retain(items);
    this.metrics.setSeries(collector, snapshot.series);
  }

  /** Ends the series that must not be shown any more at `time` (unix milliseconds). */
  expire(time: number): void {
    for (const [collector, snapshot] of this.#snapshots) {
      if (snapshot.expire(time)) this.metrics.setSeries(collector, snapshot.series);
    }
  }

  /** The lines of one metric of one collector; undefined where there is none. */
  block(collector: string, metric: string): Block | undefined {
    return this.#snapshots.get(collector)?.block(metric);
  }

  #snapshot(collector: string): Snapshot {
    const snapshot = this.#snapshots.get(collector) ?? new Snapshot();
    this.#snapshots.set(collector, snapshot);
    return snapshot;
  }
}
