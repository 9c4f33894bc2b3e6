import { AccountMetrics } from './account-metrics.ts';
import type { Block } from './block.ts';
import type { Family } from './family.ts';
import { Part } from './part.ts';
import type { Shelves } from './shelves.ts';
import { Snapshot } from './snapshot.ts';

let accountsSoFar = 0;

/** The page shows accounts in the order in which they came to be. */
function nextOrder(): number {
  accountsSoFar += 1;
  return accountsSoFar;
}

/** All that the page shows of one account: what its collectors' polls left, and what the exporter says about them. */
export class AccountStore {
  readonly account: string;
  readonly metrics: AccountMetrics;
  readonly #order = nextOrder();
  readonly #snapshots = new Map<string, Snapshot>();
  #metricsPart: Part | undefined;
  #shelves: Shelves | undefined;

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
    this.#onChange(collector, snapshot);
    return series;
  }

  /** Ends the series of the items that are not among these. */
  retain(collector: string, items: ReadonlySet<string>): void {
    const snapshot = this.#snapshot(collector);
    snapshot.retain(items);
    this.#onChange(collector, snapshot);
  }

  /** Ends the series that must not be shown any more at `time` (unix milliseconds). */
  expire(time: number): void {
    for (const [collector, snapshot] of this.#snapshots) {
      if (snapshot.expire(time)) this.#onChange(collector, snapshot);
    }
  }

  /** Shows what is about the exporter as it is now. What the polls bring is shown at once. */
  showMetrics(): void {
    const { lines } = this.metrics;
    if (lines === this.#metricsPart?.lines) return;
    const part = new Part(this.#order, lines, this.metrics.series);
    if (this.#metricsPart !== undefined) part.follow(this.#metricsPart);
    this.#shelves?.of(undefined).replace(this.#metricsPart, part);
    this.#metricsPart = part;
  }

  /** The lines of one metric of one collector; undefined stands for what is about the exporter. */
  blocks(collector: string | undefined, metric: string): readonly Block[] {
    return this.#parts(collector)
      .map((part) => part.block(metric))
      .filter((block) => block !== undefined);
  }

  /** Compresses what `blocks` would compress. */
  makeBlocks(): void {
    for (const collector of [...this.#snapshots.keys(), undefined]) {
      for (const part of this.#parts(collector)) {
        for (const metric of part.lines.keys()) part.block(metric);
      }
    }
  }

  /** Moves all that it holds to these shelves, and puts there what comes later. Undefined only takes it away. */
  moveTo(shelves: Shelves | undefined): void {
    for (const collector of [...this.#snapshots.keys(), undefined]) {
      for (const part of this.#parts(collector)) {
        this.#shelves?.of(collector).replace(part, undefined);
        shelves?.of(collector).replace(undefined, part);
      }
    }
    this.#shelves = shelves;
  }

  #parts(collector: string | undefined): readonly Part[] {
    if (collector !== undefined) return this.#snapshots.get(collector)?.parts ?? [];
    return this.#metricsPart === undefined ? [] : [this.#metricsPart];
  }

  #snapshot(collector: string): Snapshot {
    const snapshot =
      this.#snapshots.get(collector) ??
      new Snapshot(this.#order, (former, part) => this.#shelves?.of(collector).replace(former, part));
    this.#snapshots.set(collector, snapshot);
    return snapshot;
  }

  #onChange(collector: string, { series }: Snapshot): void {
    this.metrics.setSeries(collector, series);
    this.#shelves?.of(collector).refresh();
  }
}
